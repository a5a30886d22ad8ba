"""Arithmetic of the calendar, worked out by hand around Wednesday, 15 May 2024."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.time import spans
from reverie.language.time.spans import CalendarSpan
from tests.spoken import NEITHER

pytestmark = NEITHER

TODAY = date(2024, 5, 15)
NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)
SANE = st.dates(min_value=date(10, 1, 1), max_value=date(9980, 1, 1))


def span(start: str, end: str) -> CalendarSpan:
    """A span between two days."""
    return CalendarSpan(
        datetime.fromisoformat(start).replace(tzinfo=UTC), datetime.fromisoformat(end).replace(tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("name", "shift", "expected"),
    [
        ("day", 0, span("2024-05-15", "2024-05-16")),
        ("week", 0, span("2024-05-13", "2024-05-20")),
        ("week", -1, span("2024-05-06", "2024-05-13")),
        ("weekend", -1, span("2024-05-11", "2024-05-13")),
        ("month", -5, span("2023-12-01", "2024-01-01")),
        ("month", 8, span("2025-01-01", "2025-02-01")),
        ("quarter", 0, span("2024-04-01", "2024-07-01")),
        ("quarter", -2, span("2023-10-01", "2024-01-01")),
        ("year", -1, span("2023-01-01", "2024-01-01")),
    ],
)
def test_calendar_units(name: str, shift: int, expected: CalendarSpan) -> None:
    """The unit that holds the day, moved by so many."""
    assert spans.unit(name, TODAY, shift) == expected


@given(SANE, st.sampled_from(["day", "week", "month", "quarter", "year"]))
def test_units_meet_without_gap(day: date, name: str) -> None:
    """A unit holds its day, ends where the next begins, and begins where the one before ends."""
    here = spans.unit(name, day)
    assert here.start <= spans.midnight(day) < here.end
    assert spans.unit(name, day, -1).end == here.start
    assert spans.unit(name, day, 1).start == here.end


@given(SANE)
def test_weeks_begin_on_monday(day: date) -> None:
    """Any day's week does."""
    assert spans.week(day).start.weekday() == 0
    assert spans.weekend(day).start.weekday() == 5


def test_winter_runs_into_the_next_year() -> None:
    """It belongs to the year it begins in."""
    assert spans.season(2023, 3) == span("2023-12-01", "2024-03-01")
    assert spans.season(2023, 0) == span("2023-03-01", "2023-06-01")


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("last", span("2023-06-01", "2023-09-01")),
        ("latest", span("2023-06-01", "2023-09-01")),
        ("this", span("2024-06-01", "2024-09-01")),
        ("next", span("2024-06-01", "2024-09-01")),
    ],
)
def test_which_summer_in_may(which: str, expected: CalendarSpan) -> None:
    """This summer is the one to come, in the summer was the one before."""
    assert spans.which_season(1, NOW, which) == expected


def test_which_summer_in_july() -> None:
    """This summer and in the summer are now; the last one is over."""
    july = datetime(2024, 7, 10, tzinfo=UTC)
    now = span("2024-06-01", "2024-09-01")
    assert spans.which_season(1, july, "this") == spans.which_season(1, july, "latest") == now
    assert spans.which_season(1, july, "last").start.year == 2023


def test_this_winter_in_january_began_last_year() -> None:
    """The present season is meant."""
    assert spans.which_season(3, datetime(2024, 1, 10, tzinfo=UTC), "this") == span("2023-12-01", "2024-03-01")


@pytest.mark.parametrize(
    ("number", "first", "end"),
    [(0, "2024-02-01", "2024-02-11"), (1, "2024-02-11", "2024-02-21"), (2, "2024-02-21", "2024-03-01")],
)
def test_thirds_of_a_month(number: int, first: str, end: str) -> None:
    """Ten days each, the last one the rest."""
    assert spans.third(spans.months(2024, 2), number) == span(first, end)


def test_thirds_of_a_year() -> None:
    """Four months each."""
    assert spans.third(spans.years(2023), 2) == span("2023-09-01", "2024-01-01")


