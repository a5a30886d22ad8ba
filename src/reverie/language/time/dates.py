"""Resolve relative times to dates, and find from when a statement is true.

"yesterday" becomes "yesterday (2026-03-04)", relative to when it was said; "I moved to Izmir in May 2025" is true from
May 2025.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from reverie.errors import InvalidInput
from reverie.language.claims import is_conditional, is_future, is_past, is_past_verb
from reverie.language.text import lists
from reverie.language.text.letters import compose, plain
from reverie.language.text.patterns import any_of, masked, read, sentences
from reverie.language.time import english, spans, turkish
from reverie.language.time.rules import DAY_AND_MONTH, DAY_OF_MONTH, YEAR, TimeMatch, TimeRule, readings, rule, scan
from reverie.language.time.rules import any_of as one_of
from reverie.language.time.spans import EARLIEST, CalendarSpan, days
from reverie.language.time.tense import (
    GOES_ON,
    JOINS,
    HeardClause,
    agrees,
    as_named,
    bounds,
    by_tense,
    has_verb,
    is_after_another,
    is_counted_from_another,
    with_weekday,
)
from reverie.types import Kind

# Relative times.


TEXT_MAX = 4000
"""Number of characters examined; times after them are not dated."""

_YEAR = re.compile(YEAR)
_DATED = re.compile(r"\s*\(\d{4}")
_BESIDE = re.compile(r"\s*(?:\(\d{4}[\d/-]*\)\s*)?(?:,\s*)?(?:on\s+)?")
"""Nothing, the date of the first of two times, or "on"."""
_LED = re.compile(r"(?:on|by|to|for) the ")
_LEAD_MAX = 30
_PLURAL = re.compile(r"\s(?:morning|afternoon|evening|night)s\b")
"""Friday nights are a habit."""
_ENDING = re.compile(r"['’][^\W\d_]{1,4}\b")
_MODULES = {"en": english, "tr": turkish}
_WEEK = re.compile(r"\b(?:week|hafta)")
_OF_ANOTHER = re.compile(r"\b(?:about|for|from|of|than|to) \Z")
_OWNS = re.compile(r"(?:['’]s|\w(?:ki|nin|nun|dan|den)|\s(?:hafta|yil|sene)(?:ya|ye|a|e)|\say(?:in|a))\Z")
"""A longer time that belongs to a thing: next week's plan, gelecek haftaki toplantı."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with dates for its relative times; ``start`` ≤ t < ``end`` is the first span it names, or None."""

    text: str
    start: datetime | None
    end: datetime | None


class DatedMoment(NamedTuple):
    """A time in a sentence: positions ``begin`` to ``finish``, its ``span``, and whether its date is to be added."""

    begin: int
    finish: int
    span: CalendarSpan
    relative: bool


def dated(text: str, at: datetime) -> Dated:
    """Add to each relative time its date in ISO 8601: a day, month or year, or first/last day.

    ``at`` is aware and is when the text was said; days are those of UTC.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    text = compose(text)
    pieces: list[str] = []
    done = 0
    first: CalendarSpan | None = None
    for sentence in sentences(text[:TEXT_MAX]):
        begin = text.index(sentence, done)
        for moment in moments(sentence, at):
            first = first or moment.span
            if moment.relative and not _DATED.match(sentence, moment.finish):
                pieces += [text[done : begin + moment.finish], f" ({iso(moment.span)})"]
                done = begin + moment.finish
        pieces.append(text[done : begin + len(sentence)])
        done = begin + len(sentence)
    pieces.append(text[done:])
    return Dated("".join(pieces), first.start if first else None, first.end if first else None)


def moments(sentence: str, at: datetime) -> tuple[DatedMoment, ...]:
    """Return the times that a sentence names, in order, as far as they are certain given its tense.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    if at.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    return _moments(sentence, at.astimezone(UTC))


@lru_cache(maxsize=64)  # foresight examines the same sentences
def _moments(sentence: str, at: datetime) -> tuple[DatedMoment, ...]:
    words = plain(masked(sentence))
    for language in read(sentence).languages:
        heard = HeardClause(sentence, words, at, language)
        found = scan(words, at, _MODULES[language].rules()) if _MODULES[language].TRIGGER.search(words) else []
        kept = _told(heard, found)
        if kept:
            return _without_days_of_others(words, sorted(kept))
    return ()


