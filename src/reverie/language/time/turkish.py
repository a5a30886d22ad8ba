"""Find time expressions in Turkish: as in English, and case endings that show how they are meant.

The text is folded ("gecen yaz"), so that texts typed on an English keyboard are read as well.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from reverie.language.text.patterns import any_of as any_pattern_of
from reverie.language.text.words import expression
from reverie.language.time import spans
from reverie.language.time.rules import (
    FIGURES,
    YEAR,
    Reading,
    Readings,
    TimeMatch,
    TimeRule,
    any_of,
    day_and_month,
    numeric_rules,
    readings,
    rule,
)
from reverie.language.time.spans import CalendarSpan

TRIGGER = expression(
    r"\d|\b(?:gecen|gecti|onceki|evvel|bu|bug|dun|yarin|obur|onumuz|gelecek|son|bir once|bir sonra|icinde"
    r"|ilkb|bahar|sonb|guz|kis|yaz|oca|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|arali"
    r"|pazar|sali|carsamba|persembe|cuma"
    r"|hafta ?sonu|yilbasi|noel|sevgililer|(?:cocuk|zafer|cumhuriyet) bayr|ilk|ikinci|ucuncu|dorduncu|ayin)"
    r"|\b(?:once|evvel)"
)
"""Quick test: without one of these a text has no time."""

_YEAR = expression(YEAR)
_APO = "'?"
_IN = rf"(?:{_APO}(?:daki|deki|taki|teki|da|de|ta|te))"
_FROM = rf"(?:{_APO}(?:ndan|nden|dan|den|tan|ten))"
_TO = rf"(?:{_APO}(?:na|ne|ya|ye|a|e))"
_OF = rf"(?:{_APO}(?:nin|nun|in|un))"
_POSSESSED = rf"(?:{_APO}(?:s?[iu](?:n(?:daki|deki|dan|den|da|de|a|e|i|u))?))"
_ANY = rf"(?:{_IN}|{_FROM}|{_TO}|{_OF}|{_POSSESSED}|{_APO}(?:ki|li|lik|luk|yi|yu))"
_MONTH_WORD = r"(?: ayi[a-z]{0,5})"
_YEAR_WORD = r"(?: (?:yil|sene)[a-z]{0,6})"
_PART_OF_DAY = r"(?: (?:gun|sabah|aksam|gece|oglen?)[a-z]{0,6}| ogleden sonra)"
_BOUND_WORD = r"(?:beri|bu yana|itibaren|kadar|dek|degin|once|evvel|sonra)"
_BOUND_NEXT = rf"(?= {_BOUND_WORD})"
_RANGE_NEXT = rf"(?= (?:[\w']+ ){{0,2}}[\w']+{_TO} (?:kadar|dek|degin)\b)"

_BETWEEN = expression(r"\s+(?:(?:tarih|gun|ay|yil)leri\s+|(?:ay|yil)lari\s+)?aras[a-z]+")
_JOIN = expression(r"\s*(?:ile|ve|-|–|—)?\s*\Z")
_UNTIL = expression(r"\s+(?:kadar|dek|degin)\w*")
_TAIL = expression(r"\s+(beri|bu\s+yana|itibaren|kadar|dek|degin|once|evvel|sonra)\w*")
_ABLATIVE = expression(r"(?:dan|den|tan|ten)\Z")
_LEAD_MAX = 30
_COUNTED = ("onceki", "bir onceki", "evvelki", "bir sonraki")
_FROM_ANOTHER = expression(r"(?<!\bbun)(?:dan|den|tan|ten)\s+\Z")
_MONTH_NAMED = expression(r"\b(?:gecen|gectigimiz|gelecek|onumuzdeki|onceki|sonraki|bu)\s+ay(?:in|da|ki)?\b")
_DAY_NAMED = expression(
    r"\b\d\d?\.? (?:ocak|ocag|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|aralig)"
)
_CLOCK = expression(
    r"\b(?:saat\w*|yarin|bugun|gunu|haftaya|\w*sabah\w*|\w*aksam\w*|pazartesi|sali|carsamba|persembe|cuma|cumartesi|pazar)\s+\Z"
)
"""Words after which two numbers are a time of day."""
_MINUTES = ("05", "10")
"""Numbers that may be minutes rather than months."""


_BOUNDS = {
    "beri": "since",
    "bu yana": "since",
    "itibaren": "since",
    "kadar": "until",
    "dek": "until",
    "degin": "until",
    "once": "before",
    "evvel": "before",
    "sonra": "after",
}


@cache
def rules() -> tuple[TimeRule, ...]:
    """Return the rules of Turkish, the most explicit first."""
    read = readings("tr")
    return (
        *numeric_rules(month_first=False),
        *_dated(read),
        *_relative(read),
        *_bare(read),
        *_moved_to(read),
        _FIGURES,
    )


def _dated(read: Readings) -> list[TimeRule]:
    """Return rules for times with a month or year."""
    months = any_of(read.words("month"))
    month = rf"(?P<month>{months})"
    season = rf"(?P<season>{any_of(read.words('season'))})"
    day = r"(?P<day>\d{1,2})"
    number = rf"(?P<day>{any_of(read.words('number'))})"
    year = rf"(?P<year>{YEAR})"
    whose = rf"(?P<whose>{any_of(read.words('which'))}) (?:yil|sene){_ANY}?"
    in_year = rf"(?:{year}{_ANY}?{_YEAR_WORD}?|{whose})"
    phase = r"(?P<part>bas|orta|son)(?:lar)?(?:i|u|si)(?:n[a-z]{0,4})?"
    which = rf"(?P<which>{any_of(read.words('which'))})"
    return [
        rule(
            rf"(?P<first>\d{{1,2}})(?:{_FROM} |\s*[-–]\s*| (?:ile|ve) ){day} {month}{_ANY}?(?: {in_year})?"
            r"(?: (?:kadar|dek|degin))?",
            read.days_of_month,
        ),
        rule(rf"{in_year} {month}{_OF}?(?: ayinin)? {phase}", read.part),
        rule(rf"{month}(?: {in_year})?{_OF}?(?: ayinin)? {phase}", read.part),
        rule(rf"{year}{_OF}?(?: (?:yilinin|senesinin))? {phase}", read.part),
        rule(rf"{which} (?P<unit>ay|yil|sene)(?:in|nin)? {phase}", read.part),
        rule(rf"{in_year} {day}\.? {month}{_ANY}?", read.day_of_month),
        rule(rf"{day}\.? {month}{_ANY}?(?: {in_year})?(?:{_PART_OF_DAY})?", read.day_of_month),
        rule(rf"(?:{in_year} )?{month}{_OF} {day}{_POSSESSED}", read.day_of_month),
        rule(rf"(?:{in_year} )?{month}{_OF} {number}{_POSSESSED}", read.day_of_month),
        rule(
            rf"(?P<from>{months})(?: (?P<start>{YEAR}))?(?: (?:ile|ve) |\s*[-–]\s*){month}(?: {year})?"
            r"(?= (?:aylari )?aras)",
            read.months,
        ),
        rule(rf"(?P<from>{months})\s*[-–]\s*{month} {in_year}", read.months),
        rule(rf"(?P<from>{YEAR})\s*[-–]\s*{year}{_ANY}?", read.years),
        rule(rf"(?P<from>{YEAR}) (?:ile|ve) {year}(?= (?:yillari )?aras)", read.years),
        rule(rf"{month}{_ANY}?{_MONTH_WORD}? {in_year}", read.month),
        rule(rf"{in_year} {month}{_ANY}?{_MONTH_WORD}?", read.month),
        rule(rf"{in_year} {season}{_ANY}?", read.season),
        rule(r"(?P<decade>(?:19|20)?\d0)'?(?:lar|ler|li|lu)[a-z]{0,5}(?: yillar[a-z]{0,5})?", read.decade),
    ]


def _relative(read: Readings) -> list[TimeRule]:
    """Return rules for times relative to now."""
    count = rf"(?P<count>\d{{1,9}}|{any_of(read.words('number'))})"
    unit = rf"(?P<unit>{any_of(read.words('unit'))})"
    which = rf"(?P<which>{any_of(read.words('which'))})"
    month = rf"(?P<month>{any_of(read.words('month'))})"
    season = rf"(?P<season>{any_of(read.words('season'))})"
    weekday = rf"(?P<weekday>{any_of(read.words('weekday'))})"
    loose = r"(?:'?[a-z]{1,5})?"
    halved = r"(?P<unit>saat|gun|hafta|ay|yil|sene)"
    return [
        rule(
            rf"(?P<word>{any_of(read.words('day'))})(?:dan|den) {count} {unit} (?:(?P<after>sonra)|once|evvel)",
            read.from_day,
        ),
        rule(
            rf"(?P<word>{any_of(read.words('day'))})(?:ku(?:nu)?|den|un|e|ki|dan|(?<=yarin)a)?{_PART_OF_DAY}?",
            read.day_word,
        ),
        rule(r"gecen gun|gecenlerde", read.other_day),
        rule(rf"son {count} (?P<unit>gun|hafta|ay|yil|sene){loose}", read.rolling),
        rule(rf"son (?P<lately>{any_of(read.words('lately'))})", read.lately),
        rule(rf"(?:yarim|{count} bucuk) {halved} (?:once|evvel)[a-z]{{0,5}}", read.half_ago),
        rule(rf"(?P<count>\d{{1,3}})[.,]5 {halved} (?:once|evvel)[a-z]{{0,5}}", read.half_ago),
        rule(rf"{count} (?:yil|sene) (?:once|evvel) {month}{_ANY}?{_MONTH_WORD}?", read.month_ago),
        rule(rf"{count} {unit}{loose} (?:once|evvel)[a-z]{{0,5}}", read.ago),
        rule(r"son (?P<unit>hafta|ay|yil)(?:da|ta|in|nin)?", read.rolling),
        rule(rf"(?:{which} )?(?P<unit>ay)in (?P<day>\d{{1,2}}){_POSSESSED}", read.day_of_unit),
        rule(rf"{which} (?P<unit>hafta)(?:nin|ki)? {weekday}(?:{_POSSESSED}|{_PART_OF_DAY})?", read.day_of_unit),
        rule(rf"haftaya {weekday}{_PART_OF_DAY}?", read.day_of_next_week),
        rule(
            rf"{which} {unit}(?:n?dan|n?den) (?:bir )?(?:onceki|evvelki|(?P<after>sonraki)) (?P=unit)"
            rf"(?:{_ANY}|{_POSSESSED}{_ANY})?",
            read.beyond,
        ),
        rule(rf"{which} {unit}(?:{_ANY}|{_POSSESSED}{_ANY}|lar[a-z]{{0,5}})?", _from_now(read.which_unit)),
        rule(rf"{which} {month}{_ANY}?{_MONTH_WORD}?", _from_now(read.which_month)),
        rule(rf"{which} {weekday}(?:{_PART_OF_DAY}|{_FROM}|{_TO}|ki)?", _from_now(read.weekday)),
        rule(rf"{which} {season}(?:in|ki|{_FROM}|{_TO})?(?: aylari[a-z]{{0,4}})?", read.season),
    ]


def _from_now(read: Reading) -> Reading:
    """Restrict a reading to times relative to now: in "sınavdan önceki hafta", önceki counts from the exam."""

    def from_now(match: re.Match[str], now: datetime) -> CalendarSpan | None:
        lead = match.string[max(0, match.start() - _LEAD_MAX) : match.start()]
        is_counted = match["which"] in _COUNTED and _FROM_ANOTHER.search(lead)
        return None if is_counted else read(match, now)

    return from_now


def _day_of_named_month(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of gelecek ay … 5'inde, 14 nisanda … 17'sinde; without a named month it may be a quantity."""
    lead = match.string[: match.start()]
    is_named = _MONTH_NAMED.search(match.string) or _DAY_NAMED.search(lead)
    return readings("tr").day_of_unit(match, now) if is_named else None


