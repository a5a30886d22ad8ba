"""How time expressions are read: rules of a pattern and a reading, and the readings that both languages share.

Rules are tried in order; words already read are left alone.
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

# How time expressions are read: rules of a pattern and a reading, tried in order, the words already read left alone.


YEAR = r"(?:19|20)\d\d"
_ISO_DAY = expression(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)")
_NUMERIC_DAY = expression(r"(?<![\w./:-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![^\W_]|[./:-]\d)")
FIGURES = expression(r"(?<![\w./:,$€£₺-])(?P<one>\d\d?)(?P<sign>[./])(?P<two>\d\d?)(?![^\W_]|[./:,-]?\d|\s?[%°])")
"""12.06, 4/25: a day and a month, or something else."""
_AS_DATE = expression(r"\d\d?\.0[1-9]|\d\d\.1[0-2]")
"""12.06, 5.06, 12.12, but not 3.12."""
_ROUND_THE_CLOCK = ("24/7", "7/24")
_VERSION = expression(r"\b(?:version|surum|release|rev|no|v)\W{0,2}$")

Reading: TypeAlias = Callable[[re.Match[str], datetime], CalendarSpan | None]


class TimeRule(NamedTuple):
    """A pattern and what its match means at a moment; None or a ValueError: nothing after all."""

    pattern: re.Pattern[str]
    read: Reading


class TimeMatch(NamedTuple):
    """An expression at ``start`` … ``end`` of the plain text, and the span it names.

    ``bounds``: its words name a bound of the span and not what lies in it: before March, mayıstan beri.
    """

    start: int
    end: int
    span: CalendarSpan
    bounds: bool = False


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first."""
    escaped = (re.escape(word).replace("\\ ", " ") for word in sorted(words, key=len, reverse=True))
    return "(?:" + "|".join(escaped) + ")"


def rule(pattern: str, read: Reading) -> TimeRule:
    """Compile a rule; a blank in its pattern matches any white space, and only whole words match."""
    spaced = pattern.replace(" ", r"\s+")
    return TimeRule(re.compile(rf"(?<![\w'])(?:{spaced})(?!\w)"), read)


def scan(plain: str, now: datetime, rules: Iterable[TimeRule]) -> list[TimeMatch]:
    """Everything the rules find, in the order of the text; an earlier rule wins where two overlap."""
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
    """2023-05-07, 07.05.2023, 5/7/2023. With points the day is first; ``month_first``: maybe not with slashes."""

    def numeric_day(match: re.Match[str], now: datetime) -> CalendarSpan | None:
        first, sign, second, year = match.groups()
        if len(year) == 2 and (sign == "-" or (sign == "." and len(first + second) < 4)):
            return None  # 3.5.24 is as likely a version
        if _VERSION.search(match.string[: match.start()]):
            return None
        full = int(year) if len(year) == 4 else _full_year(int(year), now)
        day_first, month_leads = (full, int(second), int(first)), (full, int(first), int(second))
        if sign == "/" and month_first:
            return days(_likely([month_leads, day_first], now.date()))
        return days(date(*(day_first if int(second) <= 12 else month_leads)))

    return [TimeRule(_ISO_DAY, _iso_day), TimeRule(_NUMERIC_DAY, numeric_day)]


def day_and_month(match: re.Match[str], now: datetime, *, day_first: bool) -> CalendarSpan | None:
    """The latest such day; with a slash, unless ``day_first``, only where one of the numbers can be no month."""
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
    """Of the ways to read year, month and day the first that is a date and not after today, or else is a date."""
    dates = [date(*way) for way in ways if way[1] <= 12 and way[2] <= 31]
    if not dates:
        raise ValueError("neither way is a date")
    return next((day for day in dates if day <= today), dates[0])


def _iso_day(match: re.Match[str], _now: datetime) -> CalendarSpan:
    return days(date(int(match[1]), int(match[3]), int(match[4])))


def _full_year(two_digits: int, now: datetime) -> int:
    """The latest such year that is not more than ten years ahead."""
    year = now.year - now.year % 100 + two_digits
    return year - 100 if year > now.year + 10 else year


# What the parts of a time expression mean: readings that both languages share, over the time words of one of them.


