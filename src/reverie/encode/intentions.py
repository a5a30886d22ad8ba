"""Intentions: things to be done later, kept as memories, with the trigger in their tags.

A trigger is a moment, a recurrence, or an event or topic that comes up. The formulas here say when one is due and what
comes after; they read no clock and write nothing.

Recurrences and the calendar's form follow RFC 5545, except that a month without the named day has its last day instead.

Source: prospective-memory, rfc-5545
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import islice, takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reverie.errors import InvalidInput
from reverie.language.text.analyzer import reading
from reverie.language.text.letters import detect_language
from reverie.types import Kind, Memory, Standing, in_utc

ACTION_MAX = 2000
"""Longest action in characters."""
_STEPS_MAX = 200_000
_WHOLE = 2
"""Up to so many words of a topic, all must come up; of more, half (decision 0074)."""
_SHARE = 1 / 2
_STEM_MIN, _CUT_MAX = 4, 2


class Progress(StrEnum):
    """How far an intention is: waiting, handed over, put off, or ended in one of three ways."""

    OPEN = "open"
    DUE = "due"
    SNOOZED = "snoozed"
    DONE = "done"
    MISSED = "missed"
    CANCELLED = "cancelled"


ENDED = frozenset({Progress.DONE, Progress.MISSED, Progress.CANCELLED})
"""The states in which an intention is no longer handed over."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """When an intention is due: from a moment on, at each time of a recurrence, or when something comes up.

    Attributes:
        at: the moment, or the first time of the recurrence; None for an event or topic.
        rule: the recurrence (RFC 5545: FREQ with INTERVAL, BYDAY or BYMONTHDAY); "" for once.
        words: the stems of an event or topic; it comes up when a message has them.
        follows: it is an event that has to have happened, not only to be mentioned.
        zone: the time zone in which a recurrence keeps its time of day.

    Raises:
        InvalidInput: neither or both of a moment and words are given, or the rule or zone cannot be read.
    """

    at: datetime | None = None
    rule: str = ""
    words: tuple[str, ...] = ()
    follows: bool = False
    zone: str = "UTC"

    def __post_init__(self) -> None:
        if (self.at is None) == (not self.words):
            raise InvalidInput("The trigger has no time and no topic, or both.", "Give at, or the words of a topic.")
        if self.at is not None:
            object.__setattr__(self, "at", in_utc(self.at))
            if not 2 <= self.at.year <= 9998:
                raise InvalidInput(f"The year {self.at.year} is at the calendar's end.", "Give a year from 2 to 9998.")
        if self.rule and self.at is None:
            raise InvalidInput("A recurrence needs its first time.", "Give at as well.")
        zone(self.zone)
        if self.rule:
            _parts(self.rule)


def on_topic(text: str, *, follows: bool = False) -> Trigger:
    """Return the trigger of an event or topic, given in words. Raises InvalidInput for words without content."""
    from reverie.language.reminders import topic  # most stores hold none, and its patterns take a while to load

    return Trigger(words=topic(text, detect_language(text)), follows=follows)


@dataclass(frozen=True, slots=True)
class Intention:
    """An intention as it stands: its memory's id and text, its trigger, its progress.

    Attributes:
        next_at: the moment from which it is due next; None for an event or topic.
        until: the end of its window: what was not handed over by then is missed.
        missed: how many times of a recurrence passed before the one that is due.
    """

    id: str
    action: str
    trigger: Trigger
    progress: Progress
    next_at: datetime | None
    until: datetime | None
    missed: int = 0


# Recurrences.


def zone(name: object) -> ZoneInfo:
    """Return the time zone of a name. Raises InvalidInput for an unknown one."""
    try:
        return ZoneInfo(name) if isinstance(name, str) else ZoneInfo("")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"There is no time zone {name!r:.60}.", "Give one as 'Europe/Istanbul', or UTC.") from None


_UNITS = {"MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}
_FREQUENCIES = frozenset((*_UNITS, "DAILY", "WEEKLY", "MONTHLY", "YEARLY"))


def _parts(rule: str) -> Mapping[str, str]:
    """Read a rule. Raises InvalidInput for one that is not understood."""
    parts = dict(part.partition("=")[::2] for part in rule.upper().split(";"))
    days = parts.get("BYDAY", "MO").split(",")
    numbers = (parts.get("INTERVAL", "1"), parts.get("BYMONTHDAY", "1"))
    days_of = {"WEEKLY": "BYDAY", "MONTHLY": "BYMONTHDAY"}.get(parts.get("FREQ", ""), "INTERVAL")
    known = parts.keys() <= {"FREQ", "INTERVAL", days_of} and parts.get("FREQ") in _FREQUENCIES
    sound = all(number.isascii() and number.isdecimal() and 0 < int(number) < 1000 for number in numbers)
    from reverie.language.reminders import BYDAY

    if not (known and sound and set(days) <= set(BYDAY) and int(numbers[1]) <= 31):
        raise InvalidInput(
            f"The recurrence {rule!r:.80} is not understood.",
            "Give FREQ=DAILY, WEEKLY, MONTHLY, … with INTERVAL, BYDAY=MO,TU,… or BYMONTHDAY=1 to 31.",
        )
    return parts


def times(trigger: Trigger) -> Iterator[datetime]:
    """Yield the moments of a trigger in UTC, ascending: one, or those of its recurrence; none for an event or topic.

    Over a change to summer or winter time the time of day stays. A moment in the hour that is skipped is as much later;
    in the hour that comes twice it is the first.
    """
    if trigger.at is None:
        return
    if not trigger.rule:
        yield trigger.at
        return
    parts = _parts(trigger.rule)
    step = int(parts.get("INTERVAL", "1"))
    if (unit := _UNITS.get(parts["FREQ"])) is not None:
        moment = trigger.at
        while moment.year < 9999:
            yield moment
            moment += unit * step
        return
    here = zone(trigger.zone)
    first = trigger.at.astimezone(here)
    for day in _days(first, parts, step):
        moment = day.replace(tzinfo=here, fold=0).astimezone(UTC)
        if moment >= trigger.at:
            yield moment


def _days(first: datetime, parts: Mapping[str, str], step: int) -> Iterator[datetime]:
    """Yield the local days of a rule from the first on, each at the first's time of day, without a zone."""
    plain = first.replace(tzinfo=None)
    if parts["FREQ"] == "DAILY":
        yield from (plain + timedelta(days=step * n) for n in range(_STEPS_MAX) if _is_near(plain, step * n))
    elif parts["FREQ"] == "WEEKLY":
        from reverie.language.reminders import BYDAY

        numbers = (
            sorted({BYDAY.index(day) for day in parts["BYDAY"].split(",")}) if "BYDAY" in parts else [plain.weekday()]
        )
        monday = plain - timedelta(days=plain.weekday())
        for week in range(0, _STEPS_MAX, step):
            if not _is_near(plain, 7 * week + 7):
                return
            yield from (monday + timedelta(days=7 * week + number) for number in numbers)
    else:
        months = step * (12 if parts["FREQ"] == "YEARLY" else 1)
        number = int(parts.get("BYMONTHDAY", plain.day))
        for month in range(0, 12 * (9998 - plain.year), months):
            yield _in_month(plain, month, number)