def _told(heard: HeardClause, found: list[TimeMatch]) -> list[DatedMoment]:
    """Return the certain times; first those that say which one they mean, since the others may be inside them."""
    whole = _ranges(heard, found)
    whole = [one for one in whole if not _is_weekday_of(heard, one, whole)]
    bare = [one for one in whole if not is_anchored(heard.words[one.start : one.end], heard.language)]
    told = list(filter(None, (_certain(heard, one, []) for one in whole if one not in bare)))
    told += [DatedMoment(one.start, one.end, one.span, relative=True) for one in _ahead(heard, found)]
    units = list(filter(None, (_unit(heard, moment) for moment in told)))
    for one in bare:
        if moment := _certain(heard, one, units):
            told.append(moment._replace(span=_beside_day(heard, one, told) or moment.span))
    return told


def _is_weekday_of(heard: HeardClause, one: TimeMatch, found: list[TimeMatch]) -> bool:
    """Whether a time is the weekday of the date beside it: 8 Mayıs cuma günü."""
    around = (with_weekday(other, heard) for other in found if other is not one)
    return any(start <= one.start < end for start, end in around)


def _beside_day(heard: HeardClause, one: TimeMatch, told: list[DatedMoment]) -> CalendarSpan | None:
    """Resolve "the 17th" after April 14 to a day of the same month or the next."""
    read_, said = readings(heard.language), heard.words[one.start : one.end]
    before = [moment for moment in told if moment.finish <= one.start and _is_day(moment)]
    if not before or read_.period(said, _YEAR) != "month":
        return None
    last = max(before)
    if read_.period(_YEAR.sub("", heard.words[last.begin : last.finish]), _YEAR) != "year":
        return None
    day = last.span.start
    months = (spans.months(day.year, day.month + shift) for shift in (0, 1))
    same, later = (spans.only_one(one.span, "month", month) for month in months)
    return same if same and same.start > day else later


def _unit(heard: HeardClause, moment: DatedMoment) -> DatedMoment | None:
    """Return a relative time as the longer one that may contain others: next week for "Tuesday of next week"."""
    if not moment.relative:
        return None
    again, _ = _recurring(heard.language)
    said = heard.words[moment.begin : moment.finish]
    if _WEEK.search(said) and again.search(said) and _is_day(moment):
        return moment._replace(span=spans.week(moment.span.start.date()))
    return moment if spans.is_calendar_unit(moment.span) else None


def _ranges(heard: HeardClause, found: list[TimeMatch]) -> list[TimeMatch]:
    """Join pairs of times into ranges: from May 3 to May 10."""
    module = _MODULES[heard.language]
    bare = [not is_anchored(heard.words[one.start : one.end], heard.language) for one in found]
    whole: list[TimeMatch] = []
    place = 0
    while place < len(found):
        both = place + 1 < len(found) and bare[place] and bare[place + 1]
        ranged = _ranged(module.ranged, heard.words, found[place : place + 2]) if both else None
        whole.append(ranged or _opened(heard, found[place]))
        place += 2 if ranged else 1
    return whole


def _opened(heard: HeardClause, one: TimeMatch) -> TimeMatch:
    """Extend a range by the word that opens it: from 3 to 10 May."""
    is_range = JOINS.search(heard.words, one.start, one.end)
    return _MODULES[heard.language].opened(heard.words, one) if is_range else one


def _ranged(
    read_: Callable[[str, TimeMatch, TimeMatch], TimeMatch | None], words: str, two: list[TimeMatch]
) -> TimeMatch | None:
    try:
        return read_(words, *two)
    except (ValueError, OverflowError):  # 29 February of another year, or the end of the calendar
        return None


def _without_days_of_others(words: str, found: list[DatedMoment]) -> tuple[DatedMoment, ...]:
    """Drop a day beside a longer time that it belongs to: a year ago today, haftaya bugün."""

    def beside(one: DatedMoment, other: DatedMoment) -> bool:
        first, second = sorted((one, other))
        near = _BESIDE.fullmatch(words, first.finish, second.begin)
        is_within = other.span.start <= one.span.start and one.span.end <= other.span.end
        return near is not None and _is_day(one) and not _is_day(other) and not is_within

    return tuple(one for one in found if not any(beside(one, other) for other in found if other is not one))


