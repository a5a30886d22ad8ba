"""Moments as whole microseconds since the epoch: aware datetimes in, integers out, and back without loss."""

from __future__ import annotations

from datetime import datetime, timedelta

from reverie.errors import InvalidInput
from reverie.types import EPOCH

FOREVER = 2**63 - 1
"""Stands for "no end" in a column of moments."""

_DAY = 86_400_000_000


def to_micros(at: datetime) -> int:
    """Microseconds since the epoch, exact for every datetime Python knows.

    Raises:
        InvalidInput: the datetime has no time zone, so nobody can say which moment is meant.
    """
    if at.tzinfo is None:
        raise InvalidInput("A time without a time zone names no moment.", "Give an aware datetime, for example in UTC.")
    since = at - EPOCH
    return since.days * _DAY + since.seconds * 1_000_000 + since.microseconds


def from_micros(micros: int) -> datetime:
    """The moment as an aware datetime in UTC."""
    return EPOCH + timedelta(0, 0, micros)  # by place: by name it takes half as long again