def _is_near(plain: datetime, days: int) -> bool:
    """Whether so many days later there still is a calendar."""
    return plain.toordinal() + days < date.max.toordinal() - 1


def _in_month(plain: datetime, ahead: int, number: int) -> datetime:
    """Return the day of this number so many months ahead; a shorter month has its last day instead."""
    year, month = divmod(plain.year * 12 + plain.month - 1 + ahead, 12)
    return plain.replace(year=year, month=month + 1, day=min(number, monthrange(year, month + 1)[1]))


def following(trigger: Trigger, after: datetime) -> datetime | None:
    """Return the first time of a trigger later than ``after``; None if there is none."""
    return next((moment for moment in islice(_from(trigger, after), _STEPS_MAX) if moment > after), None)


def _from(trigger: Trigger, moment: datetime) -> Iterator[datetime]:
    """Yield the times of a trigger, those of a short recurrence only from shortly before a moment on."""
    unit = _UNITS.get(_parts(trigger.rule)["FREQ"]) if trigger.rule else None
    if unit is None or trigger.at is None or moment <= trigger.at:
        return times(trigger)
    step = unit * int(_parts(trigger.rule).get("INTERVAL", "1"))
    return times(replace(trigger, at=trigger.at + step * ((moment - trigger.at) // step)))


# As memories.


_PREFIXES = ("at", "rule", "about", "follows", "zone", "progress", "next", "until")
MARK = "intention"
"""The tag of every intention."""


def tags_of(trigger: Trigger, until: datetime | None) -> tuple[str, ...]:
    """Return the tags of a new intention."""
    told = [("zone", trigger.zone)] if trigger.zone != "UTC" else []
    if trigger.at is not None:
        first = next(times(trigger), trigger.at)
        told += [("at", trigger.at.isoformat()), ("next", first.isoformat())]
    told += [("rule", trigger.rule)] if trigger.rule else []
    told += [("about", word) for word in trigger.words]
    told += [("follows", "yes")] if trigger.follows else []
    told += [("until", in_utc(until).isoformat())] if until is not None else []
    return (MARK, *(f"{name}:{value}" for name, value in told), f"progress:{Progress.OPEN}")


def intention_in(memory: Memory) -> Intention | None:
    """Return the intention that a memory holds; None if it is none, or its tags cannot be read."""
    if memory.kind is not Kind.INTENTION or MARK not in memory.standing.tags:
        return None
    held: dict[str, list[str]] = {name: [] for name in _PREFIXES}
    for tag in memory.standing.tags:
        name, _, value = tag.partition(":")
        if name in held and value:
            held[name].append(value)
    try:
        at, next_at, until = (datetime.fromisoformat(v[0]) if (v := held[n]) else None for n in ("at", "next", "until"))
        rule, place = ((held[name] or [plain])[0] for name, plain in (("rule", ""), ("zone", "UTC")))
        trigger = Trigger(at, rule, tuple(held["about"]), bool(held["follows"]), place)
        progress = Progress(held["progress"][0])
    except (ValueError, IndexError, InvalidInput):
        return None
    return Intention(memory.id, memory.text, trigger, progress, next_at, until)


def retagged(tags: Iterable[str], progress: Progress, next_at: datetime | None) -> tuple[str, ...]:
    """Return an intention's tags with another progress and next moment."""
    kept = [tag for tag in tags if not tag.startswith(("progress:", "next:"))]
    moment = [] if next_at is None else [f"next:{in_utc(next_at).isoformat()}"]
    return (*kept, *moment, f"progress:{progress}")


def standing_of(trigger: Trigger, until: datetime | None) -> Standing:
    """Return the lifecycle state of a new intention: no dream merges it, and it is settled instead of corrected."""
    return Standing(importance=0.8, immutable=True, tags=tags_of(trigger, until), write_source=MARK)


# Being due.


def is_due(one: Intention, now: datetime, cue: str = "") -> bool:
    """Whether an intention is to be handed over: its time has come, or a message brings up what it waits for."""
    if one.progress not in (Progress.OPEN, Progress.SNOOZED) or is_missed(one, now):
        return False
    if one.next_at is not None:
        return one.next_at <= now
    return bool(cue) and comes_up(one.trigger.words, cue)


def is_missed(one: Intention, now: datetime) -> bool:
    """Whether an intention's window ended before it was handed over."""
    return one.progress in (Progress.OPEN, Progress.SNOOZED) and one.until is not None and one.until <= now


def comes_up(words: tuple[str, ...], text: str) -> bool:
    """Whether a text brings up an event or topic, by the stems of its words: all of one or two, half of more."""
    if not words:
        return False
    found = set(reading(text, "en").terms()) | set(reading(text, "tr").terms())
    met = sum(word in found or any(_is_same(word, other) for other in found) for word in words)
    return met == len(words) if len(words) <= _WHOLE else met >= _SHARE * len(words)


def _is_same(word: str, other: str) -> bool:
    """Whether two stems are of one word: a stemmer cuts some inflections a letter or two further than others."""
    short, long = sorted((word, other), key=len)
    return len(short) >= _STEM_MIN and len(long) - len(short) <= _CUT_MAX and long.startswith(short)


def handed(one: Intention, now: datetime) -> Intention:
    """Return an intention after it was handed over: due, or, if it recurs, open again until its next time.

    Times of the recurrence that had passed as well are counted in ``missed``.
    """
    if not one.trigger.rule or one.next_at is None:
        return replace(one, progress=Progress.DUE)
    passed = sum(
        one.next_at < moment for moment in takewhile(lambda moment: moment <= now, _from(one.trigger, one.next_at))
    )
    later = following(one.trigger, now)
    ended = later is None or (one.until is not None and later > one.until)
    return replace(one, progress=Progress.DUE if ended else Progress.OPEN, next_at=later, missed=passed)


# As a calendar.


def calendar(intentions: Iterable[Intention], now: datetime) -> str:
    """Return intentions that have a time as an iCalendar file (RFC 5545): an event with an alarm each."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Reverie//Intentions//EN"]
    for one in intentions:
        if one.trigger.at is not None:
            lines += _event(one, now)
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _event(one: Intention, now: datetime) -> list[str]:
    first = one.next_at or one.trigger.at
    assert first is not None
    local = first.astimezone(zone(one.trigger.zone))
    zoned = one.trigger.rule and one.trigger.zone != "UTC"
    start = f"DTSTART;TZID={one.trigger.zone}:{local:%Y%m%dT%H%M%S}" if zoned else f"DTSTART:{_stamp(first)}"
    rule = [f"RRULE:{_standard(one.trigger.rule)}"] if one.trigger.rule else []
    status = ["STATUS:CANCELLED"] if one.progress is Progress.CANCELLED else []
    words = _escaped(one.action)
    return [
        *("BEGIN:VEVENT", f"UID:{one.id}@reverie", f"DTSTAMP:{_stamp(now)}", start, *rule, f"SUMMARY:{words}", *status),
        *("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{words}", "TRIGGER:PT0S", "END:VALARM", "END:VEVENT"),
    ]


def _standard(rule: str) -> str:
    """Return a rule for a calendar, which would skip months without the day: the last of the days that there are."""
    parts = _parts(rule)
    day = int(parts.get("BYMONTHDAY", "1"))
    if parts["FREQ"] != "MONTHLY" or day <= 28:
        return rule
    return rule.replace(f"BYMONTHDAY={day}", f"BYMONTHDAY={','.join(map(str, range(28, day + 1)))};BYSETPOS=-1")


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Return a text as a calendar's value: one line, its separators escaped, without what cannot be written."""
    clean = "".join(sign if sign.isprintable() else " " for sign in text.encode("utf-8", "replace").decode("utf-8"))
    for sign in ("\\", ";", ","):
        clean = clean.replace(sign, f"\\{sign}")
    return " ".join(clean.split())


def _folded(line: str) -> Iterator[str]:
    """Yield a line in parts of at most 75 bytes; those that continue begin with a blank."""
    part, size = "", 0
    for sign in line:
        width = len(sign.encode("utf-8"))
        if size + width > 75:
            yield part
            part, size = " ", 1
        part, size = part + sign, size + width
    yield part