def test_rolling_spans_end_with_today() -> None:
    """The last month begins on the same day of the month before, or the last there is."""
    assert spans.rolling("day", TODAY, 3) == span("2024-05-12", "2024-05-16")
    assert spans.rolling("week", TODAY, 2) == span("2024-05-01", "2024-05-16")
    assert spans.rolling("month", date(2024, 3, 31), 1) == span("2024-02-29", "2024-04-01")
    assert spans.rolling("quarter", TODAY, 1) == span("2024-02-15", "2024-05-16")
    assert spans.rolling("year", date(2024, 2, 29), 1) == span("2023-02-28", "2024-03-01")


def test_ago_is_the_unit_of_that_moment() -> None:
    """Weeks, months and years are those of the calendar; hours are loose."""
    assert spans.ago("week", NOW, 2) == span("2024-04-29", "2024-05-06")
    assert spans.ago("month", NOW, 1) == span("2024-04-01", "2024-05-01")
    loose = spans.ago("hour", NOW, 2)
    assert loose.start <= NOW - timedelta(hours=2) < loose.end
    assert loose.end - loose.start == timedelta(hours=2)
    assert spans.ago("hour", NOW, 20).end - spans.ago("hour", NOW, 20).start == timedelta(hours=10)


def test_the_latest_day_without_its_year() -> None:
    """This year's if it has come, 29 February of the last leap year."""
    assert spans.latest_date(5, 15, TODAY) == TODAY
    assert spans.latest_date(5, 16, TODAY) == date(2023, 5, 16)
    assert spans.latest_date(2, 29, date(2023, 5, 1)) == date(2020, 2, 29)
    with pytest.raises(ValueError, match="no day 31"):
        spans.latest_date(6, 31, TODAY)


@pytest.mark.parametrize(
    ("which", "monday", "wednesday", "friday"),
    [("last", 13, 8, 10), ("latest", 13, 15, 10), ("this", 13, 15, 17), ("next", 20, 22, 17)],
)
def test_days_of_the_week(which: str, monday: int, wednesday: int, friday: int) -> None:
    """Seen from a Wednesday."""
    found = [spans.weekday(number, TODAY, which).day for number in (0, 2, 4)]
    assert found == [monday, wednesday, friday]


@given(SANE, st.integers(0, 6))
def test_last_is_before_today_and_next_after(day: date, number: int) -> None:
    """Both within a week, both that day."""
    last, after = spans.weekday(number, day, "last"), spans.weekday(number, day, "next")
    assert last < day < after
    assert last.weekday() == after.weekday() == number
    assert day - last <= timedelta(days=7)
    assert after - day <= timedelta(days=7)


def test_open_spans() -> None:
    """Since runs to the end of today, until takes the time in, before does not, after begins behind it."""
    april = spans.months(2024, 4)
    assert spans.bounded("since", april, NOW) == span("2024-04-01", "2024-05-16")
    assert spans.bounded("until", april, NOW) == CalendarSpan(spans.EARLIEST, april.end)
    assert spans.bounded("before", april, NOW) == CalendarSpan(spans.EARLIEST, april.start)
    assert spans.bounded("after", april, NOW) == span("2024-05-01", "2024-05-16")
    assert spans.bounded("after", spans.years(2024), NOW).end == spans.LATEST


def test_joining_moves_what_comes_again() -> None:
    """From March (2024) to July 2022 is from March 2022; from 5 March 2022 to 9 July is to that July."""
    march, july = spans.months(2024, 3), spans.months(2022, 7)
    assert spans.joined(march, july, "year", "") == span("2022-03-01", "2022-08-01")
    assert spans.joined(spans.days(date(2022, 3, 5)), spans.days(date(2023, 7, 9)), "", "year") == span(
        "2022-03-05", "2022-07-10"
    )
    friday, monday = spans.days(date(2024, 5, 10)), spans.days(date(2024, 5, 13))
    assert spans.joined(monday, friday, "week", "week") == span("2024-05-06", "2024-05-11")
    assert spans.joined(spans.years(2023), spans.years(2021), "", "") is None


