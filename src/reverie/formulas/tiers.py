"""Importance and tiers: promotion, demotion, the hot tier, falling asleep, eviction from working memory, utility."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values
from reverie.types import IntArray, State

# Tiers: promotion, demotion, the hot tier, falling asleep, eviction from working memory, and utility.


# Which episodic memories become semantic, and which items of working memory outlive their session.


class Promotion(StrEnum):
    """Why a memory moves up, or why it stays."""

    ACCESSED = "accessed often"
    USEFUL = "useful for long"
    CONVERGENT = "several memories share its entity"
    EXEMPT = "pinned or immutable"
    NOT_YET = "no rule met"

    @property
    def moves(self) -> bool:
        """Whether the memory moves up."""
        return self not in (Promotion.EXEMPT, Promotion.NOT_YET)


@dataclass(frozen=True, slots=True)
class PromotionCandidate:
    """What the rules ask of a memory. ``entity_peers`` counts episodic memories, itself too, that share an entity."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int
    pinned: bool = False
    immutable: bool = False


@dataclass(frozen=True, slots=True)
class PromotionEdges:
    """Each rule's least: accesses; utility together with an age; memories around one entity."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int


def decide_promotion(candidate: PromotionCandidate, edges: PromotionEdges) -> Promotion:
    """The first rule that is met; pinned and immutable memories stay where they are.

    Source: tulving-episodic-semantic, cognitive-memory-v9
    """
    if candidate.pinned or candidate.immutable:
        return Promotion.EXEMPT
    if candidate.accesses >= edges.accesses:
        return Promotion.ACCESSED
    if candidate.utility >= edges.utility and candidate.age_days >= edges.age_days:
        return Promotion.USEFUL
    return Promotion.CONVERGENT if candidate.entity_peers >= edges.entity_peers else Promotion.NOT_YET


def outlives_session(accesses: int, importance: float, least_accesses: int, least_importance: float) -> bool:
    """Whether an item of working memory is a candidate for the store: used often enough, or important enough.

    Source: miller-seven, cognitive-memory-v9
    """
    return accesses >= least_accesses or importance >= least_importance


# Which semantic memories go to sleep: long unused and of little use, both.


class Demotion(StrEnum):
    """Why a memory is put to sleep, or why it stays."""

    IDLE_AND_USELESS = "long unused and of little use"
    EXEMPT = "pinned, immutable or a flashbulb"
    IN_USE = "used or useful"

    @property
    def moves(self) -> bool:
        """Whether the memory is put to sleep."""
        return self is Demotion.IDLE_AND_USELESS


@dataclass(frozen=True, slots=True)
class DemotionEdges:
    """From how many idle days on, and below which utility."""

    idle_days: float
    utility: float


def decide_demotion(idle_days: float, utility: float, protected: bool, edges: DemotionEdges) -> Demotion:
    """The decision; ``protected`` is pinned, immutable or flashbulb, which none of this touches.

    Source: pahf-tiers, cognitive-memory-v9
    """
    if protected:
        return Demotion.EXEMPT
    if idle_days >= edges.idle_days and utility < edges.utility:
        return Demotion.IDLE_AND_USELESS
    return Demotion.IN_USE


# The hot tier: the few memories that are injected whatever the cue.


@dataclass(frozen=True, slots=True)
class HotEdges:
    """Least utility and accesses, and the age (since creation, days) that must not be reached.

    ``standing_utility`` is the least utility of what comes by the second door, whatever its count and age.
    """

    utility: float
    accesses: float
    age_days: float
    standing_utility: float


def qualifies(utility: Floats, accesses: Floats, age_days: Floats, active: Bools, edges: HotEdges) -> Bools:
    """Which of m memories are useful, often used, young and active enough.

    Source: cognitive-memory-v9
    """
    result: Bools = active & (utility >= edges.utility) & (accesses >= edges.accesses) & (age_days < edges.age_days)
    return result


def stands(utility: Floats, standing: Bools, active: Bools, edges: HotEdges) -> Bools:
    """Which of m memories come by the second door: active standing instructions and preferences, not found useless.

    Source: cognitive-memory-v9
    """
    result: Bools = active & standing & (utility >= edges.standing_utility)
    return result


def rank(utility: Floats, accesses: Floats, hot: Bools, limit: int) -> IntArray:
    """Indices of at most ``limit`` hot memories: most useful first, then most used, then in their order.

    Source: cognitive-memory-v9
    """
    indices = np.flatnonzero(hot)
    order = np.lexsort((-accesses[indices], -utility[indices]))
    return indices[order][:limit].astype(np.int64)


# The two steps by which an unused memory falls asleep: active → fading → dormant, one step a run.


@dataclass(frozen=True, slots=True)
class FallEdges:
    """Below which retention an active memory fades, and a fading one sleeps."""

    fading: float
    dormant: float


def fallen(state: State, retention: float, edges: FallEdges) -> State:
    """The state after one run: at most one step down, and none up; what sleeps or is out of force stays so.

    Source: openclaw-cognitive-memory
    """
    if state is State.FADING and retention < edges.dormant:
        return State.DORMANT
    if state is State.ACTIVE and retention < edges.fading:
        return State.FADING
    return state


# Which memories were never needed: named to a person, not put away.


def is_candidate(accesses: int, age_cycles: float, threshold_cycles: float) -> bool:
    """Whether a memory was never accessed and has seen more than ``threshold_cycles`` passes of maintenance.

    Source: exocortex-memory
    """
    return accesses == 0 and age_cycles > threshold_cycles


# Which item working memory gives up: the one that matters least, was touched longest ago and used least.


@dataclass(frozen=True, slots=True)
class EvictionLaw:
    """Minutes until recency has fallen to 1/e, and what each access adds."""

    fade_minutes: float
    per_access: float


def eviction_score(importance: Values, idle_minutes: Values, accesses: Values, law: EvictionLaw) -> Floats:
    """Importance times e^(−idle/fade) times (1 + per access · accesses), ≥ 0; the lowest goes.

    The document calls its 30 minutes a half-life, but its formula, which stands, falls to 1/e in that time.

    Source: cognitive-memory-v9
    """
    recency = np.exp(-np.maximum(idle_minutes, 0.0) / law.fade_minutes)
    result: Floats = np.multiply(importance, recency) * (1.0 + law.per_access * np.asarray(accesses))
    return result


# How useful a memory has proved: pulled towards success or failure at each use, adrift towards neutral without.


@dataclass(frozen=True, slots=True)
class UtilityWeights:
    """Shares of meaning, utility and importance in the weighted score; each ≥ 0, sum 1."""

    semantic: float
    utility: float
    importance: float


def after_use(utility: Values, target: Values, alpha: float) -> Floats:
    """Utility u becomes u + α·(target − u): one step of ``alpha`` in [0, 1] towards 1 (it helped) or 0 (it did not).

    Source: cognitive-memory-v9
    """
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, alpha * (np.asarray(target, np.float64) - held))
    return result


def drifted(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """As the document writes it, u + rate·days·(neutral − u); from 1/rate days on exactly ``neutral``, never past it.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0.
        rate: share a day, ≥ 0.
        neutral: where it drifts to.

    Source: cognitive-memory-v9, decision-0011
    """
    share = np.clip(np.multiply(rate, days), 0.0, 1.0)
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, share * (neutral - held))
    return result


def drifted_daily(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """The same step once for each day: neutral + (u − neutral)·(1 − rate)^days; a week is seven days, however applied.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0; parts of a day count in proportion.
        rate: share a day, in [0, 1).
        neutral: where it drifts to.

    Source: decision-0011
    """
    left = np.power(1.0 - rate, np.maximum(days, 0.0))
    result: Floats = np.add(neutral, (np.asarray(utility, np.float64) - neutral) * left)
    return result


def weighted(semantic: Values, utility: Values, importance: Values, weights: UtilityWeights) -> Floats:
    """The weighted sum of the three: meaning decides, the other two break ties.

    Source: cognitive-memory-v9
    """
    result: Floats = np.asarray(
        weights.semantic * np.asarray(semantic)
        + weights.utility * np.asarray(utility)
        + weights.importance * np.asarray(importance),
        np.float64,
    )
    return result


# Importance out of four channels, and how well something was taken in.


# How much a new memory matters: four channels, weighed, lifted or lowered by how well it was encoded.


@dataclass(frozen=True, slots=True)
class Channels:
    """One number a channel: as values each in [0, 1], as weights each ≥ 0 with sum 1."""

    novelty: float
    arousal: float
    reward: float
    attention: float


class Priority(StrEnum):
    """How urgent an importance is."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class PriorityEdges:
    """The least importance of each priority above low."""

    critical: float
    high: float
    normal: float


