"""Values in a statement: numbers with their unit, money, percentages, versions, times of the day, dates, weekdays.

In: the words of a text. Out: each value in a form in which two ways of writing it are equal, and the words it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.expressions import expression
from reverie.language.letters import plain

_CLOCK = expression(r"(\d{1,2}):(\d\d)\Z")
_NUMBER = expression(r"v?(\d+(?:[.,]\d+)*)(k|m|%)?\Z")
_AND_A_HALF = expression(r"bucu[kg]\w*\Z")
"""Turkish: üç buçuk is three and a half, as an hour half past three."""
_ISO = expression(r"(\d{4})-(\d\d)-(\d\d)\Z")
_ORDINAL = expression(r"(\d{1,2})(?:st|nd|rd|th)\Z")
_HALF_DAY = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}
_LATER_PARTS = frozenset({"ogleden", "aksam", "afternoon", "evening"})
_YEARS = (1900, 2100)
_TENS = tuple(range(10, 100, 10))
_WEEKDAY_ENDINGS = ("lari", "leri", "ya", "ye")
"""Turkish: on Mondays, to Monday; "pazara" and "pazarda" are rather of the market."""
_LETTER_SCALES = {"k": 1_000.0, "m": 1_000_000.0}


class Token(NamedTuple):
    """A word: as written, in plain letters without its ending, its place, its term ("" if it carries no content)."""

    raw: str
    plain: str
    start: int
    end: int
    term: str


class Value(NamedTuple):
    """What stands for an amount or a time: its kind, its normal form, its unit, the tokens [first, last] it takes."""

    kind: str
    normal: str
    unit: str
    first: int
    last: int

    @property
    def key(self) -> tuple[str, str, str]:
        """What two values have in common that say the same."""
        return self.kind, self.normal, self.unit


def values(tokens: Sequence[Token], language: str) -> tuple[Value, ...]:
    """The values among the tokens, in order."""
    found: list[Value] = []
    place = 0
    while place < len(tokens):
        value = _value(tokens, place, language) if _may_begin(tokens[place].plain, language) else None
        if value is None:
            place += 1
            continue
        found.append(value)
        place = value.last + 1
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _may_begin(word: str, language: str) -> bool:
    """Whether a value can begin with a word: nearly none can, and this is asked of every word."""
    tables = (*calendar_words(language), number_words(language)[0], number_words(language)[2], currencies())
    return any(sign.isdecimal() for sign in word[:2]) or any(word.partition("-")[0] in table for table in tables)


def _value(tokens: Sequence[Token], place: int, language: str) -> Value | None:
    word = tokens[place].plain
    if (day := calendar_words(language)[1].get(word)) is not None:
        return Value("weekday", str(day), "", place, place)
    if clock := _CLOCK.match(word):
        hours = _half_day(tokens, place, place, int(clock[1]))
        return Value("clock", f"{hours}:{clock[2]}", "", place, place)
    if iso := _ISO.match(word):
        return Value("date", f"{int(iso[2])}-{int(iso[3])}", "", place, place)
    if ordinal := _ordinal(tokens, place, language):
        return ordinal
    return _date(tokens, place, language) or _amount(tokens, place, language)


def _date(tokens: Sequence[Token], place: int, language: str) -> Value | None:
    """April 5, 5th of April, 5 Nisan: a day and a month side by side."""
    months = calendar_words(language)[0]
    here = tokens[place].plain
    after = place + 1
    if after < len(tokens) and tokens[after].plain == "of":
        after += 1
    if after >= len(tokens):
        return None
    there = tokens[after].plain
    for month, day in ((here, there), (there, here)):
        if month in months and (number := _day(day)):
            return Value("date", f"{months[month]}-{number}", "", place, after)
    return None


def _day(word: str) -> int:
    digits = _ORDINAL.sub(r"\1", word)
    return int(digits) if digits.isdecimal() and digits.isascii() and 1 <= int(digits[:3]) <= 31 else 0


def _ordinal(tokens: Sequence[Token], place: int, language: str) -> Value | None:
    """The third floor: an ordinal that counts what has only one such number."""
    number = number_words(language)[2].get(tokens[place].plain)
    if number is None or place + 1 >= len(tokens):
        return None
    unit = tokens[place + 1]
    is_count = unit.plain in lists.words("contradiction-units") or unit.term in lists.words("contradiction-units")
    return Value("order", f"{number:g}", unit.term, place, place) if is_count else None


def _amount(tokens: Sequence[Token], place: int, language: str) -> Value | None:
    """A number, with the money, percent sign or unit beside it."""
    money = currencies()
    word = tokens[place].plain
    before = money.get(word, "")
    first = place
    if before and place + 1 < len(tokens):
        place += 1
        word = tokens[place].plain
    read = _number(word, language)
    if read is None:
        return None
    number, is_version, mark = read
    last, number = _scaled(tokens, place, number, language)
    if is_version or _is_product_version(tokens, first, word):
        return Value("version", word.lstrip("v"), tokens[first - 1].term if first else "", first, place)
    after = money.get(tokens[last + 1].plain, "") if last + 1 < len(tokens) else ""
    if mark == "%" or (before or after):
        kind = "percent" if mark == "%" else before or after
        return Value(kind, f"{number:.10g}", "", first, last + 1 if after else last)
    return _plain_number(tokens, first, last, number)


def _plain_number(tokens: Sequence[Token], first: int, last: int, number: float) -> Value:
    following = tokens[last + 1].plain if last + 1 < len(tokens) else ""
    preceding = tokens[first - 1].plain if first else ""
    is_half = _AND_A_HALF.match(tokens[last].plain) is not None
    is_hour = (number == int(number) or is_half) and 0 < number <= 24
    if is_hour and (following in _HALF_DAY or preceding == "saat"):
        hours = _half_day(tokens, first, last, int(number))
        return Value("clock", f"{hours}:{'30' if is_half else '00'}", "", first, last + (following in _HALF_DAY))
    if _YEARS[0] <= number < _YEARS[1] and number == int(number) and tokens[first].raw.isdecimal() and not following:
        return Value("year", f"{number:g}", "", first, last)
    unit = next((token.term for token in tokens[last + 1 : last + 3] if token.term), "")
    return Value("number", f"{number:.10g}", unit, first, last)


def _half_day(tokens: Sequence[Token], first: int, last: int, hours: int) -> int:
    """The hour of the day: 3 with PM, or with "in the afternoon" around it, is 15."""
    following = tokens[last + 1].plain if last + 1 < len(tokens) else ""
    around = {token.plain for token in tokens[max(0, first - 4) : last + 5]}
    later = _HALF_DAY.get(following, 12 if around & _LATER_PARTS else 0)
    return hours % 12 + later if following in _HALF_DAY or (later and hours < 12) else hours


def _scaled(tokens: Sequence[Token], place: int, number: float, language: str) -> tuple[int, float]:
    spoken, scales, _ = number_words(language)
    ones = spoken.get(tokens[place + 1].plain, 0) if place + 1 < len(tokens) else 0
    if number in _TENS and tokens[place].plain in spoken and 0 < ones < _TENS[0]:  # on iki, twenty five
        place, number = place + 1, number + ones
    if place + 1 < len(tokens) and _AND_A_HALF.match(tokens[place + 1].plain):
        place, number = place + 1, number + 0.5
    while place + 1 < len(tokens) and (scale := scales.get(tokens[place + 1].plain)):
        place, number = place + 1, number * scale
    return place, number


def _is_product_version(tokens: Sequence[Token], place: int, word: str) -> bool:
    """Python 3.12: a number with a point after a name."""
    has_point = "." in word.strip(".") and word.replace(".", "").isdecimal() and len(word.rpartition(".")[2]) < 3
    return has_point and place > 0 and tokens[place - 1].raw[:1].isupper()


def _number(word: str, language: str) -> tuple[float, bool, str] | None:
    """A number, whether it is a version by its shape, and the sign behind it."""
    spoken = number_words(language)[0]
    tens, _, ones = word.partition("-")
    if tens in spoken and (not ones or ones in spoken):  # twenty-five
        return spoken[tens] + spoken.get(ones, 0), False, ""
    match = _NUMBER.match(word)
    if match is None or not word.isascii():
        return None
    digits, mark = match[1], match[2] or ""
    groups = re.split("[.,]", digits)
    is_thousands = len(groups) > 1 and all(len(group) == 3 for group in groups[1:]) and groups[0] != "0"
    if word[0] == "v" or (len(groups) > 2 and not is_thousands and "," not in digits):
        return 0.0, True, ""
    if is_thousands and (language == "tr" or "," in digits or len(groups) > 2):
        number = float("".join(groups))
    else:
        number = float("".join(groups[:-1]) + "." + groups[-1]) if len(groups) > 1 else float(digits[:300])
    return number * _LETTER_SCALES.get(mark, 1.0), False, mark


@cache
def number_words(language: str) -> tuple[Mapping[str, float], Mapping[str, float], Mapping[str, float]]:
    """Words of a language for numbers, for what multiplies them, and for places in an order."""
    numbers: dict[str, float] = {}
    scales: dict[str, float] = {}
    orders: dict[str, float] = {}
    for key, names in lists.table(f"contradiction-numbers.{language}").items():
        kind, _, amount = key.rpartition(" ")
        table = {"times": scales, "order": orders}.get(kind, numbers)
        table.update(dict.fromkeys(names, float(amount)))
    return numbers, scales, orders


@cache
def calendar_words(language: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The months and the weekdays of a language, each as its number, in plain letters."""
    months: dict[str, int] = {}
    weekdays: dict[str, int] = {}
    for kind, number, names in _calendar(language):
        table = months if kind == "month" else weekdays
        table.update(dict.fromkeys(names, number))
        if kind == "weekday":
            endings = ("s",) if language == "en" else _WEEKDAY_ENDINGS
            table.update({name + ending: number for name in names for ending in endings})
    return months, weekdays


def _calendar(language: str) -> Iterator[tuple[str, int, list[str]]]:
    for key, names in lists.table(f"time-words.{language}").items():
        kind, _, number = key.partition(" ")
        if kind in ("month", "weekday"):
            yield kind, int(number), [plain(name) for name in names]


@cache
def currencies() -> Mapping[str, str]:
    """Signs and words of money, each with its currency."""
    table = lists.table("contradiction-currencies")
    return {name: currency for currency, names in table.items() for name in names}
