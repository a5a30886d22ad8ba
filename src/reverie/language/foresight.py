"""Foresight: what a text says is going to happen, and until when that is worth remembering. No model; two languages.

In: a text and its time. Out: the sentences that look ahead and the moment after which they are no longer true.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from reverie.errors import InvalidInput
from reverie.language.dating import moments
from reverie.language.sentences import sentences
from reverie.language.tenses import is_future
from reverie.language.time_spans import LATEST

TEXT_MAX = 4000
"""Characters that are looked at."""
DEFAULT_DAYS = 7.0
"""How long a plan without a date is taken to be open (document D)."""


class Temporal(StrEnum):
    """Whether something is true until further notice, or only up to a time."""

    PERSISTENT = "persistent"
    TIME_BOUNDED = "time_bounded"


@dataclass(frozen=True, slots=True)
class Foresight:
    """The sentences that look ahead (``signals``), and ``valid_until``, in UTC: from then on they are past."""

    signals: tuple[str, ...]
    valid_until: datetime


def foresight(text: str, at: datetime, default_days: float = DEFAULT_DAYS) -> Foresight | None:
    """What a text says is going to be; None if it says no such thing.

    ``valid_until`` is the end of the last date that such a sentence names and that is not yet over at ``at`` (aware),
    or else ``default_days`` after it.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    if at.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    signals = tuple(sentence for sentence in sentences(text[:TEXT_MAX]) if is_future(sentence))
    if not signals:
        return None
    now = at.astimezone(UTC)
    ends = [moment.span.end for sentence in signals for moment in moments(sentence, now) if moment.span.end > now]
    return Foresight(signals, max(ends, default=None) or _after(now, default_days))


def _after(now: datetime, days: float) -> datetime:
    """So many days on, or the calendar's end."""
    return now + min(timedelta(days=days), LATEST - now)


def temporal_type(seen: Foresight | None) -> Temporal:
    """What foresight makes of a text: time-bounded if it looks ahead, persistent otherwise."""
    return Temporal.TIME_BOUNDED if seen else Temporal.PERSISTENT
