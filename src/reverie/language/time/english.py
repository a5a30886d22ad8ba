"""Find time expressions in English, and ranges of two of them or with a word before."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from reverie.language.text import lists, patterns
from reverie.language.text.words import expression
from reverie.language.time import spans
from reverie.language.time.rules import (
    FIGURES,
    YEAR,
    Readings,
    TimeMatch,
    TimeRule,
    any_of,
    day_and_month,
    numeric_rules,
    part,
    readings,
    rule,
)
from reverie.language.time.spans import CalendarSpan

TRIGGER = expression(
    r"\d|\b(?:christmas|xmas|new year'?s|valentine'?s|st\.? patrick'?s|halloween|fortnight)\b"
    r"|\b(?:today|tonight|yesterday|tomorrow|(?:minute|hour|day|week|weekend|month|quarter|year|morning|afternoon|evening"
    r"|night)s?|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
"""Quick test: without one of these a text has no time."""

_LEAD_MAX = 40
"""Number of characters before an expression in which words that govern it are searched."""
_YEAR = expression(YEAR)
_BETWEEN = expression(r"\b(?:between|from)\s[^.!?]{1,30}\s(?:and|to|until|till|through)\s+\Z")
_SURE = expression(r"\b(?:in|during|since|until|till|throughout|(?:days?|weeks?|weekend|month|half|rest) of)\s+\Z")
_LEAD = expression(r"\b(?:in|during|since|until|till|throughout|through|by|before|after|around|of|from|for|year)\s+\Z")
_DAY_LEAD = expression(r"\b(?:on|since|until|till|by|before|after|between)\s+\Z")
_MOVED_MAX = 80
"""Number of characters before an expression in which a verb like "moved" is searched."""
_FIGURE_LEAD = expression(
    r"\b(?:on|by|until|till|since|before|after|from)\s+\Z|\d[./]\d\d?\.?\s*(?:to|until|till|through|and|-|–)\s*(?:on\s+)?\Z"
)
_AFTER_DAY = rf"(?=\s*(?:$|[.,;:!?)]|(?:{lists.alternatives('after-day.en')})\b))"
"""What may follow the number of a day, unlike in "on the 2nd floor"."""
_JOIN = expression(r"\s*,?\s*(and|to|until|till|through|thru|up to|-|–|—)\s*(?:the\s+)?\Z")
_OPENS = expression(r"\b(?:between|from)\s+(?:the\s+)?\Z")
_BOUND = expression(r"\b(since|until|till|up to|through|by|before|prior to|after)\s+(?:the\s+)?\Z")
_ON = expression(r"\s+(?:on|onward|onwards)\b(?!\s+\w)")
_BESIDE = expression(
    r"\b(?:(?P<count>\d{1,6}|[a-z]+)\s+)?(?P<unit>day|week|weekend|month|year)s?"
    r"\s+(?P<where>of|before|after|following)\s+(?:the\s+)?\Z"
)


@cache
def rules() -> tuple[TimeRule, ...]:
    """Return the rules of English, the most explicit first."""
    read = readings("en")
    return (
        *numeric_rules(month_first=True),
        *_dated(read),
        *_relative(read),
        *_bare(read),
        TimeRule(FIGURES, _figures),
    )


def _dated(read: Readings) -> list[TimeRule]:
    """Return rules for times with a month or year."""
    month = rf"(?P<month>{any_of(read.words('month'))})\.?"
    first = r"(?P<first>\d{1,2})(?:st|nd|rd|th)?"
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    to = r"\s*(?:-|–|to|and|until|till|through)\s*(?:the )?"
    year = rf"(?P<year>{YEAR})"
    whose = rf"(?:(?:,\s*| | of )(?:{year}|(?P<whose>last|previous|this|next) year))"
    weekday = rf"(?:{any_of(read.words('weekday'))},? )?"
    unit = r"(?P<unit>month|year)"
    ordinal = rf"(?P<day>{any_of(read.words('ordinal'))})"
    which = rf"(?P<which>{any_of(read.words('which'))})"
    phase = rf"(?:the )?(?P<part>{any_of(read.words('part'))})(?:-| )"
    verb = r"(?! (?:be|have|not|need|also|still|even|well|want|i|we|you|he|she|they|it)\b)"  # 5 may be
    return [
        rule(rf"{first}{to}{day}(?: of)? {month}{whose}?", read.days_of_month),
        rule(rf"{month} {first}{to}{day}{whose}?", read.days_of_month),
        rule(rf"{weekday}(?:the )?{day}(?: of)? {month}(?:{whose}|{verb})", read.day_of_month),
        rule(rf"{weekday}(?:the )?{ordinal} of {month}{whose}?", read.day_of_month),
        rule(rf"{weekday}{month} (?:the )?{day}(?![:.]\d){whose}?", read.day_of_month),
        rule(rf"(?P<from>{any_of(read.words('month'))}){to}{month}{whose}", read.months),
        rule(rf"(?P<from>{any_of(read.words('month'))}){to}{month}", _opened_months),
        rule(rf"(?P<from>{YEAR}){to}{year}", read.years),
        rule(rf"{phase}(?:{month}{whose}?|{which} {unit})", read.part),
        rule(rf"{phase}{year}", read.part),
        rule(
            rf"{any_of(read.words('weekday'))},? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)(?:{_AFTER_DAY})",
            _day_of_week,
        ),
        rule(rf"{month}{whose}", read.month),
        rule(rf"(?P<whose>last|previous|this|next) year,?(?: in)? {month}", read.month),
        rule(rf"(?:the )?(?P<season>{any_of(read.words('season'))}){whose}", read.season),
        rule(rf"q(?P<quarter>[1-4])(?: {year})?", read.quarter),
        rule(r"(?:the )?'?(?P<decade>(?:19|20)?\d0)'?s", _decade),
    ]


def _relative(read: Readings) -> list[TimeRule]:
    """Return rules for times relative to now."""
    unit = r"(?P<unit>day|week|weekend|month|quarter|year)"
    count = rf"(?P<count>\d{{1,9}}|{any_of(read.words('number'))})(?: of)?"
    which = rf"(?P<which>{any_of(read.words('which'))})"
    season = rf"(?P<season>{any_of(read.words('season'))})"
    month = rf"(?P<month>{any_of(read.words('month'))})"
    weekday = rf"(?P<weekday>{any_of(read.words('weekday'))})"
    after = _AFTER_DAY
    halved = r"(?P<unit>hour|day|week|month|year)"
    return [
        rule(
            rf"(?<!for\s){count} weeks? (?:on|from) {weekday}(?! (?:to|until|till|through)\b)",
            read.weeks_from,
        ),
        rule(rf"(?:on )?{weekday} week(?! \w)", read.weeks_from),
        rule(rf"(?P<word>{any_of(read.words('day'))})(?: (?:morning|afternoon|evening|night))?", read.day_word),
        rule(r"the other day", read.other_day),
        rule(rf"(?:(?:in|over|during|within|for) )?(?:the )?(?:last|past|previous) {count} {unit}s?", read.rolling),
        rule(rf"half an? {halved} (?:ago|back|earlier)", read.half_ago),
        rule(rf"{count} {halved}s? and a half (?:ago|back|earlier)", read.half_ago),
        rule(rf"{count} and a half {halved}s? (?:ago|back|earlier)", read.half_ago),
        rule(rf"(?P<count>\d{{1,3}})[.,]5 {halved}s? (?:ago|back|earlier)", read.half_ago),
        rule(r"a fortnight (?:ago|back|earlier)", read.fortnight_ago),
        rule(r"(?:in|over|during|within) the (?:last|past) fortnight", read.last_fortnight),
        rule(rf"{count} years? (?:ago|back|earlier),?(?: in)? {month}", read.month_ago),
        rule(rf"{month},? {count} years? (?:ago|back|earlier)", read.month_ago),
        rule(rf"{count} (?P<unit>minute|hour|day|week|month|year)s? (?:ago|back|earlier)", read.ago),
        rule(r"(?:in |over |during |within |for )?(?:the )?past (?P<unit>week|month|quarter|year)", read.rolling),
        rule(r"(?:in|over|during|within|for) the last (?P<unit>week|month|quarter|year)(?! of)", read.rolling),
        rule(rf"{weekday},? (?:of )?{which} (?P<unit>week)", read.day_of_unit),
        rule(rf"{which} (?P<unit>week),?(?: on)? {weekday}", read.day_of_unit),
        rule(
            rf"(?:on|by) the (?P<day>\d{{1,2}})(?:st|nd|rd|th)(?: of {which} (?P<unit>month)|{after})", read.day_of_unit
        ),
        rule(rf"(?:to|for) the (?P<day>\d{{1,2}})(?:st|nd|rd|th)(?:{after})", _day_moved_to),
        rule(rf"(?:the )?{unit} (?:before|(?P<after>after)) {which} (?P=unit)", read.beyond),
        rule(rf"(?:the )?{unit} before (?P<which>last){after}", read.beyond),
        rule(rf"(?:the )?{unit} (?P<after>after) (?P<which>next){after}", read.beyond),
        rule(rf"{which} (?P<unit>week|weekend|month|quarter|year)(?! of)", read.which_unit),
        rule(rf"(?:the )?{which} {season}", read.season),
        rule(rf"{which} {month}", _which_month),
        rule(rf"{which} {weekday}(?! of)", read.weekday),
        rule(r"(?:in|during) (?:the )?(?P<season>summer|winter|autumn)", read.season),
        rule(rf"(?:in|during|since|until) the {season}", read.season),
    ]


def _bare(read: Readings) -> list[TimeRule]:
    """Return rules for words that name a time only after certain words."""
    counted = rf"(?! (?:{lists.alternatives('counted.en')})\b)"
    return [
        rule(
            rf"(?P<weekday>{any_of(read.words('weekday'))})(?P<hours> (?:morning|afternoon|evening|night))?", _weekday
        ),
        rule(rf"(?P<month>{any_of(read.words('month'))})", _month),
        rule(rf"(?P<year>{YEAR})(?![/:-]|[.,]\d){counted}", _year),
    ]


def _lead(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _LEAD_MAX) : match.start()]


def _is_moved_to(match: re.Match[str], end: int | None = None) -> bool:
    """Whether something was moved to or set for a time."""
    end = match.start() if end is None else end
    return patterns.any_of("tense/moved-to.en").search(match.string[max(0, end - _MOVED_MAX) : end]) is not None


def _day_of_week(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of "on Friday the 13th"; without "on" it may be the film."""
    is_day = _DAY_LEAD.search(_lead(match)) or _is_moved_to(match)
    return readings("en").day_beside_weekday(match, now) if is_day else None


