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
