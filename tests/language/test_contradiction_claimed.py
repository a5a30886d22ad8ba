"""Two clauses that claim different values of one attribute."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import Contradiction, contradicts, contradicts_read, reading
from reverie.language.contradiction_claimed import differing, is_left, is_of_one_of_several
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I live in Izmir.", "I live in Ankara during the week for work."),
            ("I live in Izmir.", "On weekdays I live in Ankara."),
            ("I live in Ankara during the week.", "I live in Izmir."),
            ("I live in Izmir.", "I live in Bodrum half of the year."),
            ("I live in Izmir.", "I live in Ankara three days a week."),
            ("I work at Trendyol.", "On weekends I work at Getir."),
            ("I work at Trendyol.", "In the evenings I work at Getir as a courier."),
            ("I work at Trendyol.", "I work part-time at Getir."),
            ("I work at Trendyol.", "I work at Getir as a side job."),
        ),
        *turkish(
            ("İzmir'de yaşıyorum.", "İş için hafta içleri Ankara'da yaşıyorum."),
            ("İzmir'de yaşıyorum.", "Hafta içi Ankara'da yaşıyorum."),
            ("Hafta içi Ankara'da yaşıyorum.", "İzmir'de yaşıyorum."),
            ("İzmir'de yaşıyorum.", "Yılın yarısında Bodrum'da yaşıyorum."),
            ("İzmir'de yaşıyorum.", "Haftada üç gün Ankara'da yaşıyorum."),
            ("Trendyol'da çalışıyorum.", "Hafta sonları Getir'de çalışıyorum."),
            ("Trendyol'da çalışıyorum.", "Akşamları Getir'de kurye olarak çalışıyorum."),
            ("Trendyol'da çalışıyorum.", "Getir'de yarı zamanlı çalışıyorum."),
            ("Trendyol'da çalışıyorum.", "Ek iş olarak Getir'de çalışıyorum."),
        ),
    ],
)
def test_what_holds_for_a_part_of_the_time_takes_nothing_back(earlier: str, later: str) -> None:
    """Nor is it taken back by what holds for the rest."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I live in Ankara.", "I moved to Izmir last weekend."),
            ("My salary is 5000 dollars per month.", "My salary is 6000 dollars per month now."),
        ),
        *turkish(
            ("Ankara'da yaşıyorum.", "Geçen hafta sonu İzmir'e taşındım."),
            ("Maaşım ayda 5000 lira.", "Maaşım artık ayda 6000 lira."),
        ),
    ],
)
def test_a_move_at_a_weekend_and_a_monthly_wage_are_no_part_of_the_time(earlier: str, later: str) -> None:
    """Who moved lives there all week."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later", "left"),
    [
        *english(
            ("I work at Trendyol.", "I left Trendyol.", True),
            ("I work at Trendyol.", "I quit Trendyol two weeks ago.", True),
            ("I work at Trendyol.", "I quit my job at Trendyol.", True),
            ("My husband works at Getir.", "My husband left Getir.", True),
            ("I work at Trendyol.", "I left Trendyol early today.", False),
            ("I work at Trendyol.", "I left Trendyol a review.", False),
            ("I work at Trendyol.", "My boss left Trendyol.", False),
            ("I work at Trendyol.", "I left Getir.", False),
            ("I live in Ankara.", "I left Ankara.", False),
        ),
        *turkish(
            ("Trendyol'da çalışıyorum.", "Trendyol'dan ayrıldım.", True),
            ("Trendyol'da çalışıyorum.", "İki hafta önce Trendyol'dan istifa ettim.", True),
            ("Trendyol'da çalışıyorum.", "Trendyol'daki işimden ayrıldım.", True),
            ("Eşim Getir'de çalışıyor.", "Eşim Getir'den ayrıldı.", True),
            ("Trendyol'da çalışıyorum.", "Bugün Trendyol'dan erken ayrıldım.", False),
            ("Trendyol'da çalışıyorum.", "Trendyol'dan saat 6'da ayrıldım.", False),
            ("Trendyol'da çalışıyorum.", "Müdürüm Trendyol'dan ayrıldı.", False),
            ("Trendyol'da çalışıyorum.", "Getir'den ayrıldım.", False),
            ("Ankara'da yaşıyorum.", "Ankara'dan ayrıldım.", False),
        ),
    ],
)
def test_who_left_an_employer_works_there_no_longer(earlier: str, later: str, *, left: bool) -> None:
    """Who left early, or left something there, does."""
    found = contradicts(earlier, later)
    assert (found is not None) == left
    assert found is None or found.reason == "negation"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I work at Getir.", "I quit my job at Trendyol."),
            ("I work at Getir.", "I applied for a position at Google."),
            ("I work at Google.", "I work at Google Turkey."),
            ("I'm 34 years old.", "It is 5 years old."),
        ),
        *turkish(
            ("Getir'de çalışıyorum.", "Trendyol'daki işimden ayrıldım."),
            ("Google'da çalışıyorum.", "Evde çalışıyorum."),
            ("Mert Getir'de çalışıyor.", "Mert artık Getir'de çalışıyor."),
            ("Adım Selin.", "Adı Duman."),
        ),
    ],
)
def test_no_other_value_is_claimed(earlier: str, later: str) -> None:
    """A job that is over or not yet had, the full name of the same, what is no name, the age or name of another."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        *english(
            ("Ankara'da yaşıyorum.", "I live in Izmir now.", Contradiction("name", "home", "Ankara", "Izmir")),
            ("Trendyol'da çalışıyorum.", "I work at Getir.", Contradiction("name", "employer", "Trendyol", "Getir")),
            ("34 yaşındayım.", "I'm 35.", Contradiction("number", "age", "34 yaşındayım", "35")),
            ("Adım Selin.", "My name is Ada.", Contradiction("name", "name", "Selin", "Ada")),
        ),
        *turkish(
            ("I live in Ankara.", "Artık İzmir'de yaşıyorum.", Contradiction("name", "home", "Ankara", "İzmir")),
            ("I work at Trendyol.", "Getir'de çalışıyorum.", Contradiction("name", "employer", "Trendyol", "Getir")),
            ("I'm 34.", "35 yaşındayım.", Contradiction("number", "age", "34", "35 yaşındayım")),
            ("My name is Selin.", "Adım Ada.", Contradiction("name", "ad", "Selin", "Ada")),
        ),
    ],
)
def test_who_speaks_two_languages_is_one(earlier: str, later: str, found: Contradiction) -> None:
    """Home, employer, age and name of the speaker are compared across languages."""
    assert contradicts(earlier, later) == found
    assert contradicts_read(reading(earlier), reading(later)) == found


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("Münih'te yaşıyorum.", "I live in Munich."),
            ("Türkiye'de yaşıyorum.", "I live in Izmir."),
            ("Ankara'da yaşıyorum.", "My mother lives in Izmir."),
            ("Ankara'da yaşıyorum.", "I live in Izmir in the summers."),
            ("34 yaşındayım.", "My car is 5 years old."),
            ("Adım Selin.", "My dog's name is Rex."),
            ("Kiram 900 euro.", "My rent is 950 euros."),
            ("THY'de çalışıyorum.", "I work at Turkish Airlines."),
        ),
        *turkish(
            ("I live in Munich.", "Münih'te yaşıyorum."),
            ("I live in Turkey.", "İzmir'de yaşıyorum."),
            ("I live in Ankara.", "Annem İzmir'de yaşıyor."),
            ("I live in Ankara.", "Yazları İzmir'de yaşıyorum."),
            ("I'm 34.", "Kızım 5 yaşında."),
            ("My name is Selin.", "Adı Duman."),
            ("My rent is 900 euros.", "Kiram 950 euro."),
            ("I work at Turkish Airlines.", "Getir'de çalışıyorum."),
        ),
    ],
)
def test_across_languages_only_what_is_certain_counts(earlier: str, later: str) -> None:
    """The same place by another name, another's home, age or name, and attributes compared in one language only."""
    assert contradicts(earlier, later) is None