def _is_day(moment: DatedMoment) -> bool:
    return moment.span.end - moment.span.start <= timedelta(days=1)


def _overlaps(one: TimeMatch, others: list[TimeMatch]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)


def _ahead(heard: HeardClause, others: list[TimeMatch]) -> list[TimeMatch]:
    """Find "in two weeks", haftaya, only in sentences about the future, since they also state durations."""
    if not any_of(f"tense/ahead.{heard.language}").search(heard.words) or not is_future(heard.sentence):
        return []
    found = scan(heard.words, heard.at, _ahead_rules(heard.language))
    return [one for one in found if not _overlaps(one, others) and not is_after_another(one, heard)]


@cache
def _ahead_rules(language: str) -> tuple[TimeRule, ...]:
    read_ = readings(language)
    count = rf"(?P<count>\d{{1,3}}|{one_of(read_.words('number'))})"

    def ahead(match: re.Match[str], now: datetime) -> CalendarSpan:
        name, number = read_.meaning("unit", match["unit"]), read_.number(match["count"])
        if name == "hour":
            return spans.days((now + timedelta(hours=number)).date())
        return spans.unit(name, now.date(), number)

    def next_unit(match: re.Match[str], now: datetime) -> CalendarSpan:
        return spans.unit("week" if match["unit"] == "haftaya" else "year", now.date(), 1)

    def part_of_unit(match: re.Match[str], now: datetime) -> CalendarSpan:
        """Resolve "the end of the month"; its beginning and middle mean the next month's if already begun."""
        name, number = read_.meaning("unit", match["unit"]), int(read_.meaning("part", match["part"]))
        here, later = (spans.third(spans.unit(name, now.date(), shift), number) for shift in (0, 1))
        return here if here.start > now or here.end == spans.unit(name, now.date()).end else later

    phase = rf"(?P<part>{one_of(read_.words('part'))})"
    if language == "tr":
        unit = r"(?P<unit>saat|gun|hafta|ay|yil|sene)"
        return (
            rule(rf"{count} {unit} (?:sonra|icinde)", ahead),
            rule(r"(?P<unit>haftaya|seneye)", next_unit),
            rule(
                rf"(?P<unit>ay|yil|sene)(?:in|nin)? {phase}(?:i|u|si)(?:n[a-z]{{0,4}})?(?: (?:kadar|dogru))?",
                part_of_unit,
            ),
        )
    unit = r"(?P<unit>hour|day|week|month|year)s?"
    return (
        rule(rf"in (?:about )?{count} {unit}(?:' time)?", ahead),
        rule(rf"{count} {unit} from (?:now|today)", ahead),
        rule(
            r"in a fortnight(?:'s time)?|a fortnight from (?:now|today)",
            lambda _, now: spans.unit("week", now.date(), 2),
        ),
        rule(rf"{phase} the (?P<unit>month|year)", part_of_unit),
    )


def _certain(heard: HeardClause, found: TimeMatch, units: list[DatedMoment]) -> DatedMoment | None:
    """Return a time if the sentence leaves no doubt; a habit, or a Friday without a tense, does."""
    said = heard.words[found.start : found.end]
    lead = heard.words[max(0, found.start - _LEAD_MAX) : found.start]
    if (any_of(f"tense/habit.{heard.language}").search(lead) and not _LED.match(said)) or any_of(
        f"tense/vague.{heard.language}"
    ).search(said):
        return None
    if _PLURAL.match(heard.words, found.end) or is_counted_from_another(found, heard):
        return None
    finish = found.end - said.endswith(".")
    if behind := _ENDING.match(heard.sentence, finish):
        finish = behind.end()
    if _YEAR.search(said):
        return DatedMoment(found.start, finish, found.span, relative=False)
    span = as_named(found, heard) if is_anchored(said, heard.language) else _in_unit(found, heard, units)
    return DatedMoment(found.start, finish, span, relative=True) if span else None


