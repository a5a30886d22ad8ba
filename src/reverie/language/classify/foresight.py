"""Foresight: what a text says is going to happen, and until when that is worth remembering. No model; two languages.

In: a text and its time. Out: the sentences that look ahead and the moment after which they are no longer true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, date, datetime, timedelta

from reverie.errors import InvalidInput
from reverie.language.claims import is_future
from reverie.language.classify.categories import plain_category
from reverie.language.text import patterns
from reverie.language.text.patterns import sentences
from reverie.language.time.dates import moments
from reverie.language.time.spans import LATEST, CalendarSpan, days
from reverie.types import Kind

TEXT_MAX = 4000
"""Characters that are looked at."""
DEFAULT_DAYS = 7.0
"""How long a plan without a date is taken to be open (document D)."""

_HANGS_ON = re.compile(r"\b(?:which|who|that|while|if|though|although)\b")
"""What opens a clause that says something about another, or only thinks of it."""
_HAS_SUBJECT = re.compile(r"(?:i|we|he|she|they|my|our|his|her|their)\b", re.IGNORECASE)
"""With what an English clause behind another begins that may be a statement of its own."""
_LASTING = (Kind.FACT, Kind.PREFERENCE, Kind.INSTRUCTION)


@dataclass(frozen=True, slots=True)
class Foresight:
    """The sentences that look ahead (``signals``), and ``valid_until``, in UTC: from then on they are past.

    None: nobody knows when, for the time they name is none of the calendar (at Easter, one day) or only the beginning
    (from May on), or the sentence also says something lasting.
    """

    signals: tuple[str, ...]
    valid_until: datetime | None


def foresight(text: str, at: datetime, default_days: float = DEFAULT_DAYS) -> Foresight | None:
    """What a text says is going to be; None if it says no such thing.

    ``valid_until`` is the end of the last date that such a sentence names and that is not yet over at ``at`` (aware),
    None where one names a time that is not understood or only a first day, or else ``default_days`` after ``at``.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    if at.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    signals = tuple(sentence for sentence in sentences(text[:TEXT_MAX]) if is_future(sentence))
    if not signals:
        return None
    now = at.astimezone(UTC)
    ends: list[datetime] = []
    if any(map(_holds_what_lasts, signals)):
        return Foresight(signals, None)
    for sentence in signals:
        named = [span.end for span in _named(sentence, now) if span.end > now]
        if _has_no_end(sentence, named):
            return Foresight(signals, None)
        ends += named
    return Foresight(signals, max(ends, default=None) or _after(now, default_days))


def _has_no_end(sentence: str, named: list[datetime]) -> bool:
    """Whether a sentence does not say when its plan ends; ``named`` are the ends it names."""
    return _only_begins(sentence) or (not named and patterns.found("foresight/open-ended", sentence))


def _only_begins(sentence: str) -> bool:
    """Whether a sentence names a first day but no last one: from 10 May I'll live in Hull."""
    return patterns.found("foresight/open-start", sentence) and not patterns.found("foresight/open-start-not", sentence)


def _holds_what_lasts(sentence: str) -> bool:
    """Whether a clause beside the plan says something lasting: I have two kids and we're going to Rome on Friday."""
    words, languages = patterns.read(sentence)
    for language in languages:
        breaks = patterns.any_of(f"tense/clause-breaks.{language}").finditer(words)
        cuts = [cut for cut in breaks if not _HANGS_ON.search(cut.group())]
        places = zip([0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(words)], strict=True)
        clauses = [sentence[start:end].strip() for start, end in places] if cuts else []
        if language == "en":
            clauses = [*clauses[:1], *filter(_HAS_SUBJECT.match, clauses[1:])]
        if any(plain_category(clause) in _LASTING and not is_future(clause) for clause in clauses):
            return True
    return False


def _named(sentence: str, now: datetime) -> list[CalendarSpan]:
    """The times a sentence names; where there is none, the next feast that it names."""
    spans = [moment.span for moment in moments(sentence, now)]
    feast = None if spans else patterns.label("foresight/feasts", sentence)
    if feast is None:
        return spans
    month, day = map(int, feast.split("-"))
    coming = (date(year, month, day) for year in (now.year, now.year + 1) if year < MAXYEAR)
    return [days(one) for one in coming if one >= now.date()][:1]


def _after(now: datetime, days: float) -> datetime:
    """So many days on, or the calendar's end."""
    return now + min(timedelta(days=days), LATEST - now)