def _bare(read: Readings) -> list[TimeRule]:
    """Return rules for words that name a time only with the right ending, or before beri, kadar, önce, sonra."""
    bounded = rf"(?:(?:{_FROM}|{_TO}){_BOUND_NEXT}|{_FROM}{_RANGE_NEXT})"
    month = rf"(?P<month>{any_of(read.words('month'))})"
    sure = rf"(?P<month>{any_of(word for word in read.words('month') if word not in ('ocak', 'ocag'))})"
    return [
        rule(rf"(?P<weekday>{any_of(read.words('weekday'))})(?:{_PART_OF_DAY}|{bounded})", read.weekday),
        rule(r"(?P<season>ilkbahar|bahar|sonbahar|guz)(?:da|de)", read.season),
        rule(r"(?P<season>yaz|kis)in", read.season),
        rule(rf"(?P<season>{any_of(read.words('season'))})(?: aylari[a-z]{{0,4}}|{bounded})", read.season),
        rule(rf"{month}(?:'(?:daki|deki|taki|teki|da|de|ta|te)|{_MONTH_WORD}|{bounded})", read.month),
        rule(rf"{sure}{_IN}", read.month),  # "ocakta" is also "on the stove"
        rule(r"(?<!%)(?P<day>\d{1,2})'?s?[iu]nd[ae]", _day_of_named_month),
        rule(rf"(?P<year>{YEAR})(?:{_IN}|{bounded}|{_OF}?{_YEAR_WORD})", read.year),
    ]


