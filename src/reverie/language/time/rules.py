"""Read time expressions by rules of a pattern and a reading, and provide readings shared by both languages.

Rules are tried in order; words already read are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from functools import cache
from typing import NamedTuple, TypeAlias

from reverie.language.text import lists
from reverie.language.text.letters import fold, lower
from reverie.language.text.words import expression
from reverie.language.time import spans
from reverie.language.time.spans import CalendarSpan, days, latest_date

YEAR = r"(?:19|20)\d\d"
_ISO_DAY = expression(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)")
_NUMERIC_DAY = expression(r"(?<![\w./:-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![^\W_]|[./:-]\d)")
FIGURES = expression(r"(?<![\w./:,$€£₺-])(?P<one>\d\d?)(?P<sign>[./])(?P<two>\d\d?)(?![^\W_]|[./:,-]?\d|\s?[%°])")
"""12.06, 4/25: a day and month, or something else."""
_AS_DATE = expression(r"\d\d?\.0[1-9]|\d\d\.1[0-2]")
"""12.06, 5.06, 12.12, but not 3.12."""
_ROUND_THE_CLOCK = ("24/7", "7/24")
_VERSION = expression(r"\b(?:version|surum|release|rev|no|v)\W{0,2}$")

Reading: TypeAlias = Callable[[re.Match[str], datetime], CalendarSpan | None]


class TimeRule(NamedTuple):
    """A pattern and its reading, which returns the span at a time; None or a ValueError means no time."""

    pattern: re.Pattern[str]
    read: Reading


class TimeMatch(NamedTuple):
    """An expression in the folded text from ``start`` to ``end``, and the span it names.

    ``bounds``: the words name a bound of the span, not its content: before March, mayıstan beri.
    """

    start: int
    end: int
    span: CalendarSpan
    bounds: bool = False


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for one of the words, longest first."""
    escaped = (re.escape(word).replace("\\ ", " ") for word in sorted(words, key=len, reverse=True))
    return "(?:" + "|".join(escaped) + ")"


def rule(pattern: str, read: Reading) -> TimeRule:
    """Create a rule from a pattern of whole words, in which a blank matches any white space."""
    spaced = pattern.replace(" ", r"\s+")
    return TimeRule(re.compile(rf"(?<![\w'])(?:{spaced})(?!\w)"), read)


def scan(plain: str, now: datetime, rules: Iterable[TimeRule]) -> list[TimeMatch]:
    """Return all times that the rules find, in order of the text; of overlapping ones the earlier rule wins."""
    found: list[TimeMatch] = []
    for pattern, read in rules:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if any(start < other.end and other.start < end for other in found):
                continue
            span = _attempt(read, match, now)
            if span is not None:
                found.append(TimeMatch(start, end, span))
    return sorted(found)


def _attempt(read: Reading, match: re.Match[str], now: datetime) -> CalendarSpan | None:
    try:
        return read(match, now)
    except (ValueError, OverflowError):  # 31 June, the year 0, ten million years ago: no such time
        return None


def numeric_rules(*, month_first: bool) -> list[TimeRule]:
    """Return rules for 2023-05-07, 07.05.2023, 5/7/2023; the day is first, except maybe with slashes if
    ``month_first``.
    """

    def numeric_day(match: re.Match[str], now: datetime) -> CalendarSpan | None:
        first, sign, second, year = match.groups()
        if len(year) == 2 and (sign == "-" or (sign == "." and len(first + second) < 4)):
            return None  # 3.5.24 may be a version
        if _VERSION.search(match.string[: match.start()]):
            return None
        full = int(year) if len(year) == 4 else _full_year(int(year), now)
        day_first, month_leads = (full, int(second), int(first)), (full, int(first), int(second))
        if sign == "/" and month_first:
            return days(_likely([month_leads, day_first], now.date()))
        return days(date(*(day_first if int(second) <= 12 else month_leads)))

    return [TimeRule(_ISO_DAY, _iso_day), TimeRule(_NUMERIC_DAY, numeric_day)]


def day_and_month(match: re.Match[str], now: datetime, *, day_first: bool) -> CalendarSpan | None:
    """Return the latest such day; with a slash, unless ``day_first``, only if one number can be no month."""
    said, (one, two) = match[0][: match.end("two") - match.start()], (int(match["one"]), int(match["two"]))
    if _VERSION.search(match.string[: match.start()]) or said in _ROUND_THE_CLOCK:
        return None
    if match["sign"] == ".":
        day_first = _AS_DATE.fullmatch(said) is not None
    if not day_first and (match["sign"] == "." or (one <= 12 and two <= 12)):
        return None
    day, month = (one, two) if two <= 12 else (two, one)
    return days(latest_date(month, day, now.date())) if 1 <= month <= 12 and day else None


def _likely(ways: list[tuple[int, int, int]], today: date) -> date:
    """Return the first order of year, month and day that gives a date not after today, else any date."""
    dates = [date(*way) for way in ways if way[1] <= 12 and way[2] <= 31]
    if not dates:
        raise ValueError("neither way is a date")
    return next((day for day in dates if day <= today), dates[0])


