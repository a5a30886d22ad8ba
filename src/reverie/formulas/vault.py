"""The vault's formulas: earned importance, sharing, the decay sweep, and references between observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Importance in the vault: everything starts equal, and what happens after moves it.


class ObservationHappening(StrEnum):
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


def after(importance: float, happening: ObservationHappening, table: EventTable) -> float:
    """Importance in [0, 1] after one event; a flag sets it, everything else adds.

    Source: ocean-vault
    """
    if happening is ObservationHappening.FLAGGED_IMPORTANT:
        return table.flagged_important
    if happening is ObservationHappening.FLAGGED_WRONG:
        return table.flagged_wrong
    added = {
        ObservationHappening.REFERENCED: table.referenced,
        ObservationHappening.REFERENCED_BY_OTHER: table.referenced_by_other,
        ObservationHappening.GOOD_OUTCOME: table.good_outcome,
        ObservationHappening.VERIFIED: table.verified,
        ObservationHappening.CONTRADICTED: table.contradicted,
    }
    return moved(importance, added[happening])


def moved(importance: float, by: float) -> float:
    """Importance in [0, 1] after something was added to it, or, where ``by`` is negative, taken from it.

    Source: ocean-vault
    """
    return min(1.0, max(0.0, round(importance + by, DIGITS)))


def earned(start: float, happenings: Iterable[ObservationHappening], table: EventTable) -> float:
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


# Which observations all agents get to read.


class SharedTruth(StrEnum):
    """Why an observation is shared with other agents, or why not."""

    BY_PERSON = "a person said so"
    EARNED = "important by use"
    VERIFIED = "verified and important"
    NOT_YET = "not yet"

    @property
    def moves(self) -> bool:
        """Whether the observation is shared."""
        return self is not SharedTruth.NOT_YET


@dataclass(frozen=True, slots=True)
class VaultPromotionEdges:
    """The least importance, and the least of what is verified."""

    importance: float
    verified_importance: float


def sharing_verdict(importance: float, verified: bool, by_person: bool, edges: VaultPromotionEdges) -> SharedTruth:
    """The first reason there is to share an observation.

    Source: ocean-vault
    """
    if by_person:
        return SharedTruth.BY_PERSON
    if importance >= edges.importance:
        return SharedTruth.EARNED
    if verified and importance >= edges.verified_importance:
        return SharedTruth.VERIFIED
    return SharedTruth.NOT_YET


# The daily sweep over the vault: what is archived, shown to a person, or given more time.


class Sweep(StrEnum):
    """What becomes of an observation."""

    ARCHIVE = "archive"
    REVIEW = "review"
    EXTEND = "extend"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SweepEdges:
    """``floor``: below it archived at any age. Past its age: archived below ``low``, extended from ``high`` on."""

    floor: float
    low: float
    high: float


def sweep_verdict(age_days: float, effective_max_age_days: float, importance: float, edges: SweepEdges) -> Sweep:
    """The verdict on one observation; between ``low`` and ``high`` and past its age, a person looks at it.

    Source: ocean-vault
    """
    if importance < edges.floor:
        return Sweep.ARCHIVE
    if age_days <= effective_max_age_days:
        return Sweep.KEEP
    if importance < edges.low:
        return Sweep.ARCHIVE
    return Sweep.REVIEW if importance < edges.high else Sweep.EXTEND


def extended(max_age_days: float, factor: float) -> float:
    """The declared maximum age after one extension, ``factor`` ≥ 1 times what it was.

    Source: ocean-vault
    """
    return max_age_days * factor


# Who refers to whom in the vault, resolved from the backlinks as people write them.


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An observation: ids collide between agents, so the agent is part of its name."""

    agent: str
    id: str


def meant(link: str, agent: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """The observations a backlink of ``agent`` may mean: ``other/obs-…`` names its agent; a bare id the agent's own.

    A bare id that is nobody's own may mean every other agent's of that name.

    Source: ocean-vault
    """
    owner, slash, bare = link.rpartition("/")
    bearers = sorted({name for name in names if name.id == bare and (not slash or name.agent == owner)})
    own = tuple(name for name in bearers if name.agent == agent)
    return own or tuple(bearers)


def resolved(link: str, agent: str, names: Iterable[Name]) -> Name | None:
    """The one observation a backlink of ``agent`` means; None where it may mean none, or several.

    Source: ocean-vault
    """
    found = meant(link, agent, names)
    return found[0] if len(found) == 1 else None


def references(backlinks: Sequence[tuple[Name, Sequence[str]]]) -> dict[Name, tuple[Name, ...]]:
    """For each observation those that refer to it (its ``ref_by``; their number is ``refs``), each once, sorted.

    Nobody refers to themselves.

    Args:
        backlinks: every observation with the backlinks it carries.

    Source: ocean-vault
    """
    by_id: dict[str, list[Name]] = {}
    for name, _ in backlinks:
        by_id.setdefault(name.id, []).append(name)
    found: dict[Name, set[Name]] = {name: set() for name, _ in backlinks}
    for name, links in backlinks:
        for link in links:
            target = resolved(link, name.agent, by_id.get(link.rpartition("/")[2], ()))
            if target is not None and target != name:
                found[target].add(name)
    return {name: tuple(sorted(sources)) for name, sources in found.items()}
