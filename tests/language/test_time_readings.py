"""What the words of a time expression mean."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from reverie.language.time import spans
from reverie.language.time.rules import part, readings
from tests.spoken import NEITHER, english, neither, turkish

NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)
YEAR = re.compile(r"\d{4}")


def match(pattern: str, text: str) -> re.Match[str]:
    """The match of a pattern that does."""
    found = re.fullmatch(pattern, text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("language", "kind", "word", "meaning"),
    [
        *english(
            ("en", "month", "sept", "9"),
            ("en", "which", "this past", "-1"),
            ("en", "part", "the end of", "2"),
        ),
        *turkish(
            ("tr", "month", "agustos", "8"),
            ("tr", "month", "ocag", "1"),
            ("tr", "unit", "sene", "year"),
            ("tr", "which", "onumuzdeki", "1"),
            ("tr", "day", "evvelsi  gun", "-2"),
        ),
    ],
)
def test_words_without_diacritics_have_a_meaning(language: str, kind: str, word: str, meaning: str) -> None:
    """As the data file says, over any blanks."""
    assert readings(language).meaning(kind, word) == meaning


@pytest.mark.parametrize(
    ("language", "word", "number"),
    [
        *english(("en", "a few", 5), ("en", "dozens", 0)),
        *turkish(("tr", "uc", 3), ("tr", "birkac", 5)),
        *neither(("en", "12", 12), ("tr", "", 0)),
    ],
)
def test_numbers_in_digits_and_words(language: str, word: str, number: int) -> None:
    """What is no number is 0."""
    assert readings(language).number(word) == number


@pytest.mark.parametrize(
    ("language", "pattern", "text", "month"),
    [
        *english(
            ("en", r"(?P<month>\w+)", "may", spans.months(2024, 5)),
            ("en", r"(?P<month>\w+)", "june", spans.months(2023, 6)),
            ("en", r"(?P<month>\w+) (?P<whose>\w+) year", "june last year", spans.months(2023, 6)),
        ),
        *turkish(
            ("tr", r"(?P<month>\w+)", "mayis", spans.months(2024, 5)),
            ("tr", r"(?P<month>\w+)", "haziran", spans.months(2023, 6)),
            ("tr", r"(?P<whose>\w+) yil (?P<month>\w+)", "gecen yil haziran", spans.months(2023, 6)),
        ),
    ],
)
def test_a_month_without_its_year_is_the_latest_that_has_begun(
    language: str, pattern: str, text: str, month: spans.CalendarSpan
) -> None:
    """Seen from May, May is this year's and June last year's."""
    assert readings(language).month(match(pattern, text), NOW) == month


@pytest.mark.parametrize(("language", "text"), [*english(("en", "november-february")), *turkish(("tr", "kasim-subat"))])
def test_months_over_the_turn_of_the_year(language: str, text: str) -> None:
    """November to February begins in the year before."""
    found = readings(language).months(match(r"(?P<from>\w+)-(?P<month>\w+)", text), NOW)
    assert found == spans.CalendarSpan(spans.months(2023, 11).start, spans.months(2024, 2).end)


@pytest.mark.parametrize(("language", "month"), [*english(("en", "june")), *turkish(("tr", "haziran"))])
def test_days_the_wrong_way_round_are_none(language: str, month: str) -> None:
    """From 9 to 5 June names no days."""
    pattern = r"(?P<first>\d+)-(?P<day>\d+) (?P<month>\w+)"
    read = readings(language)
    assert read.days_of_month(match(pattern, f"9-5 {month}"), NOW) is None
    assert read.days_of_month(match(pattern, f"5-9 {month}"), NOW) == spans.days(date(2023, 6, 5), 5)


@pytest.mark.parametrize(
    ("language", "written", "start"),
    [
        *english(("en", "90s", 1990), ("en", "20s", 2020), ("en", "1880s", 1880)),
        *turkish(("tr", "90'lar", 1990), ("tr", "20'ler", 2020), ("tr", "1880'ler", 1880)),
    ],
)
def test_decades_with_and_without_their_century(language: str, written: str, start: int) -> None:
    """The 90s are the last ones, the 20s those we live in."""
    found = readings(language).decade(match(r"(?P<decade>\d+)(?:s|'l[ae]r)", written), NOW)
    assert found == spans.years(start, 10)


@NEITHER
def test_a_quarter_that_has_not_begun_is_last_years() -> None:
    """In May the second quarter runs, the third is last year's."""
    read = readings("en")
    assert read.quarter(match(r"q(?P<quarter>\d)", "q2"), NOW) == spans.months(2024, 4, 3)
    assert read.quarter(match(r"q(?P<quarter>\d)", "q3"), NOW) == spans.months(2023, 7, 3)


@pytest.mark.parametrize(
    ("language", "text", "period"),
    [
        *english(("en", "friday, may 8", "year"), ("en", "on friday the 8th", "month")),
        *english(("en", "may 2023", ""), ("en", "may 7", "year"), ("en", "last friday", "week"), ("en", "today", "")),
        *turkish(("tr", "8 mayis cuma", "year"), ("tr", "8 mayis 2026 cuma", "")),
        *turkish(("tr", "mayis 2023", ""), ("tr", "7 mayis", "year"), ("tr", "cuma gunu", "week"), ("tr", "bugun", "")),
    ],
)
def test_how_often_a_time_comes_again(language: str, text: str, period: str) -> None:
    """A day of the week every week, a month every year, a year never."""
    assert readings(language).period(text, YEAR) == period


@NEITHER
def test_a_missing_group_is_none() -> None:
    """As is one that did not take part."""
    found = match("(?P<a>x)?y", "y")
    assert part(found, "a") is None
    assert part(found, "b") is None
