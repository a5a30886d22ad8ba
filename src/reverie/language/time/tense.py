"""Choose which recurring time a sentence means by the tense of its clause: the last Friday or the next one.

In: times found in a sentence. Out: the time meant, or None if the sentence leaves it open.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from reverie.language.claims import is_future, is_past
from reverie.language.text import lists
from reverie.language.text.patterns import any_of
from reverie.language.time import spans
from reverie.language.time.rules import YEAR, TimeMatch, readings
from reverie.language.time.rules import any_of as one_of
from reverie.language.time.spans import CalendarSpan

GOES_ON = re.compile(r"[,;:()—–]|\s(?:and|ve)\s")
"""A break after which a clause continues the same statement."""
JOINS = re.compile(r"\b(?:to|until|till|through|and|ile|ve|kadar|dek|degin|aras\w+)\b|[-–—]")
"""Words inside a range: from one day to another."""

_YEAR = re.compile(YEAR)
_SINCE = re.compile(r"\b(?:ever )?since (?:the )?\Z|\b(?:beri|bu yana)\b")
_OPENS = re.compile(r"(?:to|for) the ")
_WORD = re.compile(r"[a-z]+")
_DATE = re.compile(r"\d{1,2}\.?\s")
_ARRANGED = re.compile(r"\b(?:is|are)(?: (?:now|also|just|finally|already))? (?:\w+ed|set|put|brought)\b")
"""A present passive: the class is moved."""
_TRIES = {"month": 12, "year": 2}
"""Number of recurrences in which the given weekday is searched."""


class HeardClause(NamedTuple):
    """A sentence, its folded words, when it was said, and its language."""

    sentence: str
    words: str
    at: datetime
    language: str


def as_named(found: TimeMatch, heard: HeardClause) -> CalendarSpan | None:
    """Return a time as named; None if the tense contradicts: what was done this weekend is not ahead."""
    if found.span.start > heard.at and not (_is_governed(found, heard) and not _is_of_old(heard)):
        clause, _ = _clause(found, heard)
        if is_past(clause) and not is_future(clause):
            return None
    return found.span


def by_tense(found: TimeMatch, heard: HeardClause) -> CalendarSpan | None:
    """Return the recurrence meant: in the past tense the latest, in the future the next, else None."""
    said, span = heard.words[found.start : found.end], found.span
    ahead, behind = _tense(found, heard)
    if _is_arranged(found, heard, ahead, behind):
        if _is_of_old(heard):
            return None
        ahead, behind = True, False
    period = readings(heard.language).period(said, _YEAR)
    if behind and not ahead:
        return _behind(found, heard, period)
    if weekday := _beside(found, heard, period):
        return _on_weekday(weekday, span, period, heard.at if ahead else None)
    ranged = JOINS.search(said) is not None
    if ahead == behind or not period or (span.start <= heard.at < span.end and not ranged):
        return None
    return _still_to_come(span, period, heard.at)


def _is_arranged(found: TimeMatch, heard: HeardClause, ahead: bool, behind: bool) -> bool:
    """Whether a past or passive verb is about a time to come: the class is moved to Friday."""
    is_done = behind or (not ahead and _ARRANGED.search(_clause(found, heard)[1]) is not None)
    return is_done and _is_governed(found, heard)


def is_counted_from_another(found: TimeMatch, heard: HeardClause) -> bool:
    """Whether "two days before" counts from another event: maaştan iki gün önce, hep iki saat önce giderim."""
    if not any_of(f"tense/counted-back.{heard.language}").search(heard.words[found.start : found.end]):
        return False
    start, end = bounds(found, heard)
    clause, behind = heard.words[start:end], heard.words[found.end : end]
    if any_of(f"tense/done-then.{heard.language}").match(behind):
        return False
    told = heard.sentence[start:end]
    is_of_now = is_future(told) or any_of(f"tense/habitual.{heard.language}").search(clause) is not None
    if is_of_now and not is_past(told):
        return True
    return is_after_another(found, heard)


def is_after_another(found: TimeMatch, heard: HeardClause) -> bool:
    """Whether words before a time make it count from another event: sınavdan iki hafta sonra."""
    start, end = bounds(found, heard)
    if not any_of(f"tense/counted-from.{heard.language}").search(heard.words[start : found.start]):
        return False
    return any_of(f"tense/leaves.{heard.language}").search(heard.words[found.end : end]) is None


def _behind(found: TimeMatch, heard: HeardClause, period: str) -> CalendarSpan | None:
    """Return the latest recurrence; None if it may be a deadline or a birthday."""
    _, lead = _clause(found, heard)
    set_for = any_of(f"tense/set-for.{heard.language}").search(lead)
    of_old = period != "week" and any_of(f"tense/lifelong.{heard.language}").search(heard.words)
    if weekday := _beside(found, heard, period):
        last = spans.before(found.span, period)
        if last and weekday.is_on(last) and not weekday.is_on(found.span) and not set_for:
            return last
        if set_for:
            return _on_weekday(weekday, found.span, period, None)
    return found.span if found.span.start <= heard.at and not set_for and not of_old else None


def _is_of_old(heard: HeardClause) -> bool:
    """Whether a decision or move in a sentence may be long ago."""
    return any_of(f"tense/told-of-old.{heard.language}").search(heard.words) is not None


def _is_governed(found: TimeMatch, heard: HeardClause) -> bool:
    """Whether a past verb is about a later time: decided to sell in May, moved to Friday."""
    start, end = bounds(found, heard)
    if heard.language == "tr":
        behind = heard.words[found.start : end]
        return any(any_of(f"{name}.tr").search(behind) is not None for name in ("tense/decided", "tense/moved-to"))
    opens = _OPENS.match(heard.words, found.start)
    lead = heard.words[start : opens.end() if opens else found.start]
    return any(any_of(f"{name}.en").search(lead) is not None for name in ("tense/decided", "tense/moved-to"))


def _tense(found: TimeMatch, heard: HeardClause) -> tuple[bool, bool]:
    """Return whether the clause with a time is about the future, and whether about the past.

    A clause without a verb has the tense of the previous one: an exam on March 10 and another on March 24.
    """
    _, lead = _clause(found, heard)
    start, end = bounds(found, heard)
    if _SINCE.search(lead):
        return is_future(heard.sentence[start:end]), True
    cuts = [cut for cut in any_of(f"tense/clause-breaks.{heard.language}").finditer(heard.words) if cut.end() <= start]
    while True:
        clause = heard.sentence[start:end]
        ahead, behind = is_future(clause) or _is_set(found, heard, (start, end)), is_past(clause)
        is_told = ahead or behind or has_verb(heard.words[start:end], heard.language)
        if is_told or not cuts or not GOES_ON.fullmatch(cuts[-1].group()):
            return ahead, behind
        end = cuts.pop().start()
        start = cuts[-1].end() if cuts else 0


def _is_set(found: TimeMatch, heard: HeardClause, clause: tuple[int, int]) -> bool:
    """Whether a clause only states when something is: my exam is in February, sınavım şubatta."""
    start, end = clause
    is_here = start <= found.start < end
    if not is_here or readings(heard.language).period(heard.words[found.start : found.end], _YEAR) == "week":
        return False
    said = f"{heard.words[start : found.start]}…{heard.words[found.end : end]}"
    return any_of(f"tense/set-ahead.{heard.language}").search(said) is not None


def has_verb(clause: str, language: str) -> bool:
    """Whether a clause has a verb other than is and are."""
    if any_of(f"tense/has-verb.{language}").search(clause):
        return True
    return language == "en" and not (lists.words("verbs-third.en") - {"is"}).isdisjoint(_WORD.findall(clause))


def agrees(span: CalendarSpan, clause: str, at: datetime) -> bool:
    """Whether the tense of a clause is compatible with a past or future time."""
    ahead, behind = is_future(clause), is_past(clause)
    return ahead == behind or not (span.end <= at if ahead else span.start > at)


def with_weekday(found: TimeMatch, heard: HeardClause) -> tuple[int, int]:
    """Return where a Turkish date begins and ends, including a weekday beside it: 8 Mayıs cuma günü."""
    is_date = found.span.end - found.span.start <= timedelta(days=1) and _DATE.match(heard.words, found.start)
    if heard.language != "tr" or not is_date:
        return found.start, found.end
    ahead, behind = _turkish_weekdays()
    before, after = ahead.search(heard.words, 0, found.start), behind.match(heard.words, found.end)
    return before.start() if before else found.start, after.end() if after else found.end


@cache
def _turkish_weekdays() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a weekday right before a date, and right after one (pazar is also the market)."""
    days = one_of(readings("tr").words("weekday"))
    market = r"(?!pazar[a-z]*\s+(?:alis|yer|ara[bc]|tezg|esnaf|git|cik|al))"
    return (
        re.compile(rf"\b{days}(?:\s+gunu)?,?\s+\Z"),
        re.compile(rf"\s+{market}{days}(?:'?(?:dan|den|ya|ye|a|e))?(?:\s+gun[a-z]{{0,6}})?(?!\w)"),
    )


