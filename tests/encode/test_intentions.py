"""Triggers: the laws of recurrences, of what comes up, and of the calendar's form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest

from reverie.encode.intentions import Intention, Progress, Trigger, calendar, comes_up, following, on_topic, times
from reverie.errors import InvalidInput

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def first(trigger: Trigger, count: int = 5) -> list[datetime]:
    """The first moments of a trigger."""
    return list(islice(times(trigger), count))


@pytest.mark.req("D56", "D56a")
@pytest.mark.parametrize(
    "rule",
    ["FREQ=HOURLY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY"],
)
def test_moments_rise_and_what_follows_is_the_next_of_them(rule: str) -> None:
    """For every rule; none is before the first moment given."""
    trigger = Trigger(NOW, rule, zone="Europe/Berlin")
    found = first(trigger, 30)
    assert all(one < other for one, other in pairwise(found))
    assert found[0] >= NOW
    for one, other in pairwise(found):
        assert following(trigger, one) == other
        assert following(trigger, other - timedelta(seconds=1)) == other


@pytest.mark.req("D56", "D56a")
def test_the_time_of_day_stays_over_summer_and_winter_time() -> None:
    """A moment in the hour that is skipped is as much later; in the hour that comes twice it is the first."""
    daily = Trigger(datetime(2026, 3, 27, 1, 30, tzinfo=UTC), "FREQ=DAILY", zone="Europe/Berlin")  # 02:30 there
    local = [one.astimezone(BERLIN) for one in first(daily, 4)]
    assert [(one.day, one.hour, one.minute) for one in local] == [(27, 2, 30), (28, 2, 30), (29, 3, 30), (30, 2, 30)]
    autumn = Trigger(datetime(2026, 10, 24, 0, 30, tzinfo=UTC), "FREQ=DAILY", zone="Europe/Berlin")
    assert first(autumn, 3) == [
        datetime(2026, 10, 24, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 26, 1, 30, tzinfo=UTC),
    ]


@pytest.mark.req("D56", "D56a")
def test_every_31st_is_the_last_day_of_shorter_months() -> None:
    """No month is skipped, and leap years have their day."""
    start = datetime(2027, 10, 31, 9, tzinfo=UTC)
    found = first(Trigger(start, "FREQ=MONTHLY;BYMONTHDAY=31"), 5)
    assert [(one.month, one.day) for one in found] == [(10, 31), (11, 30), (12, 31), (1, 31), (2, 29)]
    birthday = first(Trigger(datetime(2028, 2, 29, 9, tzinfo=UTC), "FREQ=YEARLY"), 3)
    assert [(one.year, one.day) for one in birthday] == [(2028, 29), (2029, 28), (2030, 28)]


@pytest.mark.req("D56", "D56a")
@pytest.mark.parametrize("rule", ["FREQ=MINUTELY", "FREQ=DAILY;INTERVAL=999", "FREQ=WEEKLY", "FREQ=YEARLY"])
def test_the_end_of_the_calendar_is_the_end(rule: str) -> None:
    """No error, however late it begins."""
    trigger = Trigger(datetime(9998, 12, 30, 23, 30, tzinfo=UTC), rule)
    assert all(moment.year >= 9998 for moment in first(trigger, 10_000))


@pytest.mark.req("D56", "D56a")
def test_a_short_recurrence_goes_on_for_years() -> None:
    """What follows is found at once, however long ago it began."""
    trigger = Trigger(NOW, "FREQ=MINUTELY;INTERVAL=7")
    later = NOW + timedelta(days=2000, seconds=30)
    found = following(trigger, later)
    assert found is not None
    assert later < found <= later + timedelta(minutes=7)
    assert (found - NOW) % timedelta(minutes=7) == timedelta()


@pytest.mark.req("D56", "D56a")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"at": NOW, "words": ("tea",)},
        {"rule": "FREQ=DAILY", "words": ("tea",)},
        {"at": NOW, "zone": "Mars/Olympus"},
        {"at": NOW, "rule": "FREQ=SOMETIMES"},
        {"at": NOW, "rule": "FREQ=DAILY;COUNT=3"},
        {"at": NOW, "rule": "FREQ=WEEKLY;BYDAY=XX"},
        {"at": NOW, "rule": "FREQ=MONTHLY;BYMONTHDAY=32"},
        {"at": NOW, "rule": "FREQ=DAILY;INTERVAL=0"},
        {"at": NOW, "rule": "FREQ=DAILY;BYDAY=MO"},
        {"at": NOW, "rule": "FREQ=WEEKLY;BYMONTHDAY=3"},
        {"at": NOW.replace(year=1)},
        {"at": NOW.replace(tzinfo=None)},
    ],
)
def test_a_trigger_that_makes_no_sense_is_refused(given: dict[str, object]) -> None:
    """With what to do instead."""
    with pytest.raises(InvalidInput) as told:
        Trigger(**given)  # type: ignore[arg-type]  # tests name the fields they mean
    assert told.value.mend
    with pytest.raises(InvalidInput):
        on_topic("the of and")


@pytest.mark.req("D56", "D56a")
@pytest.mark.parametrize(
    ("topic", "text", "up"),
    [
        ("the garden", "We were in the gardens all day.", True),
        ("the garden", "The gardener came.", True),
        ("the meeting with Tom", "Meeting Tom was fine.", True),
        ("the meeting with Tom", "Tom called.", False),
        ("bahçe", "Bahçede çok çalıştık.", True),
        ("Ayşe'nin düğünü", "Ayşe aradı.", False),
        ("Ayşe'nin düğünü", "Ayşe'nin düğününe gittik.", True),
        ("a", "", False),
    ],
)
def test_a_topic_comes_up_in_any_inflection(topic: str, text: str, up: bool) -> None:
    """And only with all of its words, where they are two."""
    try:
        words = on_topic(topic).words
    except InvalidInput:
        words = ()
    assert comes_up(words, text) is up


@pytest.mark.req("D56", "D56a")
def test_a_calendar_is_one_that_other_programs_read() -> None:
    """Lines of at most 75 bytes that end in CR LF, separators escaped, a rule that skips no month, no injected line."""
    action = "Pay, now; the \\rent\r\nEND:VCALENDAR 🎻" + "ü" * 100
    one = Intention(
        "id1", action, Trigger(NOW, "FREQ=MONTHLY;BYMONTHDAY=31", zone="Europe/Berlin"), Progress.OPEN, NOW, None
    )
    text = calendar([one, Intention("id2", "about tea", on_topic("tea"), Progress.OPEN, None, None)], NOW)
    lines = text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert all(len(line.encode()) <= 75 for line in lines)
    assert text.count("BEGIN:VEVENT") == text.count("END:VCALENDAR\r\n") == 1
    whole = text.replace("\r\n ", "")
    assert "DTSTART;TZID=Europe/Berlin:20261129T110000\r\n" in whole
    assert "RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1\r\n" in whole
    assert "SUMMARY:Pay\\, now\\; the \\\\rent END:VCALENDAR 🎻üü" in whole