@cache
def _recurring(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of recurring times (weekdays, months, seasons), and of words that choose one (last, this)."""
    words = readings(language)
    again = one_of([*words.words("weekday"), *words.words("month"), *words.words("season")])
    again = "|".join((again, DAY_OF_MONTH, DAY_AND_MONTH))
    which = one_of([*words.words("which"), *lists.entries(f"tense/anchors.{language}")])
    return re.compile(rf"\b(?:{again})"), re.compile(rf"\b{which}\b")


def is_anchored(said: str, language: str) -> bool:
    """Whether an expression itself says which time is meant: last Friday, not on Friday."""
    again, which = _recurring(language)
    return not again.search(said) or which.search(said) is not None


def _in_unit(found: TimeMatch, heard: HeardClause, units: list[DatedMoment]) -> CalendarSpan | None:
    """Resolve a recurring time: the Tuesday of a named week, else the one given by the tense."""
    told = by_tense(found, heard)
    period = readings(heard.language).period(heard.words[found.start : found.end], _YEAR)
    named = _at_hand(heard, units, *bounds(found, heard))
    if not period or not named:
        return told
    unit = named[0]
    if len({one.span for one in named}) > 1:
        return None
    if _holds(unit.span, heard.at):
        return told if told and _holds(unit.span, told.start) else None
    within = spans.only_one(found.span, period, unit.span)
    if _is_told_of(found, heard, unit, period):
        return within
    if unit.begin > found.start:
        return told
    return within if within == told else None


def _at_hand(heard: HeardClause, units: list[DatedMoment], start: int, end: int) -> list[DatedMoment]:
    """Return the longer times of a clause that agree with its tense; without any, earlier ones that are not now."""
    beside = [unit for unit in units if start <= unit.begin < end]
    named = beside or [unit for unit in units if unit.begin < start and not _holds(unit.span, heard.at)]
    return [unit for unit in named if agrees(unit.span, heard.sentence[start:end], heard.at)]


def _is_told_of(found: TimeMatch, heard: HeardClause, unit: DatedMoment, period: str) -> bool:
    """Whether what happens is in the longer time, and that is not a thing's: on Friday next week's plan."""
    if unit.begin < bounds(found, heard)[0] and period != "week":
        return False
    lead = heard.words[max(0, unit.begin - _LEAD_MAX) : unit.begin]
    opens = not lead.strip(" ,;:") and heard.language == "en"  # next week's appointment is on Tuesday
    if _OF_ANOTHER.search(lead) or (_OWNS.search(heard.words, unit.begin, unit.finish) and not opens):
        return False
    between = heard.words[unit.finish : found.start]
    breaks = [cut.group() for cut in any_of(f"tense/clause-breaks.{heard.language}").finditer(between)]
    return all(map(GOES_ON.fullmatch, breaks)) and not _WEEK.search(between)


def _holds(span: CalendarSpan, at: datetime) -> bool:
    return span.start <= at < span.end


def iso(span: CalendarSpan) -> str:
    """Format a span in ISO 8601: 2026, 2026-03, 2026-03-04, or first and last day with a slash."""
    first, last = span.start.date(), (span.end - timedelta(microseconds=1)).date()
    if first == last:
        return first.isoformat()
    if last.year < MAXYEAR and (span.start, span.end) == spans.years(first.year):
        return f"{first.year:04}"
    if last.year < MAXYEAR and (span.start, span.end) == spans.months(first.year, first.month):
        return f"{first.year:04}-{first.month:02}"
    return f"{first.isoformat()}/{last.isoformat()}"


# From when a statement is true: "I moved to Izmir in May 2025" from May 2025.


_TOLD_BY_SINCE = frozenset({Kind.PREFERENCE, Kind.INSTRUCTION, Kind.PLAN})
"""Kinds that last: only "since" gives their beginning; other times are what they are about."""
_WORD = re.compile(r"[a-z']+")
_SPEAKERS = frozenset({"i", "we", "you", "they"})
_SUBJECTS = _SPEAKERS | {"he", "she", "it"}
_IS = frozenset({"am", "is", "are", "i'm", "we're", "you're", "they're", "he's", "she's", "it's"})
_HAD = frozenset({"has", "have", "had", "was", "were", "i've", "we've", "you've", "they've"})
_ASIDE = re.compile(r"which|who|that|while|if|though|although|[(]")
"""Words that begin a clause which describes something in another."""
_DESCRIBES = re.compile(r"\w[dt][iu]g[iu]\w*|\wy[ae]n\b|\ws[ae]yd[iu]")
"""Turkish verbs that describe the next noun or suppose: aldığım ev, taşınmayan komşu, taşınsaydım."""


class _Language(Protocol):
    def glue(self, plain: str, found: list[TimeMatch], now: datetime, /) -> TimeMatch:
        """Return the first time with words that govern it or join it to the next."""


_LANGUAGES: dict[str, _Language] = {"en": english, "tr": turkish}


def valid_from(text: str, at: datetime, kind: Kind) -> str:
    """Return from when a statement said ``at`` (aware) is true; "" if its words name no earlier time."""
    said = sentences(compose(text[:TEXT_MAX]))
    named = moments(said[0], at) if len(said) == 1 else ()
    if not named or is_future(said[0]):
        return ""
    now, language = at.astimezone(UTC), read(said[0]).languages[0]
    if is_conditional(said[0], language):
        return ""
    heard = HeardClause(said[0], plain(masked(said[0])), now, language)
    whole = _governed(heard, named)
    if whole is None or not EARLIEST < whole.span.start < now or whole.span.start.date() == now.date():
        return ""
    if whole.bounds:
        is_since = whole.span.start == named[0].span.start
        return iso(named[0].span if is_since else days(whole.span.start.date()))
    return iso(whole.span) if kind not in _TOLD_BY_SINCE and _tells_past(heard, whole) else ""


def _governed(heard: HeardClause, named: tuple[DatedMoment, ...]) -> TimeMatch | None:
    """Return the only time of a sentence with the words that govern it (since, until, from … to); None for several."""
    found = [TimeMatch(one.begin, one.finish, one.span) for one in named]
    try:
        whole = _LANGUAGES[heard.language].glue(heard.words, found, heard.at)
    except (ValueError, OverflowError):  # the range leaves the calendar
        return None
    return whole if whole.end >= found[-1].end else None


def _tells_past(heard: HeardClause, whole: TimeMatch) -> bool:
    """Whether a sentence reports a past event, and nothing that is true now."""
    start, end = bounds(whole, heard)
    cuts = list(any_of(f"tense/clause-breaks.{heard.language}").finditer(heard.words))
    if any(cut.end() == start and _ASIDE.search(cut.group()) for cut in cuts):
        return False
    begins, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(heard.words)]
    around = zip(begins, ends, strict=True)
    if any(_is_of_now(heard, begin, stop) for begin, stop in around if stop <= start or begin >= end):
        return False
    if not is_past(heard.sentence[start:end]):
        return False
    if heard.language == "tr":
        return _DESCRIBES.search(heard.words, whole.end, end) is None
    return _happened(_WORD.findall(heard.words[start:end]))


def _is_of_now(heard: HeardClause, start: int, end: int) -> bool:
    """Whether a clause beside the one with the time has a verb in another tense than the past."""
    words = heard.words[start:end]
    has_one = has_verb(words, heard.language) or not _IS.isdisjoint(_WORD.findall(words))
    return has_one and not is_past(heard.sentence[start:end])


def _happened(words: list[str]) -> bool:
    """Whether the first verb of an English clause is in the past tense, with no second subject after it."""
    first = next((place for place, word in enumerate(words) if word in _HAD or is_past_verb(word)), len(words))
    if any(_is_present(words, place) for place in range(first)):
        return False
    behind = list(zip(words[first + 1 :], words[first + 2 :], strict=False))
    return not any(word in _SUBJECTS and (after in _HAD or is_past_verb(after)) for word, after in behind)


def _is_present(words: list[str], place: int) -> bool:
    """Whether a word before the first past tense is a present verb: is, works, and live after I."""
    word = words[place]
    if word in _IS:
        return True
    if word in lists.words("verbs-third.en"):
        return place + 1 < len(words) and not is_past_verb(words[place + 1])
    return word in lists.words("verbs-base.en") and not _SPEAKERS.isdisjoint(words[max(0, place - 2) : place])