def _iso_day(match: re.Match[str], _now: datetime) -> CalendarSpan:
    return days(date(int(match[1]), int(match[3]), int(match[4])))


def _full_year(two_digits: int, now: datetime) -> int:
    """Return the latest such year at most ten years ahead."""
    year = now.year - now.year % 100 + two_digits
    return year - 100 if year > now.year + 10 else year


# Readings.


DAY_OF_MONTH = r"(?:(?:ayin|on the|by the|to the|for the) \d|\d{1,2}'?s?[iu]nd[ae]\b)"
"""A day without a month, the 15th, ayın 15'inde, 15'inde."""
DAY_AND_MONTH = r"(?<![\w./])\d\d?[./]\d\d?(?![./]?\d)"
"""12.06, 25/4."""
_DAY_AND_MONTH = re.compile(DAY_AND_MONTH)
_DAY_OF_MONTH = re.compile(rf"\b{DAY_OF_MONTH}")
_FIGURE = re.compile(r"\d")


class Readings:
    """Readings of one language. Each takes a match and the current time, and returns the span meant."""

    def __init__(self, language: str) -> None:
        table = lists.table(f"time-words.{language}")
        self._words = {
            (key.partition(" ")[0], fold(lower(word, language))): key.partition(" ")[2]
            for key, words in table.items()
            for word in words
        }

    def words(self, kind: str) -> list[str]:
        """Return the folded words of a kind (month, weekday, season, number, unit, which, day, part, lately)."""
        return [word for of_kind, word in self._words if of_kind == kind]

    def meaning(self, kind: str, word: str) -> str:
        """Return the meaning of a word of a kind, from the data file."""
        return self._words[kind, re.sub(r"\s+", " ", word)]

    def day_of_month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "7 May", in its year or the latest."""
        month, day = self._month(match["month"]), self._day(match["day"])
        year = self._year(match, now)
        return spans.days(date(year, month, day) if year else spans.latest_date(month, day, now.date()))

    def days_of_month(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """Return the span of "3 to 5 June"."""
        last = self.day_of_month(match, now).start.date()
        first = last.replace(day=int(match["first"]))
        return spans.days(first, (last - first).days + 1) if first <= last else None

    def month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "May", in its year or the latest that has begun."""
        month = self._month(match["month"])
        return spans.months(self._year(match, now) or spans.latest_year_of(month, now.date()), month)

    def months(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """Return the span of "May to July", the later one as by ``month``."""
        last = self.month(match, now)
        first, year = self._month(match["from"]), last.start.year
        begin = part(match, "start")
        start = spans.months(int(begin) if begin else year - (first > last.start.month), first).start
        return CalendarSpan(start, last.end) if start < last.start else None

    def years(self, match: re.Match[str], _now: datetime) -> CalendarSpan | None:
        """Return the span of "2019 to 2021"."""
        first, last = int(match["from"]), int(match["year"])
        return spans.years(first, last - first + 1) if first < last else None

    def year(self, match: re.Match[str], _now: datetime) -> CalendarSpan:
        """Return the span of "2022"."""
        return spans.years(int(match["year"]))

    def decade(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "the 1990s", "the 90s"."""
        digits = int(match["decade"])
        year = digits if digits > 99 else now.year - now.year % 100 + digits
        return spans.years(year if year <= now.year else year - 100, 10)

    def quarter(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "Q2 2023"."""
        first = 3 * int(match["quarter"]) - 2
        return spans.months(self._year(match, now) or spans.latest_year_of(first, now.date()), first, 3)

    def part(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of the beginning, middle or end of a month or year."""
        if unit := part(match, "unit"):
            whole = spans.unit(self.meaning("unit", unit), now.date(), self._which(match))
        elif part(match, "month"):
            whole = self.month(match, now)
        else:
            whole = self.year(match, now)
        return spans.third(whole, int(self.meaning("part", match["part"])))

    def season(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "summer": of a year, the last, this or next one; else the latest that has begun."""
        number = int(self.meaning("season", match["season"]))
        if year := self._year(match, now):
            return spans.season(year, number)
        which = {-1: "last", 0: "this", 1: "next"}[self._which(match)] if part(match, "which") else "latest"
        return spans.which_season(number, now, which)

    def which_unit(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "last week"."""
        return spans.unit(self.meaning("unit", match["unit"]), now.date(), self._which(match))

    def beyond(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "the week before last": one unit before (or ``after``) the ``which`` one."""
        step = 1 if part(match, "after") else -1
        return spans.unit(self.meaning("unit", match["unit"]), now.date(), self._which(match) + step)

    def day_of_unit(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "the Friday of last week", "the 5th of this month"; without a month, the latest 5th."""
        today, day = now.date(), part(match, "day")
        if day and not part(match, "which"):
            return spans.days(spans.latest_day(int(day), today))
        first = spans.unit(self.meaning("unit", match["unit"]), today, self._which(match)).start.date()
        if day is None:
            return spans.days(first + timedelta(days=int(self.meaning("weekday", match["weekday"]))))
        return spans.days(first.replace(day=int(day)))

    def day_of_next_week(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of the Friday of next week."""
        first = spans.unit("week", now.date(), 1).start.date()
        return spans.days(first + timedelta(days=int(self.meaning("weekday", match["weekday"]))))

    def which_month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "last May": the last one that is over."""
        return spans.which_month(self._month(match["month"]), now.date(), self._which(match))

    def weekday(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of a weekday: last before today, this in this week, next after today; else the latest."""
        which = {-1: "last", 0: "this", 1: "next"}[self._which(match)] if part(match, "which") else "latest"
        return spans.days(spans.weekday(int(self.meaning("weekday", match["weekday"])), now.date(), which))

    def rolling(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "the last three weeks", including today."""
        return spans.rolling(
            self.meaning("unit", match["unit"]), now.date(), self.number(part(match, "count") or "") or 1
        )

    def lately(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "in the last weeks"."""
        unit, count = self.meaning("lately", match["lately"]).split()
        return spans.rolling(unit, now.date(), int(count))

    def other_day(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "the other day": within a week."""
        return spans.rolling("week", now.date(), 1)

    def ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "two weeks ago"."""
        return spans.ago(self.meaning("unit", match["unit"]), now, self.number(match["count"]))

    def half_ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "half an hour ago", "two and a half years ago"."""
        return spans.half_ago(self.meaning("unit", match["unit"]), now, self.number(part(match, "count") or ""))

    def fortnight_ago(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "a fortnight ago"."""
        return spans.ago("week", now, 2)

    def last_fortnight(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "over the last fortnight"."""
        return spans.rolling("week", now.date(), 2)

    def month_ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "three years ago in March"."""
        return spans.months(now.year - self.number(match["count"]), self._month(match["month"]))

    def from_day(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "a week from tomorrow" or, without the group ``after``, "two days before yesterday"."""
        day = now.date() + timedelta(days=int(self.meaning("day", match["word"])))
        count = self.number(match["count"])
        return spans.unit(self.meaning("unit", match["unit"]), day, count if match["after"] else -count)

    def day_word(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "yesterday"."""
        return spans.days(now.date() + timedelta(days=int(self.meaning("day", match["word"]))))

    def period(self, text: str, year: re.Pattern[str]) -> str:
        """Return how often an expression recurs: never ("") with a year, else by week, year or month (the 20th).

        A date with its weekday (Friday, May 8; Friday the 8th) recurs by year or month.
        """
        if year.search(text):
            return ""
        is_of_week = any(word in text for word in self.words("weekday"))
        if is_of_week and not _FIGURE.search(text):
            return "week"
        if any(word in text for word in self.words("month")) or _DAY_AND_MONTH.search(text):
            return "year"
        if is_of_week:
            return "month"
        return "month" if _DAY_OF_MONTH.search(text) else ""

    def weekday_named(self, text: str) -> int | None:
        """Return the first weekday that a text names, 0 for Monday."""
        named = re.search(rf"\b{any_of(self.words('weekday'))}", text)
        return int(self.meaning("weekday", named[0])) if named else None

    def day_beside_weekday(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "Friday the 13th": the latest 13th, whatever its weekday."""
        return spans.days(spans.latest_day(int(match["day"]), now.date()))

    def weeks_from(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Return the span of "a week from Friday": so many weeks after the next Friday."""
        first = spans.weekday(int(self.meaning("weekday", match["weekday"])), now.date(), "next")
        return spans.days(first + timedelta(weeks=self.number(part(match, "count") or "") or 1))

    def _day(self, word: str) -> int:
        """Return a day of the month, from digits or words."""
        ordinal = self._words.get(("ordinal", re.sub(r"\s+", " ", word)))
        return int(ordinal) if ordinal else self.number(word)

    def _month(self, word: str) -> int:
        return int(self.meaning("month", word))

    def number(self, word: str) -> int:
        """Return a number from digits or words; 0 if it is neither."""
        return int(word) if word.isdecimal() else int(self._words.get(("number", re.sub(r"\s+", " ", word)), "0"))

    def _year(self, match: re.Match[str], now: datetime) -> int | None:
        """Return the named year, from a number or "last year"."""
        if whose := part(match, "whose"):
            return now.year + int(self.meaning("which", whose))
        year = part(match, "year")
        return int(year) if year else None

    def _which(self, match: re.Match[str]) -> int:
        word = part(match, "which")
        return int(self.meaning("which", word)) if word else 0


@cache
def readings(language: str) -> Readings:
    """Return the readings of a language, created once."""
    return Readings(language)


def part(match: re.Match[str], name: str) -> str | None:
    """Return a named group; None also if the pattern has no such group."""
    value: str | None = match.groupdict().get(name)
    return value
