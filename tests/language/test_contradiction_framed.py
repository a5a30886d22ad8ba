"""Claims that stand in a fixed frame: home, employer, car, a bare age."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import Contradiction, contradicts
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        *english(
            ("I drive a Toyota.", "I drive a Honda now.", Contradiction("name", "car", "Toyota", "Honda")),
            ("My boss drives a BMW.", "My boss now drives an Audi.", Contradiction("name", "car", "BMW", "Audi")),
            ("My daughter is 7.", "My daughter is 8 now.", Contradiction("number", "age", "7", "8")),
            ("I'm 34.", "I just turned 35.", Contradiction("number", "age", "34", "35")),
            (
                "My mom lives in Boston.",
                "My mom lives in New York.",
                Contradiction("name", "home", "Boston", "New York"),
            ),
        ),
        *turkish(
            ("Toyota kullanıyorum.", "Artık Honda kullanıyorum.", Contradiction("name", "car", "Toyota", "Honda")),
            ("Patronum BMW sürüyor.", "Patronum artık Audi sürüyor.", Contradiction("name", "car", "BMW", "Audi")),
            (
                "Kızım 7 yaşında.",
                "Kızım artık 8 yaşında.",
                Contradiction("number", "age", "7 yaşında", "8 yaşında"),
            ),
            (
                "34 yaşındayım.",
                "Artık 35 yaşındayım.",
                Contradiction("number", "age", "34 yaşındayım", "35 yaşındayım"),
            ),
            (
                "Annem Boston'da yaşıyor.",
                "Annem New York'ta yaşıyor.",
                Contradiction("name", "home", "Boston", "New York"),
            ),
        ),
    ],
)
def test_another_value_takes_back_the_first(earlier: str, later: str, found: Contradiction) -> None:
    """Of a car only where it is said to be so now."""
    assert contradicts(earlier, later) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I drive a Toyota.", "I drive a Honda."),
            ("I drive a Toyota.", "I also drive a Honda now."),
            ("I drive a Toyota.", "I drive a Honda on weekends now."),
            ("I drive a Toyota.", "I drive a Toyota Corolla now."),
            ("My wife drives a Toyota.", "I drive a Honda now."),
            ("I drive a Toyota.", "I now drive my son to school."),
            ("I know my boss lives in Paris.", "I live in Rome."),
            ("I'm 34.", "We are 5 now."),
            ("I'm 34.", "I'm 5 minutes away now."),
            ("My son is 7.", "My daughter is 8 now."),
        ),
        *turkish(
            ("Toyota kullanıyorum.", "Honda kullanıyorum."),
            ("Toyota kullanıyorum.", "Artık Honda da kullanıyorum."),
            ("Toyota kullanıyorum.", "Artık hafta sonları Honda kullanıyorum."),
            ("Toyota kullanıyorum.", "Artık Toyota Corolla kullanıyorum."),
            ("Eşim Toyota kullanıyor.", "Artık Honda kullanıyorum."),
            ("Photoshop kullanıyorum.", "Artık Slack kullanıyorum."),
            ("Patronumun Paris'te yaşadığını biliyorum.", "Roma'da yaşıyorum."),
            ("34 yaşındayım.", "Artık 5 kişiyiz."),
            ("34 yaşındayım.", "Şimdi 5 dakika uzaktayım."),
            ("Oğlum 7 yaşında.", "Kızım artık 8 yaşında."),
        ),
    ],
)
def test_what_may_hold_beside_it_takes_nothing_back(one: str, other: str) -> None:
    """Another's, one more, one for some days, the same by its full name; numbers that are no age."""
    assert contradicts(one, other) is None
    assert contradicts(other, one) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My sister Elif lives in Ankara.", "Elif lives in Izmir now."),
            ("My landlord Paul lives in Berlin.", "My landlord Paul lives in Hamburg now."),
            ("Karen works at Bosch.", "Karen works at Siemens now."),
        ),
        *turkish(
            ("Ablam Elif Ankara'da yaşıyor.", "Elif artık İzmir'de yaşıyor."),
            ("Ev sahibim Paul Berlin'de yaşıyor.", "Ev sahibim Paul artık Hamburg'da yaşıyor."),
            ("Karen Bosch'ta çalışıyor.", "Karen artık Siemens'te çalışıyor."),
        ),
    ],
)
def test_who_is_described_alike_is_the_same(earlier: str, later: str) -> None:
    """The same name with the same role, or a relative by the name alone."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My uncle Paul lives in Berlin.", "My landlord Paul lives in Hamburg."),
            ("My uncle Paul lives in Berlin.", "My plumber Paul lives in Hamburg now."),
            ("My uncle Paul lives in Berlin.", "The barber Paul lives in Hamburg."),
            ("My uncle Paul lives in Berlin.", "Professor Paul lives in Hamburg."),
            ("My uncle Paul lives in Berlin.", "My old professor Paul lives in Hamburg now."),
            ("My sister Elif lives in Ankara.", "Elif from my gym lives in Izmir."),
            ("My sister Elif lives in Ankara.", "Elif at the gym lives in Izmir now."),
            ("Karen works at Bosch.", "Karen from yoga works at Siemens."),
            ("My boss Tom works at Bosch.", "My ex Tom works at Siemens."),
            ("My boss Tom works at Bosch.", "My ex Tom left Bosch."),
            ("My landlord Paul lives in Berlin.", "My uncle Paul lives in Hamburg."),
            ("My sister Elif lives in Ankara.", "Elif next door lives in Izmir now."),
            ("My sister Elif lives in Ankara.", "Our neighbour Elif lives in Izmir now."),
            ("My brother Can works at Getir.", "Doctor Can works at Acıbadem."),
            ("Can works at Getir.", "My physio Can works at Acıbadem now."),
            ("My physio Can works at Getir.", "Can works at Acıbadem now."),
        ),
        *turkish(
            ("Amcam Paul Berlin'de yaşıyor.", "Ev sahibim Paul Hamburg'da yaşıyor."),
            ("Amcam Paul Berlin'de yaşıyor.", "Bu arada ev sahibim Paul Hamburg'da yaşıyor."),
            ("Amcam Paul Berlin'de yaşıyor.", "Bizim tesisatçı Paul artık Hamburg'da yaşıyor."),
            ("Amcam Paul Berlin'de yaşıyor.", "Berberim Paul Hamburg'da yaşıyor."),
            ("Ablam Elif Ankara'da yaşıyor.", "Spor salonundan Elif İzmir'de yaşıyor."),
            ("Ablam Elif Ankara'da yaşıyor.", "Artık yogadan Elif İzmir'de yaşıyor."),
            ("Ablam Elif Ankara'da yaşıyor.", "Spor salonundaki Elif artık İzmir'de yaşıyor."),
            ("Karen Bosch'ta çalışıyor.", "Yogadan Karen Siemens'te çalışıyor."),
            ("Patronum Tom Bosch'ta çalışıyor.", "Eski sevgilim Tom Siemens'te çalışıyor."),
            ("Patronum Tom Bosch'ta çalışıyor.", "Eski sevgilim Tom Bosch'tan ayrıldı."),
            ("Ev sahibim Paul Berlin'de yaşıyor.", "Amcam Paul Hamburg'da yaşıyor."),
            ("Kardeşim Can Getir'de çalışıyor.", "Doktor Can artık Acıbadem'de çalışıyor."),
            ("Can Getir'de çalışıyor.", "Fizyoterapistim Can artık Acıbadem'de çalışıyor."),
            ("Fizyoterapistim Can Getir'de çalışıyor.", "Can artık Acıbadem'de çalışıyor."),
            ("Ablam Elif Ankara'da yaşıyor.", "Yan komşum Elif artık İzmir'de yaşıyor."),
            ("Ablam Elif Ankara'da yaşıyor.", "Kursta tanıştığım Elif artık İzmir'de yaşıyor."),
        ),
    ],
)
def test_a_namesake_takes_nothing_back(earlier: str, later: str) -> None:
    """Another role, on a list or not, or another place one is known from."""
    assert contradicts(earlier, later) is None
