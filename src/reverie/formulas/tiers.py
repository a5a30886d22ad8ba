"""Importance and tiers: promotion, demotion, the hot tier, dormancy, eviction from working memory, utility."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values
from reverie.types import IntArray, State

# Promotion: which episodic memories become semantic, and which items of working memory outlive their session.


class Promotion(StrEnum):
    """Why a memory is promoted, or why it is not."""

    ACCESSED = "accessed often"
    USEFUL = "useful for long"
    CONVERGENT = "several memories share its entity"
    EXEMPT = "pinned or immutable"
    NOT_YET = "no rule met"

    @property
    def moves(self) -> bool:
        """Whether the memory is promoted."""
        return self not in (Promotion.EXEMPT, Promotion.NOT_YET)


@dataclass(frozen=True, slots=True)
class PromotionCandidate:
    """Properties that decide promotion. ``entity_peers``: episodic memories that share an entity, itself included."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int
    pinned: bool = False
    immutable: bool = False


@dataclass(frozen=True, slots=True)
class PromotionEdges:
    """Minimum of each rule: accesses; utility together with age; memories that share one entity."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int


def decide_promotion(candidate: PromotionCandidate, edges: PromotionEdges) -> Promotion:
    """Return the first promotion rule that a memory meets; pinned and immutable memories are exempt.

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
    """Whether an item of working memory may be stored at the end of the session: used often or important enough.

    Source: miller-seven, cognitive-memory-v9
    """
    return accesses >= least_accesses or importance >= least_importance


# Demotion: which semantic memories become dormant.


class Demotion(StrEnum):
    """Why a memory becomes dormant, or why it does not."""

    IDLE_AND_USELESS = "long unused and of little use"
    EXEMPT = "pinned, immutable or a flashbulb"
    IN_USE = "used or useful"

    @property
    def moves(self) -> bool:
        """Whether the memory becomes dormant."""
        return self is Demotion.IDLE_AND_USELESS


@dataclass(frozen=True, slots=True)
class DemotionEdges:
    """Demotion applies from this many idle days on and below this utility."""

    idle_days: float
    utility: float


def decide_demotion(idle_days: float, utility: float, protected: bool, edges: DemotionEdges) -> Demotion:
    """Decide whether a memory becomes dormant; ``protected`` (pinned, immutable or flashbulb) memories never do.

    Source: pahf-tiers, cognitive-memory-v9
    """
    if protected:
        return Demotion.EXEMPT
    if idle_days >= edges.idle_days and utility < edges.utility:
        return Demotion.IDLE_AND_USELESS
    return Demotion.IN_USE


# The hot tier: the few memories injected for every cue.


@dataclass(frozen=True, slots=True)
class HotEdges:
    """Minimum utility and accesses, and the age in days since creation (exclusive), for the hot tier.

    ``standing_utility``: minimum utility of standing instructions, whatever their accesses and age.
    """

    utility: float
    accesses: float
    age_days: float
    standing_utility: float


def qualifies(utility: Floats, accesses: Floats, age_days: Floats, active: Bools, edges: HotEdges) -> Bools:
    """Compute which of m memories qualify for the hot tier: active, useful, often used and young.

    Source: cognitive-memory-v9
    """
    result: Bools = active & (utility >= edges.utility) & (accesses >= edges.accesses) & (age_days < edges.age_days)
    return result


def stands(utility: Floats, standing: Bools, active: Bools, edges: HotEdges) -> Bools:
    """Compute which of m memories are hot as active standing instructions or preferences of enough utility.

    Source: cognitive-memory-v9
    """
    result: Bools = active & standing & (utility >= edges.standing_utility)
    return result


def rank(utility: Floats, accesses: Floats, hot: Bools, limit: int) -> IntArray:
    """Return indices of at most ``limit`` hot memories: highest utility first, then most accesses, then in order.

    Source: cognitive-memory-v9
    """
    indices = np.flatnonzero(hot)
    order = np.lexsort((-accesses[indices], -utility[indices]))
    return indices[order][:limit].astype(np.int64)


# Dormancy in two steps: active → fading → dormant, one step per run.


@dataclass(frozen=True, slots=True)
class FallEdges:
    """Retention below which an active memory fades, and below which a fading one becomes dormant."""

    fading: float
    dormant: float


def fallen(state: State, retention: float, edges: FallEdges) -> State:
    """Return the lifecycle state after one run: at most one step towards dormant; dormant and closed states stay.

    Source: openclaw-cognitive-memory
    """
    if state is State.FADING and retention < edges.dormant:
        return State.DORMANT
    if state is State.ACTIVE and retention < edges.fading:
        return State.FADING
    return state


# Memories that were never needed: listed for a person, not removed.


