"""Which of two memories that say the same stays, or whether a person must decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Resolution(StrEnum):
    """What becomes of the pair: one is deprecated in favour of the other, or it is flagged and left as it is."""

    KEEP_FIRST = "the second is deprecated"
    KEEP_SECOND = "the first is deprecated"
    FLAG_LOAD_BEARING = "flagged: the one to go is load-bearing"
    FLAG_USER = "flagged: the user asserted both"
    FLAG_INFERRED = "flagged: inferred memories are not deprecated on their own"
    FLAG_ALIKE = "flagged: alike, but not alike enough to act"

    @property
    def is_flag(self) -> bool:
        """Whether nothing is changed and a person is asked."""
        return self not in (Resolution.KEEP_FIRST, Resolution.KEEP_SECOND)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What decides between two. ``created_s`` is in seconds of any epoch, the same for both."""

    created_s: float
    load_bearing: bool = False
    confirmed: bool = False
    user_asserted: bool = False
    deprecated: bool = False


def resolve(first: Duplicate, second: Duplicate, auto_deprecate_inferred: bool) -> Resolution:
    """Both asserted by the user: flag. Else confirmed, then asserted, then inferred; then the newer stays.

    What is load-bearing is never deprecated: where it would lose, the pair is flagged instead. Of two equally old the
    first stays.

    Source: exocortex-memory
    """
    if first.load_bearing and second.load_bearing:
        return Resolution.FLAG_LOAD_BEARING
    if first.user_asserted and second.user_asserted:
        return Resolution.FLAG_USER
    ranks = _rank(first), _rank(second)
    if ranks == (1, 1) and not auto_deprecate_inferred:
        return Resolution.FLAG_INFERRED
    second_stays = (ranks[1], second.created_s) > (ranks[0], first.created_s)
    if (first if second_stays else second).load_bearing:
        return Resolution.FLAG_LOAD_BEARING
    return Resolution.KEEP_SECOND if second_stays else Resolution.KEEP_FIRST


def _rank(memory: Duplicate) -> int:
    if memory.deprecated:
        return 0
    if memory.confirmed:
        return 3
    return 2 if memory.user_asserted else 1
