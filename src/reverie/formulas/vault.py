"""Formulas of the vault: earned importance, sharing, the decay sweep, and references between observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Importance of an observation: all start equal, and events change it.


class ObservationHappening(StrEnum):
    """An event that changes the importance of an observation."""

    REFERENCED = "referenced by the same agent"
    REFERENCED_BY_OTHER = "referenced by another agent"
    GOOD_OUTCOME = "led to a good outcome"
    VERIFIED = "prediction matched reality"
    FLAGGED_IMPORTANT = "a person called it important"
    FLAGGED_WRONG = "a person called it wrong"
    CONTRADICTED = "contradicted by a newer one"


DIGITS = 12
"""Decimal places importance is rounded to, so that .5 plus three tenths equals the threshold .8 exactly."""


@dataclass(frozen=True, slots=True)
class EventTable:
    """Change of importance by each event (negative for a contradiction), and the values that the two flags set."""

    referenced: float
    referenced_by_other: float
    good_outcome: float
    verified: float
    contradicted: float
    flagged_important: float
    flagged_wrong: float


@dataclass(frozen=True, slots=True)
class NeglectLaw:
    """Loss of importance per full period without a reference, and the largest loss in all."""

    per_period: float
    period_days: float
    most: float


def after(importance: float, happening: ObservationHappening, table: EventTable) -> float:
    """Compute importance in [0, 1] after one event: a flag sets it, every other event adds.

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
    """Add ``by``, which may be negative, to importance; the result is rounded and clipped to [0, 1].

    Source: ocean-vault
    """
    return min(1.0, max(0.0, round(importance + by, DIGITS)))


def earned(start: float, happenings: Iterable[ObservationHappening], table: EventTable) -> float:
    """Compute importance in [0, 1] after all events in order, before neglect.

    Source: ocean-vault
    """
    importance = start
    for happening in happenings:
        importance = after(importance, happening, table)
    return importance


def neglected(earned: float, idle_days: float, law: NeglectLaw) -> float:
    """Compute importance in [0, 1] after neglect, always from the ``earned`` value, so that losses do not compound.

    Args:
        earned: importance before neglect.
        idle_days: days since the last reference, else since creation.
        law: loss by neglect.

    Source: ocean-vault
    """
    lost = neglect(idle_days, law)
    return moved(earned, -lost) if lost else earned


def neglect(idle_days: float, law: NeglectLaw) -> float:
    """Compute the total loss of importance by neglect after ``idle_days`` without a reference.

    Source: ocean-vault
    """
    periods = max(0.0, idle_days) // law.period_days
    return round(min(law.most, law.per_period * periods), DIGITS)


# Sharing: which observations all agents may read.


class SharedTruth(StrEnum):
    """Why an observation is shared with all agents, or that it is not."""

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
    """Least importance for sharing, and the lower one for verified observations."""

    importance: float
    verified_importance: float


def sharing_verdict(importance: float, verified: bool, by_person: bool, edges: VaultPromotionEdges) -> SharedTruth:
    """Return the first rule by which an observation is shared, or ``NOT_YET``.

    Source: ocean-vault
    """
    if by_person:
        return SharedTruth.BY_PERSON
    if importance >= edges.importance:
        return SharedTruth.EARNED
    if verified and importance >= edges.verified_importance:
        return SharedTruth.VERIFIED
    return SharedTruth.NOT_YET


# The daily decay sweep: archive, ask a person, or extend.


class Sweep(StrEnum):
    """What the sweep does with an observation."""

    ARCHIVE = "archive"
    REVIEW = "review"
    EXTEND = "extend"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SweepEdges:
    """Below ``floor`` archived at any age; past the maximum age: archived below ``low``, extended from ``high`` on."""

    floor: float
    low: float
    high: float


def sweep_verdict(age_days: float, effective_max_age_days: float, importance: float, edges: SweepEdges) -> Sweep:
    """Decide what the sweep does with an observation; past its age, between ``low`` and ``high``, a person reviews it.

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
    """Compute the declared maximum age after one extension: ``factor`` ≥ 1 times the old one.

    Source: ocean-vault
    """
    return max_age_days * factor


# References between observations, resolved from backlinks as people write them.


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """Name of an observation: its id and its agent, since ids are unique only per agent."""

    agent: str
    id: str


def meant(link: str, agent: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the observations a backlink of ``agent`` may mean: ``other/obs-…`` names the agent; a bare id is its own.

    If the agent has no observation with that bare id, those of all other agents with it are returned.

    Source: ocean-vault
    """
    owner, slash, bare = link.rpartition("/")
    bearers = sorted({name for name in names if name.id == bare and (not slash or name.agent == owner)})
    own = tuple(name for name in bearers if name.agent == agent)
    return own or tuple(bearers)


def resolved(link: str, agent: str, names: Iterable[Name]) -> Name | None:
    """Return the one observation a backlink of ``agent`` means, or None if there is none or more than one.

    Source: ocean-vault
    """
    found = meant(link, agent, names)
    return found[0] if len(found) == 1 else None


def references(backlinks: Sequence[tuple[Name, Sequence[str]]]) -> dict[Name, tuple[Name, ...]]:
    """Map each observation to those that refer to it, unique and sorted (its ``ref_by``; their number is ``refs``).

    References of an observation to itself are ignored.

    Args:
        backlinks: every observation with its backlinks.

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