DAY_OF_MONTH = r"(?:(?:ayin|on the|by the|to the|for the) \d|\d{1,2}'?s?[iu]nd[ae]\b)"
"""A day of no month that is named, the 15th, ayın 15'inde, 15'inde."""
DAY_AND_MONTH = r"(?<![\w./])\d\d?[./]\d\d?(?![./]?\d)"
"""12.06, 25/4."""
_DAY_AND_MONTH = re.compile(DAY_AND_MONTH)
_DAY_OF_MONTH = re.compile(rf"\b{DAY_OF_MONTH}")
_FIGURE = re.compile(r"\d")


class Readings:
    """The readings of one language. Each takes a match and the current moment and gives the span meant."""

    def __init__(self, language: str) -> None:
        table = lists.table(f"time-words.{language}")
        self._words = {
            (key.partition(" ")[0], fold(lower(word, language))): key.partition(" ")[2]
            for key, words in table.items()
            for word in words
        }

    def words(self, kind: str) -> list[str]:
        """The words of a kind (month, weekday, season, number, unit, which, day, part, lately), without diacritics."""
        return [word for of_kind, word in self._words if of_kind == kind]

    def meaning(self, kind: str, word: str) -> str:
        """What a word of a kind means, as the data file says it."""
        return self._words[kind, re.sub(r"\s+", " ", word)]

    def day_of_month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """7 May, with its year or the latest."""
        month, day = self._month(match["month"]), self._day(match["day"])
        year = self._year(match, now)
        return spans.days(date(year, month, day) if year else spans.latest_date(month, day, now.date()))

    def days_of_month(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """3 to 5 June."""
        last = self.day_of_month(match, now).start.date()
        first = last.replace(day=int(match["first"]))
        return spans.days(first, (last - first).days + 1) if first <= last else None

    def month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """May, with its year or the latest that has begun."""
        month = self._month(match["month"])
        return spans.months(self._year(match, now) or spans.latest_year_of(month, now.date()), month)

    def months(self, match: re.Match[str], now: datetime) -> CalendarSpan | None:
        """May to July, the later one as in ``month``."""
        last = self.month(match, now)
        first, year = self._month(match["from"]), last.start.year
        begin = part(match, "start")
        start = spans.months(int(begin) if begin else year - (first > last.start.month), first).start
        return CalendarSpan(start, last.end) if start < last.start else None

    def years(self, match: re.Match[str], _now: datetime) -> CalendarSpan | None:
        """2019 to 2021."""
        first, last = int(match["from"]), int(match["year"])
        return spans.years(first, last - first + 1) if first < last else None

    def year(self, match: re.Match[str], _now: datetime) -> CalendarSpan:
        """2022."""
        return spans.years(int(match["year"]))

    def decade(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The 1990s, the 90s."""
        digits = int(match["decade"])
        year = digits if digits > 99 else now.year - now.year % 100 + digits
        return spans.years(year if year <= now.year else year - 100, 10)

    def quarter(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Q2 2023."""
        first = 3 * int(match["quarter"]) - 2
        return spans.months(self._year(match, now) or spans.latest_year_of(first, now.date()), first, 3)

    def part(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The beginning, middle or end of a month or year."""
        if unit := part(match, "unit"):
            whole = spans.unit(self.meaning("unit", unit), now.date(), self._which(match))
        elif part(match, "month"):
            whole = self.month(match, now)
        else:
            whole = self.year(match, now)
        return spans.third(whole, int(self.meaning("part", match["part"])))

    def season(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Summer: of a year, or the last, this or next one; without a word the latest that has begun."""
        number = int(self.meaning("season", match["season"]))
        if year := self._year(match, now):
            return spans.season(year, number)
        which = {-1: "last", 0: "this", 1: "next"}[self._which(match)] if part(match, "which") else "latest"
        return spans.which_season(number, now, which)

    def which_unit(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Last week."""
        return spans.unit(self.meaning("unit", match["unit"]), now.date(), self._which(match))

    def beyond(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The week before last: one unit before (or ``after``) the ``which`` one."""
        step = 1 if part(match, "after") else -1
        return spans.unit(self.meaning("unit", match["unit"]), now.date(), self._which(match) + step)

    def day_of_unit(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The Friday of last week, the 5th of this month; the 5th of no month that is named is the latest."""
        today, day = now.date(), part(match, "day")
        if day and not part(match, "which"):
            return spans.days(spans.latest_day(int(day), today))
        first = spans.unit(self.meaning("unit", match["unit"]), today, self._which(match)).start.date()
        if day is None:
            return spans.days(first + timedelta(days=int(self.meaning("weekday", match["weekday"]))))
        return spans.days(first.replace(day=int(day)))

    def day_of_next_week(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The Friday of next week."""
        first = spans.unit("week", now.date(), 1).start.date()
        return spans.days(first + timedelta(days=int(self.meaning("weekday", match["weekday"]))))

    def which_month(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Last May: the last one that is over."""
        return spans.which_month(self._month(match["month"]), now.date(), self._which(match))

    def weekday(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Last Friday is before today, this Friday of this week, next Friday after today; else the latest."""
        which = {-1: "last", 0: "this", 1: "next"}[self._which(match)] if part(match, "which") else "latest"
        return spans.days(spans.weekday(int(self.meaning("weekday", match["weekday"])), now.date(), which))

    def rolling(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """The last three weeks, up to and with today."""
        return spans.rolling(
            self.meaning("unit", match["unit"]), now.date(), self.number(part(match, "count") or "") or 1
        )

    def lately(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """In the last weeks."""
        unit, count = self.meaning("lately", match["lately"]).split()
        return spans.rolling(unit, now.date(), int(count))

    def other_day(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """The other day: within a week."""
        return spans.rolling("week", now.date(), 1)

    def ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Two weeks ago."""
        return spans.ago(self.meaning("unit", match["unit"]), now, self.number(match["count"]))

    def half_ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Half an hour ago, two and a half years ago."""
        return spans.half_ago(self.meaning("unit", match["unit"]), now, self.number(part(match, "count") or ""))

    def fortnight_ago(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """A fortnight ago."""
        return spans.ago("week", now, 2)

    def last_fortnight(self, _match: re.Match[str], now: datetime) -> CalendarSpan:
        """Over the last fortnight."""
        return spans.rolling("week", now.date(), 2)

    def month_ago(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Three years ago in March."""
        return spans.months(now.year - self.number(match["count"]), self._month(match["month"]))

    def from_day(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """A week from tomorrow, two days before yesterday: ``word``, ``count``, ``unit``, and ``after`` if later."""
        day = now.date() + timedelta(days=int(self.meaning("day", match["word"])))
        count = self.number(match["count"])
        return spans.unit(self.meaning("unit", match["unit"]), day, count if match["after"] else -count)

    def day_word(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Yesterday."""
        return spans.days(now.date() + timedelta(days=int(self.meaning("day", match["word"]))))

    def period(self, text: str, year: re.Pattern[str]) -> str:
        """How often an expression comes again: with its year never, else by week, year or month (the 20th).

        A date with its weekday (Friday, May 8; Friday the 8th) comes by year or month.
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
        """The first day of the week that a text names, 0 for Monday."""
        named = re.search(rf"\b{any_of(self.words('weekday'))}", text)
        return int(self.meaning("weekday", named[0])) if named else None

    def day_beside_weekday(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """Friday the 13th: the latest 13th, of whichever day."""
        return spans.days(spans.latest_day(int(match["day"]), now.date()))

    def weeks_from(self, match: re.Match[str], now: datetime) -> CalendarSpan:
        """A week from Friday: so many weeks after the next such day."""
        first = spans.weekday(int(self.meaning("weekday", match["weekday"])), now.date(), "next")
        return spans.days(first + timedelta(weeks=self.number(part(match, "count") or "") or 1))

    def _day(self, word: str) -> int:
        """A day of the month, in digits or words."""
        ordinal = self._words.get(("ordinal", re.sub(r"\s+", " ", word)))
        return int(ordinal) if ordinal else self.number(word)

    def _month(self, word: str) -> int:
        return int(self.meaning("month", word))

    def number(self, word: str) -> int:
        """A number in digits or words; 0 if it is neither."""
        return int(word) if word.isdecimal() else int(self._words.get(("number", re.sub(r"\s+", " ", word)), "0"))

    def _year(self, match: re.Match[str], now: datetime) -> int | None:
        """The year that is named, as a number or as last year's."""
        if whose := part(match, "whose"):
            return now.year + int(self.meaning("which", whose))
        year = part(match, "year")
        return int(year) if year else None

    def _which(self, match: re.Match[str]) -> int:
        word = part(match, "which")
        return int(self.meaning("which", word)) if word else 0


@cache
def readings(language: str) -> Readings:
    """The readings of a language, made once."""
    return Readings(language)


def part(match: re.Match[str], name: str) -> str | None:
    """A named group; None also where the pattern has no such group."""
    value: str | None = match.groupdict().get(name)
    return value
