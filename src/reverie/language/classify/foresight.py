"""Detect foresight: what a text says will happen, and until when that is worth remembering; without a model.

In: a text and its time. Out: the sentences about the future, and the time after which they no longer hold.
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
"""Number of characters examined."""
DEFAULT_DAYS = 7.0
"""Days for which a plan without a date stays open (document D)."""

_HANGS_ON = re.compile(r"\b(?:which|who|that|while|if|though|although)\b")
"""Words that begin a clause about another, or a hypothetical one."""
_HAS_SUBJECT = re.compile(r"(?:i|we|he|she|they|my|our|his|her|their)\b", re.IGNORECASE)
"""Beginnings of an English clause that may be a statement of its own."""
_LASTING = (Kind.FACT, Kind.PREFERENCE, Kind.INSTRUCTION)


@dataclass(frozen=True, slots=True)
class Foresight:
    """Sentences about the future (``signals``), and ``valid_until``, in UTC, from when they are past.

    None if the end is unknown: they name no calendar date (at Easter, one day) or only a beginning
    (from May on), or also state something lasting.
    """

    signals: tuple[str, ...]
    valid_until: datetime | None


def foresight(text: str, at: datetime, default_days: float = DEFAULT_DAYS) -> Foresight | None:
    """Detect what a text says will happen; None if nothing.

    ``valid_until`` is the end of the last date in such sentences that is after ``at`` (aware), None if a sentence names
    an unresolved time or only a first day, or else ``default_days`` after ``at``.

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
    """Whether a sentence leaves its end open; ``named`` are the ends it names."""
    return _only_begins(sentence) or (not named and patterns.found("foresight/open-ended", sentence))


def _only_begins(sentence: str) -> bool:
    """Whether a sentence names only the first day of what it states: from 10 May I'll live in Hull."""
    return patterns.found("foresight/open-start", sentence) and not patterns.found("foresight/open-start-not", sentence)


def _holds_what_lasts(sentence: str) -> bool:
    """Whether a clause beside the plan states something lasting: I have two kids and we're going to Rome on Friday."""
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
    """Return the times a sentence names; if none, the next feast that it names."""
    spans = [moment.span for moment in moments(sentence, now)]
    feast = None if spans else patterns.label("foresight/feasts", sentence)
    if feast is None:
        return spans
    month, day = map(int, feast.split("-"))
    coming = (date(year, month, day) for year in (now.year, now.year + 1) if year < MAXYEAR)
    return [days(one) for one in coming if one >= now.date()][:1]


def _after(now: datetime, days: float) -> datetime:
    """Return ``now`` plus ``days``, at most the end of the calendar."""
    return now + min(timedelta(days=days), LATEST - now)