@BOTH
def test_what_differs_is_left_or_is_of_another() -> None:
    """The three questions asked of two clauses."""
    (was,) = reading("I work at Getir.").clauses
    (now,) = reading("I work at Insider.").clauses
    (over,) = reading("I left Getir.").clauses
    (one,) = reading("Bir kuzenim Berlin'de yaşıyor.").clauses
    pair = differing(was, now)
    assert pair is not None
    assert [claim.written for claim in pair] == ["Getir", "Insider"]
    assert differing(was, over) is None
    assert is_left(was, over)
    assert not is_left(was, now)
    assert is_of_one_of_several(one, one)
    assert not is_of_one_of_several(was, now)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I work at Philips.", "I got fired from Philips."),
            ("I work at Netflix.", "I started at Spotify this month."),
        ),
        *turkish(
            ("Getir'de çalışıyorum.", "Getir'den kovuldum."),
            ("Ankara'da yaşıyorum.", "İzmir'e taşındım sonunda!"),
            ("Netflix'te çalışıyorum.", "Bu ay Spotify'da işe başladım."),
        ),
    ],
)
def test_who_was_fired_or_just_began_elsewhere_is_there_no_longer(earlier: str, later: str) -> None:
    """Told of the same employer, or with a time just gone."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I work at Netflix.", "I started at Harvard this month."),
            ("I work at Intel.", "My wife got fired from Intel."),
        ),
        *turkish(
            ("Getir'de çalışıyorum.", "Eşim Getir'den kovuldu."),
            ("Getir'de çalışıyorum.", "Trendyol'dan kovuldum."),
        ),
    ],
)
def test_another_job_or_a_school_ends_no_employer(earlier: str, later: str) -> None:
    """Another's dismissal, and where one studies."""
    assert contradicts(earlier, later) is None
