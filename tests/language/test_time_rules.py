"""Reading by rules, and dates in digits."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from reverie.language.text.letters import plain
from reverie.language.time.rules import TimeMatch, any_of, numeric_rules, rule, scan
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
