"""Find the time window that a question is about, from "last week" or "7 Mayıs'ta"; and index terms of dates.

Weekends, feasts, the first week of a month, and days without a month are read only in questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from typing import TypeAlias

from reverie.errors import InvalidInput
from reverie.language.text import lists
from reverie.language.text.letters import compose, plain, turkish_evidence
from reverie.language.text.patterns import any_of as any_pattern_of
from reverie.language.text.patterns import labelled
from reverie.language.text.words import expression, stem
from reverie.language.time import english, spans, turkish
from reverie.language.time.dates import is_anchored
from reverie.language.time.rules import YEAR, Reading, Readings, TimeMatch, TimeRule, any_of, part, readings, rule, scan
from reverie.language.time.spans import CalendarSpan, coming
from reverie.types import TimeWindow

# Times read only in questions.


TRIGGERS = {
    "en": expression(
        r"\bthe\s+weekend\b|\bquarter\b|\b(?:first|second|third|fourth|fifth|last|final|[1-5](?:st|nd|rd|th))\s+\w+\s+"
        r"(?:of|in)\b|\b(?:between|from)\s+the\s+\d|\b(?:christmas|xmas|new\s+year|valentine|st\.?\s+patrick|halloween)"
    ),
    "tr": expression(
        r"\bhafta ?sonu|\bayin\s|\b(?:ilk|birinci|ikinci|ucuncu|dorduncu|besinci|son|sonuncu)\s+"
        r"(?:hafta|gun|yari|ceyre|pazar|sali|cars|pers|cuma)|\b(?:yilbasi|yeni yil|noel|sevgililer|\w+ bayram)"
    ),
}
"""Quick test: without one of these no rule matches."""

_LEAD_MAX = 30
_LEADS = {
    "weekend": expression(r"\b(?:over|at|on|during|since|before|after|until|till)\s+\Z"),
    "quarter": expression(r"\b(?:in|during|since|before|after|until|till)\s+\Z"),
    "feast": expression(r"\b(?:at|on|over|during|since|before|after|until|till|around)\s+(?:the\s+)?\Z"),
}
"""What must precede an English time that is otherwise ambiguous: the weekend may also be a topic."""
_FEAST_ENDS = expression(r"(?:(?P<from>n?d[ae]n)|(?P<to>n?[ay]?[ae])|(?<!yil)n?d[ae](?:ki)?)\Z")
"""Endings of a Turkish feast as a time, or as a bound with the next word; yeni yılda means in the new year."""
_BOUNDS = {
    "from": expression(r"\s+(?:beri|bu\s+yana|itibaren|once|evvel|sonra)\b"),
    "to": expression(r"\s+(?:kadar|dek|degin)\b"),
}
_LONG = {(12, 25), (1, 1)}
"""Feasts that include the day before and after."""
_NO_WEEKEND = expression(
    r"(?<!\w)(?:her|bir|bazi|cogu|butun|gecen|gectigimiz|onceki|evvelki|sonraki|bu|gelecek|onumuzdeki)\s+\Z"
)
"""Words before hafta sonu that mean a habit or are read by other rules."""
_OF_TIME = (
    r"(?:n?'?d[ae](?:ki)?|'?t[ae](?:ki)?|'?n?(?:[dt]an|[dt]en)(?= (?:beri|bu yana|itibaren|once|evvel|sonra))"
    r"|'?[ny]?[ae](?= (?:kadar|dek|degin)))"
)
"""Endings of a Turkish time: in it, from it on, up to it."""
_OWNED = r"'?s?[iu]"
_CASE = r"(?:n(?:daki|deki|dan|den|da|de|in|un|a|e))?"


@cache
def rules(language: str, *, ahead: bool) -> tuple[TimeRule, ...]:
    """Return the rules of a language; a recurring time is the next if the question looks ``ahead``, else the latest."""
    read = _Asked(language, ahead=ahead)
    return (*(_turkish if language == "tr" else _english)(read), *_feasts(read, language))


class _Asked:
    """Readings of times in questions of one language, looking ahead or back."""

    def __init__(self, language: str, *, ahead: bool) -> None:
        self.language = language
        self.words = readings(language)
        self.is_ahead = ahead

    def nearest(self, found: Iterable[CalendarSpan], now: datetime, *, ahead: bool | None = None) -> CalendarSpan:
        """Return the latest of recurring spans, in order, that has begun, or the next that is not over."""
        if self.is_ahead if ahead is None else ahead:
            fitting = [span for span in found if span.end > now][:1]
        else:
            fitting = [span for span in found if span.start <= now]
        if not fitting:
            raise ValueError("none is near")
        return fitting[-1]

    def each_year(self, made: Callable[[int], CalendarSpan], now: datetime) -> CalendarSpan:
        """Return the nearest of spans that recur every year."""
        return self.nearest((made(now.year + shift) for shift in (-1, 0, 1)), now)

    def piece(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """Return the span of "the first week of February", "the last Friday of April", "the second half of 2025"."""
        which, number = part(match, "which"), int(self.words.meaning("nth", match["nth"]))
        name = re.sub(r"\s+", " ", match["piece"])
        if part(match, "month"):
            month, year = int(self.words.meaning("month", match["month"])), self._year(match, now)
            if year:
                return _piece(spans.months(year, month), name, number, self.words)
            return self.each_year(lambda year: _piece(spans.months(year, month), name, number, self.words), now)
        if part(match, "unit") is None:
            return _piece(spans.years(int(match["year"])), name, number, self.words)
        unit = self.words.meaning("unit", match["unit"])
        shifts = [int(self.words.meaning("which", which))] if which else [-1, 0, 1]
        found = [_piece(spans.unit(unit, now.date(), shift), name, number, self.words) for shift in shifts]
        return found[0] if which else self.nearest(found, now)

    def quarter(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """Return the span of "in the first quarter", but not of a game."""
        if any_pattern_of(f"question/quarter-not.{self.language}").search(match.string):
            return None
        number = int(self.words.meaning("nth", match["nth"]))
        if number < 0 and "year" not in match[0]:
            return None  # the last quarter is the previous one, not the fourth
        number %= 5
        return self.each_year(lambda year: spans.months(year, 3 * number - 2, 3), now) if number else None

    def weekend(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "over the weekend"."""
        return self.nearest((spans.unit("weekend", now.date(), shift) for shift in (-1, 0, 1)), now)

    def days(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """Return the span of "between the 12th and the 15th", ayın yirmisinde: in the named or the nearest month."""
        last = self.words.number(match["day"])
        first = self.words.number(part(match, "first") or match["day"])
        if not 0 < first <= last:
            return None
        which = part(match, "which")
        shifts = [int(self.words.meaning("which", which))] if which else range(-2, 3)
        months = (spans.unit("month", now.date(), shift) for shift in shifts)
        found = [_days(month.start.date(), first, last) for month in months if last <= _length(month)]
        return found[0] if which and found else self.nearest(found, now)

    def feast(self, month: int, day: int, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "at Christmas", yılbaşında, "last Christmas"; "on Christmas day" is that day alone."""
        slack = int((month, day) in _LONG and not re.search(r"day\b", match[0]))

        def made(year: int) -> CalendarSpan:
            return spans.days(date(year, month, day) - timedelta(days=slack), 1 + 2 * slack)

        if year := part(match, "year"):
            return made(int(year))
        if which := part(match, "which"):
            shift = int(self.words.meaning("which", which))
            around = (made(now.year + step) for step in (-1, 0, 1))
            return self.nearest(around, now, ahead=shift > 0) if shift else made(now.year)
        return self.each_year(made, now)

    def _year(self, match: re.Match[str], now: datetime) -> int | None:
        if whose := part(match, "whose"):
            return now.year + int(self.words.meaning("which", whose))
        year = part(match, "year")
        return int(year) if year else None


_SHARES = {"half": 2, "quarter": 4}
_LENGTHS = {"week": 7, "day": 1}


def _piece(whole: CalendarSpan, name: str, number: int, words: Readings) -> CalendarSpan:
    """Return a part of a month or year by number, −1 for the last. Weeks are counted in sevens from its first day."""
    first, length = whole.start.date(), (whole.end - whole.start).days
    kind = words.meaning("piece", name) if name in words.words("piece") else ""
    if kind in _SHARES:
        return _share(whole, _SHARES[kind], number)
    if kind in _LENGTHS:
        size = _LENGTHS[kind]
        if number < 0 and kind == "week":
            raise ValueError("the last week may be the calendar's or seven days")
        start = length - size if number < 0 else size * (number - 1)
    else:
        size, weekday = (2, 5) if kind == "weekend" else (1, int(words.meaning("weekday", name)))
        begins = range((weekday - first.weekday()) % 7, length, 7)
        start = begins[number if number < 0 else number - 1] if number <= len(begins) else length
    if not 0 <= start < length:
        raise ValueError(f"no {number}. {name}")
    return spans.days(first + timedelta(days=start), min(size, length - start) if kind == "week" else size)


def _share(whole: CalendarSpan, count: int, number: int) -> CalendarSpan:
    """Return a half or quarter of a year, or a half of a month."""
    number = count if number < 0 else number
    first, is_year = whole.start.date(), (whole.end - whole.start).days > 31
    if number > count or (count > 2 and not is_year):
        raise ValueError("no such part")
    if is_year:
        return spans.months(first.year, 1 + (number - 1) * 12 // count, 12 // count)
    half = spans.midnight(first.replace(day=16))
    return CalendarSpan(whole.start, half) if number == 1 else CalendarSpan(half, whole.end)


def _days(month: date, first: int, last: int) -> CalendarSpan:
    return spans.days(month.replace(day=first), last - first + 1)


def _length(month: CalendarSpan) -> int:
    return (month.end - month.start).days


def _after(name: str, read: Reading) -> Reading:
    """Restrict a reading to times after certain words."""

    def led(match: re.Match[str], now: datetime) -> CalendarSpan | None:
        lead = match.string[max(0, match.start() - _LEAD_MAX) : match.start()]
        return read(match, now) if _LEADS[name].search(lead) else None

    return led


def _parts(words: Readings) -> tuple[str, str, str, str, str]:
    """Return pattern parts for both languages: month, which one, ordinal, piece, and year."""
    month, which = any_of(words.words("month")), any_of(words.words("which"))
    nth = rf"(?P<nth>{any_of(words.words('nth'))})"
    piece = rf"(?P<piece>{any_of([*words.words('piece'), *words.words('weekday')])})"
    return month, which, nth, piece, rf"(?P<year>{YEAR})"


def _english(read: _Asked) -> list[TimeRule]:
    month, which, nth, piece, year = _parts(read.words)
    whose = rf"(?:(?:, ?| | of ){year}|,? (?:of )?(?P<whose>last|previous|this|next) year)"
    th = r"st|nd|rd|th"
    after = rf"(?=\s*(?:$|[.,;:!?)]|(?:{lists.alternatives('after-day.en')})\b))"
    of_unit = rf"(?:(?P<which>{which})|the) (?P<unit>month|year)"
    return [
        rule(rf"(?:the )?{nth} {piece} (?:of|in) (?:(?P<month>{month}){whose}?|{of_unit})", read.piece),
        rule(rf"(?:the )?{nth} {piece} (?:of|in) {year}", read.piece),
        rule(rf"the {nth} quarter(?: of the year)?(?! of)", _after("quarter", read.quarter)),
        rule(r"the weekend(?! (?:of|before|after|following)\b)", _after("weekend", read.weekend)),
        rule(
            rf"(?:between|from) the (?P<first>\d{{1,2}})(?:{th})? (?:and|to|until|till|through) (?:the )?"
            rf"(?P<day>\d{{1,2}})(?:{th})?{after}",
            read.days,
        ),
    ]


def _turkish(read: _Asked) -> list[TimeRule]:
    month, which, nth, piece, year = _parts(read.words)
    of = r"'?(?:nin|nun|in|un)"
    in_year = rf"(?:{year}(?:{of})?(?: (?:yilinin|yili|senesinin))?|(?P<whose>{which}) (?:yil|sene)(?:in|nin)?)"
    of_unit = rf"(?:(?P<which>{which}) )?(?P<unit>ay|yil|sene)(?:in|nin)"
    owner = rf"(?:(?:{in_year} )?(?P<month>{month})(?:{of}| ayinin)|{of_unit})"
    number = any_of(read.words.words("number"))
    first, day = (rf"(?P<{name}>\d{{1,2}}|{number}){_OWNED}" for name in ("first", "day"))
    asks = r"(?= (?:ne|nere\w*|kim\w*|hangi\w*|nasil|kac|neler\w*|m[iu]\w*)\b)"
    return [
        rule(rf"{owner} {nth} {piece}(?:s?[iu])?{_CASE}", read.piece),
        rule(rf"{year}(?:{of}| yilinin|{of} yilinin) {nth} {piece}{_CASE}", read.piece),
        rule(rf"{nth} ceyrek(?:{_OF_TIME})", read.quarter),
        rule(rf"hafta ?sonu(?:{_OF_TIME}|{asks}|(?=\W*$))", partial(_bare_weekend, read)),
        rule(
            rf"(?:(?P<which>{which}) )?ayin {first}(?:yl[ae]|ndan|nden)?(?: (?:ile|ve))? (?:ayin )?{day}"
            r"(?: aras[a-z]+|n[ae] (?:kadar|dek|degin))",
            read.days,
        ),
        rule(rf"(?:(?P<which>{which}) )?ayin (?P<day>{number}){_OWNED}{_CASE}", read.days),
    ]


def _bare_weekend(read: _Asked, match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of hafta sonunda, but not her hafta sonu or geçen hafta sonu."""
    lead = match.string[max(0, match.start() - _LEAD_MAX) : match.start()]
    return None if _NO_WEEKEND.search(lead) else read.weekend(match, now)


def _feasts(read: _Asked, language: str) -> list[TimeRule]:
    """Return rules for the feasts in the list, with last, this, next or a year."""
    which = rf"(?P<which>{any_of(read.words.words('which'))})"
    before, behind = rf"(?:(?<!\w){which}\s+)?", rf"(?:,?\s+(?:of\s+|in\s+)?(?P<year>{YEAR}))?(?!\w)"
    if language == "tr":
        before, behind = rf"(?:(?<!\w)(?:{which}|(?P<year>{YEAR})(?:'?(?:nin|nun|in|un))?)\s+)?", r"(?:'[a-z]+)?"
    is_time = _is_turkish_feast if language == "tr" else _is_english_feast

    def reading(label: str) -> Reading:
        month, day = map(int, label.split("-"))
        return lambda match, now: read.feast(month, day, match, now) if is_time(match) else None

    listed = labelled(f"foresight/feasts.{language}")
    return [TimeRule(re.compile(f"{before}(?:{form.pattern}){behind}"), reading(label)) for label, form in listed]


def _is_english_feast(match: re.Match[str]) -> bool:
    lead = match.string[max(0, match.start() - _LEAD_MAX) : match.start()]
    return bool(match["which"] or match["year"] or _LEADS["feast"].search(lead))


def _is_turkish_feast(match: re.Match[str]) -> bool:
    ends = _FEAST_ENDS.search(match[0])
    if ends is None:
        return False
    return ends.lastgroup is None or _BOUNDS[ends.lastgroup].match(match.string, match.end()) is not None


# Times in any question.


_TEXT_MAX = 2000
"""Number of characters examined."""
_CERTAIN = 2
_YEAR = expression(YEAR)
_Glue: TypeAlias = Callable[[str, list[TimeMatch], datetime], TimeMatch]


def without_bound(text: str, now: datetime) -> tuple[str, TimeWindow | None]:
    """Return a text and the time window it names, or None; of several times the first.

    ``now`` is aware; days, weeks (from Monday), months and years are those of UTC. A month or day without a year is the
    latest one not after now, but the next one if the text asks about the future.

    Words that name a bound of the window are removed from the text: a question about the time before 2026 is not about
    2026.

    Raises:
        InvalidInput: ``now`` has no time zone.
    """
    read = compose(text[:_TEXT_MAX])
    window, found = _read(read, now)
    if found is None or not found.bounds:
        return text, window
    return f"{read[: found.start]} {read[found.end :]}{text[_TEXT_MAX:]}", window


def _read(text: str, now: datetime) -> tuple[TimeWindow | None, TimeMatch | None]:
    """Return the window, and the place of the words that name it."""
    if now.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    evidence = turkish_evidence(text)
    words = plain(text)
    moment = now.astimezone(UTC)
    for language in (turkish, english) if evidence > 0 else (english, turkish):
        name = "tr" if language is turkish else "en"
        if language.TRIGGER.search(words) and (found := scan(words, moment, _rules(words, name))):
            whole = _whole(words, _ahead(words, found, moment, name), language.glue, moment)
            return _window(text, whole), whole
        if abs(evidence) >= _CERTAIN:
            break
    return None, None


def _rules(words: str, language: str) -> tuple[TimeRule, ...]:
    """Return the rules for a question: those for questions alone, then the general ones."""
    known: tuple[TimeRule, ...] = turkish.rules() if language == "tr" else english.rules()
    if not TRIGGERS[language].search(words):
        return known
    return (*rules(language, ahead=_looks_ahead(words, language)), *known)


def _looks_ahead(words: str, language: str) -> bool:
    """Whether a question is about the future."""
    is_past = any_pattern_of(f"tense/past.{language}").search(words) is not None
    return not is_past and any_pattern_of(f"question/asks-ahead.{language}").search(words) is not None


def _ahead(words: str, found: list[TimeMatch], now: datetime, language: str) -> list[TimeMatch]:
    """Move recurring times to the next one, instead of the last, if the question is about the future."""
    if not _looks_ahead(words, language):
        return found

    def moved(one: TimeMatch) -> TimeMatch:
        said = words[one.start : one.end]
        period = "" if is_anchored(said, language) else readings(language).period(said, _YEAR)
        span = coming(one.span, period) if period and one.span.end <= now else None
        return one._replace(span=span) if span else one

    return [moved(one) for one in found]


def _window(text: str, found: TimeMatch | None) -> TimeWindow | None:
    return TimeWindow(found.span.start, found.span.end, text[found.start : found.end].strip()) if found else None


def _whole(words: str, found: list[TimeMatch], glue: _Glue, now: datetime) -> TimeMatch | None:
    """Return the first expression with its range; one with a year precedes those relative to now."""
    try:
        return _preferred(words, found, glue, now)
    except (ValueError, OverflowError):  # the range leaves the calendar
        return None


def _preferred(words: str, found: list[TimeMatch], glue: _Glue, now: datetime) -> TimeMatch:
    first = glue(words, found, now)
    if not _YEAR.search(words, first.start, first.end):
        for place, other in enumerate(found):
            if _YEAR.search(words, other.start, other.end):
                return glue(words, found[place:], now)
    return first


def date_terms(at: datetime, language: str) -> list[str]:
    """Return day, name of the month and year as index terms, so that "7 May 2023" finds what was said then."""
    name = lists.table(f"time-words.{'tr' if language == 'tr' else 'en'}")[f"month {at.month}"][0]
    return [str(at.day), stem(name, language), str(at.year)]