def _day_moved_to(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of "moved to the 20th"."""
    return readings("en").day_of_unit(match, now) if _is_moved_to(match, match.start("day")) else None


def _figures(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of "on 12.06", "on 25/4", if it is certain which number is the day."""
    if not _FIGURE_LEAD.search(_lead(match)) and not _is_moved_to(match):
        return None
    return day_and_month(match, now, day_first=False)


def _opened_months(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    return readings("en").months(match, now) if _OPENS.search(_lead(match)) else None


def _decade(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of "the 90s", unless it is an age: "I am in my 30s"."""
    is_age = re.search(r"\b(?:my|his|her|their|your|our|mid|early|late)\W+\Z", _lead(match))
    return None if is_age else readings("en").decade(match, now)


def _which_month(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    """Return the span of "this May", but not "this may help"."""
    is_verb = match["which"] == "this" and match["month"] in lists.words("months-as-words.en")
    if is_verb and match.string[match.end() :].lstrip()[:1].isalpha():
        return None
    return readings("en").which_month(match, now)


def _weekday(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    governed = part(match, "hours") or _DAY_LEAD.search(_lead(match)) or _BETWEEN.search(_lead(match))
    opens = _OPENS.search(_lead(match)) and re.match(r"\s+(?:to|until|till|through)\s", match.string[match.end() :])
    return readings("en").weekday(match, now) if governed or opens or _is_moved_to(match) else None


def _month(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    governs = _SURE if match["month"] in lists.words("months-as-words.en") else _LEAD
    lead = _lead(match)
    if _is_moved_to(match) and not match.string.startswith("'", match.end()):
        return readings("en").month(match, now)
    if _OPENS.search(lead) and _ON.match(match.string, match.end()):
        return readings("en").month(match, now)
    return readings("en").month(match, now) if governs.search(lead) or _BETWEEN.search(lead) else None


def _year(match: re.Match[str], now: datetime) -> CalendarSpan | None:
    lead = _lead(match)
    return readings("en").year(match, now) if _LEAD.search(lead) or _BETWEEN.search(lead) else None


def glue(plain: str, found: list[TimeMatch], now: datetime) -> TimeMatch:
    """Return the first expression with words that govern it or join it to the next: between … and, since, week of."""
    first = found[0]
    offset = max(0, first.start - _LEAD_MAX)
    lead = plain[offset : first.start]
    if opens := _OPENS.search(lead):
        return _opened(plain, found, offset + opens.start(), now)
    if len(found) > 1 and (whole := _joined(plain, first, found[1], opened=False)):
        return whole
    if beside := _BESIDE.search(lead):
        start = beside.start("count" if readings("en").number(beside["count"] or "") else "unit")
        return first._replace(start=offset + start, span=_beside(beside, first.span))
    if bound := _BOUND.search(lead):
        span = spans.bounded(bound[1], first.span, now)
        return TimeMatch(
            offset + bound.start(), first.end, span, bounds=bound[1] != "by"
        )  # "done by May" is a time of completion
    return first


def _opened(plain: str, found: list[TimeMatch], start: int, now: datetime) -> TimeMatch:
    """Return a range to the next expression, or an open one, after "between" or "from"."""
    first = found[0]._replace(start=start)
    if len(found) > 1 and (whole := _joined(plain, found[0], found[1], opened=True)):
        return whole._replace(start=start)
    if onwards := _ON.match(plain, first.end):
        return first._replace(end=onwards.end(), span=spans.bounded("since", first.span, now), bounds=True)
    return first


def ranged(plain: str, first: TimeMatch, second: TimeMatch) -> TimeMatch | None:
    """Join two times to a range: from May 3 to May 10; not if something was moved from one to the other."""
    opens = opened(plain, first)
    is_opened = opens.start < first.start
    if is_opened and _shifted().search(plain[max(0, opens.start - _LEAD_MAX) : opens.start]):
        return None
    whole = _joined(plain, first, second, opened=is_opened)
    return whole._replace(start=opens.start) if whole else None


def opened(plain: str, found: TimeMatch) -> TimeMatch:
    """Return a time with the "from" or "between" before it."""
    offset = max(0, found.start - _LEAD_MAX)
    opens = _OPENS.search(plain[offset : found.start])
    return found._replace(start=offset + opens.start()) if opens else found


@cache
def _shifted() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lists.alternatives('shifted.en')})\b(?:(?! and )[^,.;])*\Z")


def _joined(plain: str, first: TimeMatch, second: TimeMatch, *, opened: bool) -> TimeMatch | None:
    sign = _JOIN.match(plain[first.end : second.start])
    if sign is None or (sign[1] == "and" and not opened):
        return None
    period = readings("en").period
    texts = [plain[found.start : found.end] for found in (first, second)]
    span = spans.joined(first.span, second.span, period(texts[0], _YEAR), period(texts[1], _YEAR))
    return TimeMatch(first.start, second.end, span) if span else None


def _beside(match: re.Match[str], span: CalendarSpan) -> CalendarSpan:
    """Return the week of a day, the week before it, or two weeks before it."""
    unit, where = match["unit"], match["where"]
    if where == "of":
        is_day = (span.end - span.start).days == 1
        return spans.unit(unit, span.start.date()) if is_day else span
    count = readings("en").number(match["count"] or "")
    if count:
        return spans.unit(unit, span.start.date(), -count if where == "before" else count)
    return spans.neighbour(unit, span, after=where != "before")