class _Weekday(NamedTuple):
    """Weekday beside a date, 0 for Monday."""

    number: int

    def is_on(self, span: CalendarSpan) -> bool:
        return span.start.weekday() == self.number


def _beside(found: TimeMatch, heard: HeardClause, period: str) -> _Weekday | None:
    """Return the weekday of a date that recurs by month or year: Friday, May 8; 8 Mayıs Cuma."""
    start, end = with_weekday(found, heard)
    words = heard.words[start:end]
    number = readings(heard.language).weekday_named(words) if period in _TRIES else None
    return None if number is None else _Weekday(number)


def _on_weekday(weekday: _Weekday, latest: CalendarSpan, period: str, at: datetime | None) -> CalendarSpan | None:
    """Return the recurrence of a date on its weekday.

    In the future (``at`` is given): the next one on it, else the next date; without a tense: the latest or the next, if
    only
    one of them is on it.
    """
    dates = [latest]
    while len(dates) <= _TRIES[period] and (later := spans.coming(dates[-1], period)):
        dates.append(later)
    if at is None:
        alike = list(filter(weekday.is_on, dates[:2]))
        return alike[0] if len(alike) == 1 else None
    ahead = [one for one in dates if one.end > at]
    return next(filter(weekday.is_on, ahead), ahead[0] if ahead else None)


def _still_to_come(span: CalendarSpan, period: str, at: datetime) -> CalendarSpan | None:
    """Return the next such time that is not over; a range of weekdays must also begin later: said on a Wednesday,
    Monday to Friday means next week.
    """
    found: CalendarSpan | None = span
    while found and (found.end <= at or (period == "week" and found.start < at)):
        found = spans.coming(found, period)
    return found


def _clause(found: TimeMatch, heard: HeardClause) -> tuple[str, str]:
    """Return the clause that names a time, and its part before the time (in Turkish also after it)."""
    start, end = bounds(found, heard)
    clause = heard.sentence[start:end]
    behind = heard.words[found.end : end] if heard.language == "tr" else ""
    return clause, heard.words[start : found.start] + behind


def bounds(found: TimeMatch, heard: HeardClause) -> tuple[int, int]:
    """Return where the clause that names a time begins and ends."""
    start, end = 0, len(heard.words)
    for cut in any_of(f"tense/clause-breaks.{heard.language}").finditer(heard.words):
        if cut.end() <= found.start:
            start = cut.end()
        elif cut.start() >= found.end:
            end = cut.start()
            break
    return start, end
