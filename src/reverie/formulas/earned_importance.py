"""Importance in the vault: everything starts equal, and what happens after moves it.

It is worked out from the events anew each time, neglect last, so that working it out twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Happening(StrEnum):
    """What can happen to an observation."""

    REFERENCED = "referenced by the same agent"
    REFERENCED_BY_OTHER = "referenced by another agent"
    GOOD_OUTCOME = "led to a good outcome"
    VERIFIED = "prediction matched reality"
    FLAGGED_IMPORTANT = "a person called it important"
    FLAGGED_WRONG = "a person called it wrong"
    CONTRADICTED = "contradicted by a newer one"


DIGITS = 12
"""Places that importance is worked out to: three tenths above .5 are .8, not a hair less, for edges lie at tenths."""


@dataclass(frozen=True, slots=True)
class EventTable:
    """What each event adds (contradiction a negative figure), and what the two flags set importance to."""

    referenced: float
    referenced_by_other: float
    good_outcome: float
    verified: float
    contradicted: float
    flagged_important: float
    flagged_wrong: float


@dataclass(frozen=True, slots=True)
class NeglectLaw:
    """What each full period without a reference takes, and the most that neglect takes in all."""

    per_period: float
    period_days: float
    most: float


def after(importance: float, happening: Happening, table: EventTable) -> float:
    """Importance in [0, 1] after one event; a flag sets it, everything else adds.

    Source: ocean-vault
    """
    if happening is Happening.FLAGGED_IMPORTANT:
        return table.flagged_important
    if happening is Happening.FLAGGED_WRONG:
        return table.flagged_wrong
    added = {
        Happening.REFERENCED: table.referenced,
        Happening.REFERENCED_BY_OTHER: table.referenced_by_other,
        Happening.GOOD_OUTCOME: table.good_outcome,
        Happening.VERIFIED: table.verified,
        Happening.CONTRADICTED: table.contradicted,
    }
    return moved(importance, added[happening])


def moved(importance: float, by: float) -> float:
    """Importance in [0, 1] after something was added to it, or, where ``by`` is negative, taken from it.

    Source: ocean-vault
    """
    return min(1.0, max(0.0, round(importance + by, DIGITS)))


def earned(start: float, happenings: Iterable[Happening], table: EventTable) -> float:
    """Importance in [0, 1] after all events in their order, before neglect.

    Source: ocean-vault
    """
    importance = start
    for happening in happenings:
        importance = after(importance, happening, table)
    return importance


def neglected(earned: float, idle_days: float, law: NeglectLaw) -> float:
    """Importance in [0, 1] after neglect, taken from what was ``earned``, never from what neglect left before.

    Args:
        earned: importance before neglect.
        idle_days: since the last reference, else since creation.
        law: what neglect takes.

    Source: ocean-vault
    """
    lost = neglect(idle_days, law)
    return moved(earned, -lost) if lost else earned


def neglect(idle_days: float, law: NeglectLaw) -> float:
    """What neglect takes in all from what was idle for so many days.

    Source: ocean-vault
    """
    periods = max(0.0, idle_days) // law.period_days
    return round(min(law.most, law.per_period * periods), DIGITS)