def is_candidate(accesses: int, age_cycles: float, threshold_cycles: float) -> bool:
    """Whether a memory was never accessed in more than ``threshold_cycles`` maintenance passes.

    Source: exocortex-memory
    """
    return accesses == 0 and age_cycles > threshold_cycles


@dataclass(frozen=True, slots=True)
class EvictionLaw:
    """Minutes in which recency falls to 1/e, and the gain per access."""

    fade_minutes: float
    per_access: float


def eviction_score(importance: Values, idle_minutes: Values, accesses: Values, law: EvictionLaw) -> Floats:
    """Score an item of working memory for eviction, lowest first: importance · e^(−idle/fade) · (1 + gain · accesses).

    The document calls its 30 minutes a half-life, but its formula, used here, falls to 1/e in that time.

    Source: cognitive-memory-v9
    """
    recency = np.exp(-np.maximum(idle_minutes, 0.0) / law.fade_minutes)
    result: Floats = np.multiply(importance, recency) * (1.0 + law.per_access * np.asarray(accesses))
    return result


# Utility: moves towards success or failure at each use, and drifts towards neutral when unused.


@dataclass(frozen=True, slots=True)
class UtilityWeights:
    """Weights of semantic similarity, utility and importance in the weighted score; each ≥ 0, sum 1."""

    semantic: float
    utility: float
    importance: float


def after_use(utility: Values, target: Values, alpha: float) -> Floats:
    """Update utility after a use: u + α·(target − u), with target 1 if the memory helped and 0 if not; α in [0, 1].

    Source: cognitive-memory-v9
    """
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, alpha * (np.asarray(target, np.float64) - held))
    return result


def drifted(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """Drift unused utility linearly towards neutral: u + rate·days·(neutral − u); exactly neutral from 1/rate days on.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0.
        rate: share per day, ≥ 0.
        neutral: value it drifts towards.

    Source: cognitive-memory-v9, decision-0011
    """
    share = np.clip(np.multiply(rate, days), 0.0, 1.0)
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, share * (neutral - held))
    return result


def drifted_daily(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """Drift unused utility day by day: neutral + (u − neutral)·(1 − rate)^days, the same however days are split.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0; parts of a day count in proportion.
        rate: share per day, in [0, 1).
        neutral: value it drifts towards.

    Source: decision-0011
    """
    left = np.power(1.0 - rate, np.maximum(days, 0.0))
    result: Floats = np.add(neutral, (np.asarray(utility, np.float64) - neutral) * left)
    return result


def weighted(semantic: Values, utility: Values, importance: Values, weights: UtilityWeights) -> Floats:
    """Compute the weighted sum of similarity, utility and importance: similarity dominates, the others break ties.

    Source: cognitive-memory-v9
    """
    result: Floats = np.asarray(
        weights.semantic * np.asarray(semantic)
        + weights.utility * np.asarray(utility)
        + weights.importance * np.asarray(importance),
        np.float64,
    )
    return result


# Importance of a new memory: four weighted channels times how well it was encoded.


@dataclass(frozen=True, slots=True)
class Channels:
    """One number per channel: a value in [0, 1], or a weight ≥ 0 (weights sum to 1)."""

    novelty: float
    arousal: float
    reward: float
    attention: float


class Priority(StrEnum):
    """Priority class of an importance."""

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
    """Compute importance: the weighted sum of the channels times the encoding ``boost`` ≥ 0, at most 1.

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
    """Return the highest priority whose threshold ``value`` reaches.

    Source: cognitive-memory-v9
    """
    if value >= edges.critical:
        return Priority.CRITICAL
    if value >= edges.high:
        return Priority.HIGH
    return Priority.NORMAL if value >= edges.normal else Priority.LOW


# Encoding quality: elaboration, the observer's certainty, and whether somebody asked to remember.


@dataclass(frozen=True, slots=True)
class BoostLaw:
    """Range of the boost around 1, and the density (signals in the text) at which elaboration is ½."""

    low: float
    high: float
    half_density: float


def encoding_boost(density: float, confidence: float, deliberate: bool, law: BoostLaw) -> float:
    """Compute the encoding boost in [low, high]: 1 for elaboration + confidence = 1, ``high`` if deliberate.

    Args:
        density: information density of the text, ≥ 0.
        confidence: the observer's confidence in what it formed, in [0, 1].
        deliberate: somebody asked for it to be remembered.
        law: range and half density.

    Source: craik-lockhart-levels, decision-0009
    """
    if deliberate:
        return law.high
    elaboration = density / (density + law.half_density)
    balance = elaboration + confidence - 1.0
    return 1.0 + balance * (law.high - 1.0 if balance > 0.0 else 1.0 - law.low)