def _moved_to(read: Readings) -> list[TimeRule]:
    """Return rules for a new time in the dative: pazartesiye ertelendi, mayısa aldık."""
    market = r"(?!pazara (?:\w+ ){0,2}ald)"
    day = rf"{market}(?P<weekday>{any_of(read.words('weekday'))})(?:{_TO}| (?:gunune|sabahina|aksamina))"
    month = rf"(?P<month>{any_of(word for word in read.words('month') if word not in ('ocak', 'ocag'))}){_TO}"
    return [rule(day, _if_moved_to(read.weekday)), rule(month, _if_moved_to(read.month))]


def _if_moved_to(read: Reading) -> Reading:
    def moved_to(match: re.Match[str], now: datetime) -> CalendarSpan | None:
        is_moved = any_pattern_of("tense/moved-to.tr").search(match.string[match.start() :])
        return read(match, now) if is_moved else None

    return moved_to


def _figures(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of 12.06'da, 4/5 tarihinde; not saat 12.06'da, or if it may be a time of day."""
    one, two = int(match["one"]), int(match["two"])
    is_clock = _CLOCK.search(match.string[: match.start()]) or (match["two"] in _MINUTES and one < 24)
    is_part = match["sign"] == "/" and one <= 12 and two <= 12  # 4/5
    if match["named"] is None and ((is_clock and match["sign"] == ".") or is_part):
        return None
    return day_and_month(match, now, day_first=True)


_FIGURES = TimeRule(
    expression(
        FIGURES.pattern
        + rf"\.?(?:(?P<named>\s+(?:tarih\w*|gunu))|{_IN}|(?:{_FROM}|{_TO})(?=\s+{_BOUND_WORD})|{_FROM}(?=\s+\d)"
        + rf"|{_TO}(?=\s+(?:alin|ertele|kaydir|cek)))(?!\w)"
    ),
    _figures,
)


def glue(plain: str, found: list[TimeMatch], now: datetime) -> TimeMatch:
    """Return the first expression with words after it: … ile … arasında, dan … a kadar, dan beri, a kadar."""
    first = found[0]
    if between := _BETWEEN.match(plain, first.end):
        return first._replace(end=between.end())
    if len(found) > 1 and (whole := _joined(plain, first, found[1])):
        return whole
    tail = _TAIL.match(plain, first.end)
    if tail is None:
        return first
    word = _BOUNDS[re.sub(r"\s+", " ", tail[1])]
    return TimeMatch(first.start, tail.end(), spans.bounded(word, first.span, now), bounds=True)


def ranged(plain: str, first: TimeMatch, second: TimeMatch) -> TimeMatch | None:
    """Join two times to a range: 3 Mayıs'tan 10 Mayıs'a kadar, 3 Mayıs ile 10 Mayıs arasında."""
    return _joined(plain, first, second)


def opened(_plain: str, found: TimeMatch) -> TimeMatch:
    """Return the time unchanged: in Turkish its ending opens a range."""
    return found


def _joined(plain: str, first: TimeMatch, second: TimeMatch) -> TimeMatch | None:
    if not _JOIN.match(plain[first.end : second.start]):
        return None
    texts = [plain[found.start : found.end] for found in (first, second)]
    end = _BETWEEN.match(plain, second.end)
    if end is None and _ABLATIVE.search(texts[0]):
        end = _UNTIL.match(plain, second.end)
    if end is None:
        return None
    period = readings("tr").period
    span = spans.joined(first.span, second.span, period(texts[0], _YEAR), period(texts[1], _YEAR))
    return TimeMatch(first.start, end.end(), span) if span else None