def test_a_range_takes_the_beginning_that_is_next_to_its_end() -> None:
    """From 3 July to 10 July 2027 is a week of 2027; from the 20th to the 3rd goes over the end of a month."""
    july = spans.days(date(2025, 7, 3))
    assert spans.joined(july, spans.days(date(2027, 7, 10)), "year", "") == span("2027-07-03", "2027-07-11")
    twentieth, third = spans.days(date(2024, 5, 20)), spans.days(date(2024, 5, 3))
    assert spans.joined(twentieth, third, "month", "month") == span("2024-04-20", "2024-05-04")


def test_a_day_of_any_month() -> None:
    """The latest and the next 31st lie in months that have one."""
    assert spans.latest_day(31, date(2024, 7, 5)) == date(2024, 5, 31)
    assert spans.latest_day(15, TODAY) == TODAY
    assert spans.next_day(date(2024, 5, 31)) == date(2024, 7, 31)
    assert spans.next_day(date(2024, 12, 31)) == date(2025, 1, 31)
    with pytest.raises(ValueError, match="no day 32"):
        spans.latest_day(32, TODAY)


def test_neighbours_of_a_day() -> None:
    """The week before a day is seven days; the weekend before it Saturday and Sunday."""
    day = spans.days(date(2023, 6, 9))
    assert spans.neighbour("week", day, after=False) == span("2023-06-02", "2023-06-09")
    assert spans.neighbour("day", day, after=True) == span("2023-06-10", "2023-06-11")
    assert spans.neighbour("weekend", day, after=False) == span("2023-06-03", "2023-06-05")


def test_which_month() -> None:
    """The last May is over, this May is this year's, the next has not begun."""
    assert spans.which_month(5, TODAY, -1).start.year == 2023
    assert spans.which_month(5, TODAY, 0).start.year == 2024
    assert spans.which_month(5, TODAY, 1).start.year == 2025
    assert spans.which_month(4, TODAY, -1).start.year == 2024
    assert spans.which_month(6, TODAY, 1).start.year == 2024


def test_the_only_one_in_a_longer_time() -> None:
    """One Tuesday lies in a week, several in a month; one 5th in a month; one March in a year, and none in a May."""
    tuesday, week = spans.days(date(2024, 5, 14)), spans.week(date(2024, 5, 22))
    assert spans.only_one(tuesday, "week", week) == span("2024-05-21", "2024-05-22")
    assert spans.only_one(tuesday, "week", spans.months(2024, 4)) is None
    assert spans.only_one(spans.days(date(2024, 5, 5)), "month", spans.months(2024, 4)) == span(
        "2024-04-05", "2024-04-06"
    )
    february = spans.months(2024, 2)
    assert spans.only_one(february, "year", spans.years(2023)) == span("2023-02-01", "2023-03-01")
    assert spans.only_one(february, "year", spans.months(2024, 5)) is None


def test_units_of_the_calendar() -> None:
    """A week from Monday is one, seven days from Tuesday are none; the end of the calendar is no fault."""
    assert spans.is_calendar_unit(spans.week(TODAY))
    assert spans.is_calendar_unit(spans.weekend(TODAY))
    assert spans.is_calendar_unit(spans.years(2024))
    assert not spans.is_calendar_unit(spans.days(date(2024, 5, 14), 7))
    assert not spans.is_calendar_unit(spans.days(date(9999, 12, 28)))


def test_what_comes_again_comes_a_week_a_month_or_a_year_on() -> None:
    """At the end of the calendar and on 29 February it does not."""
    day = spans.days(TODAY)
    assert spans.coming(day, "week") == spans.days(date(2024, 5, 22))
    assert spans.coming(day, "month") == spans.days(date(2024, 6, 15))
    assert spans.coming(day, "year") == spans.days(date(2025, 5, 15))
    assert spans.coming(spans.days(date(2024, 2, 29)), "year") is None
    assert spans.coming(spans.days(date(9999, 12, 28)), "week") is None


def test_the_same_a_year_or_a_month_back() -> None:
    """None before the calendar, and for a 29 February that was not."""
    day = spans.days(TODAY)
    assert spans.before(day, "month") == spans.days(date(2024, 4, 15))
    assert spans.before(day, "year") == spans.days(date(2023, 5, 15))
    assert spans.before(spans.days(date(2024, 2, 29)), "year") is None
