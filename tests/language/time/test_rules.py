from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from reverie.language.text.letters import plain
from reverie.language.time import spans
from reverie.language.time.rules import TimeMatch, any_of, numeric_rules, part, readings, rule, scan
from reverie.language.time.spans import CalendarSpan, days
from tests.spoken import NEITHER, english, neither, turkish

NOW = datetime(2024, 5, 15, tzinfo=UTC)


def on(day: int) -> CalendarSpan:
    """A day of May 2024."""
    return days(date(2024, 5, day))


def read_day(match: re.Match[str], _now: datetime) -> CalendarSpan:
    """The number as a day of May 2024."""
    return on(int(match[1]))


@NEITHER
def test_an_earlier_rule_wins_where_two_overlap() -> None:
    """What it has read, a later one does not read again."""
    rules = [rule(r"day (\d+)", read_day), rule(r"(\d+)", lambda match, _now: on(1))]
    assert scan("day 7 and 9", NOW, rules) == [TimeMatch(0, 5, on(7)), TimeMatch(10, 11, on(1))]


@NEITHER
def test_what_cannot_be_is_nothing() -> None:
    """A reading that raises ValueError, or gives None, found no time."""
    assert scan("day 32", NOW, [rule(r"day (\d+)", read_day)]) == []
    assert scan("day 3", NOW, [rule(r"day (\d+)", lambda match, _now: None)]) == []


@NEITHER
def test_rules_match_whole_words_over_any_blanks() -> None:
    """Neither the end of a word nor a part of one."""
    rules = [rule(r"day (\d+)", read_day)]
    assert len(scan("day \n 7", NOW, rules)) == 1
    assert scan("today 7", NOW, rules) == scan("day 7x", NOW, rules) == scan("o'day 7", NOW, rules) == []


@NEITHER
def test_alternatives_are_tried_longest_first() -> None:
    """So that "few" does not hide "few more"."""
    assert any_of(["few", "a few", "few more"]) == "(?:few more|a few|few)"


@pytest.mark.parametrize(
    ("text", "month_first", "expected"),
    [
        ("2023-05-07", True, date(2023, 5, 7)),
        ("2023/05/07", False, date(2023, 5, 7)),
        ("2023-05-07t10:00", True, date(2023, 5, 7)),
        ("07.05.2023", True, date(2023, 5, 7)),
        ("7-5-2023", True, date(2023, 5, 7)),
        ("5/7/2023", True, date(2023, 5, 7)),
        ("5/7/2023", False, date(2023, 7, 5)),
        ("05.07.2024", True, date(2024, 7, 5)),
        ("5.7.2024", False, date(2024, 7, 5)),
        ("5/7/2024", False, date(2024, 7, 5)),
        ("12/05/2024", False, date(2024, 5, 12)),
        ("25/12/2023", True, date(2023, 12, 25)),
        ("12/25/2023", False, date(2023, 12, 25)),
        ("12/05/2024", True, date(2024, 5, 12)),
        ("12/25/23", True, date(2023, 12, 25)),
        ("01.02.24", False, date(2024, 2, 1)),
        ("05/07/99", True, date(1999, 5, 7)),
    ],
)
@NEITHER
def test_dates_in_digits(text: str, month_first: bool, expected: date) -> None:
    """Points day first, also of a day to come; slashes as the language has them, of two ways the one not to come."""
    found = scan(text, NOW, numeric_rules(month_first=month_first))
    assert [one.span for one in found] == [days(expected)]


@pytest.mark.parametrize(
    "text",
    [
        *english("version 10.11.2023", "release 10.11.2023"),
        *turkish("sürüm 10.11.2023", "No: 10.11.2023"),
        *neither(
            "3.5.24",
            "v10.11.12",
            "1.2.3.4",
            "40/12/2023",
            "31/11/2023",
            "2023-13-01",
            "192.168.10.2023",
            "10:11:2023",
        ),
    ],
)
def test_digits_that_are_no_dates(text: str) -> None:
    """Versions, addresses, and days that are not in the calendar."""
    assert scan(plain(text), NOW, numeric_rules(month_first=True)) == []


@pytest.mark.parametrize("text", [*english("Moscow 12.06.2023, Kiev 12.06.2023"), *turkish("Sınav 12.06.2023")])
def test_a_word_that_ends_like_a_version_hides_no_date(text: str) -> None:
    """The v of Kiev and Sınav is none of version 12.06."""
    found = scan(plain(text), NOW, numeric_rules(month_first=False))
    assert {one.span for one in found} == {days(date(2023, 6, 12))}
    assert len(found) == text.count("2023")


NOW_TIME_READINGS = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)
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
    assert readings(language).month(match(pattern, text), NOW_TIME_READINGS) == month


@pytest.mark.parametrize(("language", "text"), [*english(("en", "november-february")), *turkish(("tr", "kasim-subat"))])
def test_months_over_the_turn_of_the_year(language: str, text: str) -> None:
    """November to February begins in the year before."""
    found = readings(language).months(match(r"(?P<from>\w+)-(?P<month>\w+)", text), NOW_TIME_READINGS)
    assert found == spans.CalendarSpan(spans.months(2023, 11).start, spans.months(2024, 2).end)


@pytest.mark.parametrize(("language", "month"), [*english(("en", "june")), *turkish(("tr", "haziran"))])
def test_days_the_wrong_way_round_are_none(language: str, month: str) -> None:
    """From 9 to 5 June names no days."""
    pattern = r"(?P<first>\d+)-(?P<day>\d+) (?P<month>\w+)"
    read = readings(language)
    assert read.days_of_month(match(pattern, f"9-5 {month}"), NOW_TIME_READINGS) is None
    assert read.days_of_month(match(pattern, f"5-9 {month}"), NOW_TIME_READINGS) == spans.days(date(2023, 6, 5), 5)


@pytest.mark.parametrize(
    ("language", "written", "start"),
    [
        *english(("en", "90s", 1990), ("en", "20s", 2020), ("en", "1880s", 1880)),
        *turkish(("tr", "90'lar", 1990), ("tr", "20'ler", 2020), ("tr", "1880'ler", 1880)),
    ],
)
def test_decades_with_and_without_their_century(language: str, written: str, start: int) -> None:
    """The 90s are the last ones, the 20s those we live in."""
    found = readings(language).decade(match(r"(?P<decade>\d+)(?:s|'l[ae]r)", written), NOW_TIME_READINGS)
    assert found == spans.years(start, 10)


@NEITHER
def test_a_quarter_that_has_not_begun_is_last_years() -> None:
    """In May the second quarter runs, the third is last year's."""
    read = readings("en")
    assert read.quarter(match(r"q(?P<quarter>\d)", "q2"), NOW_TIME_READINGS) == spans.months(2024, 4, 3)
    assert read.quarter(match(r"q(?P<quarter>\d)", "q3"), NOW_TIME_READINGS) == spans.months(2023, 7, 3)


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
