"""What the words of a time expression mean."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from reverie.language import time_spans as spans
from reverie.language.time_readings import part, readings

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
        ("en", "month", "sept", "9"),
        ("en", "which", "this past", "-1"),
        ("en", "part", "the end of", "2"),
        ("tr", "month", "agustos", "8"),
        ("tr", "month", "ocag", "1"),
        ("tr", "unit", "sene", "year"),
        ("tr", "which", "onumuzdeki", "1"),
        ("tr", "day", "evvelsi  gun", "-2"),
    ],
)
def test_words_without_diacritics_have_a_meaning(language: str, kind: str, word: str, meaning: str) -> None:
    """As the data file says, over any blanks."""
    assert readings(language).meaning(kind, word) == meaning


@pytest.mark.parametrize(
    ("language", "word", "number"),
    [("en", "12", 12), ("en", "a few", 5), ("en", "dozens", 0), ("tr", "uc", 3), ("tr", "birkac", 5), ("tr", "", 0)],
)
def test_numbers_in_digits_and_words(language: str, word: str, number: int) -> None:
    """What is no number is 0."""
    assert readings(language).number(word) == number


def test_a_month_without_its_year_is_the_latest_that_has_begun() -> None:
    """Seen from May, May is this year's and June last year's."""
    read = readings("en")
    assert read.month(match("(?P<month>.+)", "may"), NOW) == spans.months(2024, 5)
    assert read.month(match("(?P<month>.+)", "june"), NOW) == spans.months(2023, 6)
    assert read.month(match(r"(?P<month>\w+) (?P<whose>\w+) year", "june last year"), NOW) == spans.months(2023, 6)


def test_months_over_the_turn_of_the_year() -> None:
    """November to February begins in the year before."""
    found = readings("en").months(match(r"(?P<from>\w+)-(?P<month>\w+)", "november-february"), NOW)
    assert found == spans.Span(spans.months(2023, 11).start, spans.months(2024, 2).end)


def test_days_the_wrong_way_round_are_none() -> None:
    """From 9 to 5 June names no days."""
    pattern = r"(?P<first>\d+)-(?P<day>\d+) (?P<month>\w+)"
    assert readings("tr").days_of_month(match(pattern, "9-5 haziran"), NOW) is None
    assert readings("tr").days_of_month(match(pattern, "5-9 haziran"), NOW) == spans.days(date(2023, 6, 5), 5)


def test_decades_with_and_without_their_century() -> None:
    """The 90s are the last ones, the 20s those we live in."""
    read = readings("en")
    assert read.decade(match(r"(?P<decade>\d+)s", "90s"), NOW) == spans.years(1990, 10)
    assert read.decade(match(r"(?P<decade>\d+)s", "20s"), NOW) == spans.years(2020, 10)
    assert read.decade(match(r"(?P<decade>\d+)s", "1880s"), NOW) == spans.years(1880, 10)


def test_a_quarter_that_has_not_begun_is_last_years() -> None:
    """In May the second quarter runs, the third is last year's."""
    read = readings("en")
    assert read.quarter(match(r"q(?P<quarter>\d)", "q2"), NOW) == spans.months(2024, 4, 3)
    assert read.quarter(match(r"q(?P<quarter>\d)", "q3"), NOW) == spans.months(2023, 7, 3)


@pytest.mark.parametrize(
    ("language", "text", "period"),
    [
        ("en", "may 2023", ""),
        ("en", "may 7", "year"),
        ("en", "last friday", "week"),
        ("tr", "cuma gunu", "week"),
        ("en", "today", ""),
    ],
)
def test_how_often_a_time_comes_again(language: str, text: str, period: str) -> None:
    """A day of the week every week, a month every year, a year never."""
    assert readings(language).period(text, YEAR) == period


def test_a_missing_group_is_none() -> None:
    """As is one that did not take part."""
    found = match("(?P<a>x)?y", "y")
    assert part(found, "a") is None
    assert part(found, "b") is None
