"""How time expressions are read: rules of a pattern and a reading, tried in order, the words already read left alone.

In: plain text (lower case, without diacritics, of the same length as the original). Out: what was found, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import NamedTuple, TypeAlias

from reverie.language.expressions import expression
from reverie.language.time_spans import Span, days, latest_date

YEAR = r"(?:19|20)\d\d"
_ISO_DAY = expression(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)")
_NUMERIC_DAY = expression(r"(?<![\w./:-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![^\W_]|[./:-]\d)")
FIGURES = expression(r"(?<![\w./:,$€£₺-])(?P<one>\d\d?)(?P<sign>[./])(?P<two>\d\d?)(?![^\W_]|[./:,-]?\d|\s?[%°])")
"""12.06, 4/25: a day and a month, or something else."""
_AS_DATE = expression(r"\d\d?\.0[1-9]|\d\d\.1[0-2]")
"""12.06, 5.06, 12.12, but not 3.12."""
_ROUND_THE_CLOCK = ("24/7", "7/24")
_VERSION = expression(r"\b(?:version|surum|release|rev|no|v)\W{0,2}$")

Reading: TypeAlias = Callable[[re.Match[str], datetime], Span | None]


class Rule(NamedTuple):
    """A pattern and what its match means at a moment; None or a ValueError: nothing after all."""

    pattern: re.Pattern[str]
    read: Reading


class Found(NamedTuple):
    """An expression at ``start`` … ``end`` of the plain text, and the span it names.

    ``bounds``: its words name a bound of the span and not what lies in it: before March, mayıstan beri.
    """

    start: int
    end: int
    span: Span
    bounds: bool = False


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first."""
    escaped = (re.escape(word).replace("\\ ", " ") for word in sorted(words, key=len, reverse=True))
    return "(?:" + "|".join(escaped) + ")"


def rule(pattern: str, read: Reading) -> Rule:
    """A rule from a pattern in which a blank stands for any white space; it matches whole words only."""
    spaced = pattern.replace(" ", r"\s+")
    return Rule(re.compile(rf"(?<![\w'])(?:{spaced})(?!\w)"), read)


def scan(plain: str, now: datetime, rules: Iterable[Rule]) -> list[Found]:
    """Everything the rules find, in the order of the text; an earlier rule wins where two overlap."""
    found: list[Found] = []
    for pattern, read in rules:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if any(start < other.end and other.start < end for other in found):
                continue
            span = _attempt(read, match, now)
            if span is not None:
                found.append(Found(start, end, span))
    return sorted(found)


def _attempt(read: Reading, match: re.Match[str], now: datetime) -> Span | None:
    try:
        return read(match, now)
    except (ValueError, OverflowError):  # 31 June, the year 0, ten million years ago: no such time
        return None


def numeric_rules(*, month_first: bool) -> list[Rule]:
    """2023-05-07, 07.05.2023, 5/7/2023. With points the day is first; ``month_first``: maybe not with slashes."""

    def numeric_day(match: re.Match[str], now: datetime) -> Span | None:
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

    return [Rule(_ISO_DAY, _iso_day), Rule(_NUMERIC_DAY, numeric_day)]


def day_and_month(match: re.Match[str], now: datetime, *, day_first: bool) -> Span | None:
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


def _iso_day(match: re.Match[str], _now: datetime) -> Span:
    return days(date(int(match[1]), int(match[3]), int(match[4])))


def _full_year(two_digits: int, now: datetime) -> int:
    """The latest such year that is not more than ten years ahead."""
    year = now.year - now.year % 100 + two_digits
    return year - 100 if year > now.year + 10 else year