def importance(channels: Channels, weights: Channels, boost: float) -> float:
    """The weighted sum of the channels times the encoding ``boost`` ≥ 0, in [0, 1]: what exceeds 1 is cut.

    Source: cognitive-memory-v9
    """
    total = (
        channels.novelty * weights.novelty
        + channels.arousal * weights.arousal
        + channels.reward * weights.reward
        + channels.attention * weights.attention
    )
    return min(1.0, total * boost)


def priority(value: float, edges: PriorityEdges) -> Priority:
    """The highest priority whose edge ``value`` reaches.

    Source: cognitive-memory-v9
    """
    if value >= edges.critical:
        return Priority.CRITICAL
    if value >= edges.high:
        return Priority.HIGH
    return Priority.NORMAL if value >= edges.normal else Priority.LOW


# How well a memory was encoded: how much there was to hold on to, how sure the observer was, whether it was asked.


@dataclass(frozen=True, slots=True)
class BoostLaw:
    """The boost's range around 1, and the density (signals counted in the text) at which elaboration is a half."""

    low: float
    high: float
    half_density: float


def encoding_boost(density: float, confidence: float, deliberate: bool, law: BoostLaw) -> float:
    """A factor in [low, high]: 1 where elaboration and certainty balance, ``high`` where somebody asked to remember.

    Args:
        density: information density of the text, ≥ 0.
        confidence: the observer's confidence in what it formed, in [0, 1].
        deliberate: somebody asked to have it remembered.
        law: range and half density.

    Source: craik-lockhart-levels, decision-0009
    """
    if deliberate:
        return law.high
    elaboration = density / (density + law.half_density)
    balance = elaboration + confidence - 1.0
    return 1.0 + balance * (law.high - 1.0 if balance > 0.0 else 1.0 - law.low)
