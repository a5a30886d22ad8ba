"""Gates: how much is injected by confidence, what a new fact becomes by novelty, which of two duplicates is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# Injection by confidence: whole text, summary, or nothing.


class Band(StrEnum):
    """How much of a memory is injected: the whole text, its summary, or nothing (which is logged)."""

    FULL = "full"
    SUMMARY = "summary"
    WITHHELD = "withheld"


def band(confidence: float, full: float, summary: float) -> Band:
    """Return the band of a confidence in [0, 1]: full from ``full`` on, summary from ``summary`` on, else withheld.

    Source: cognitive-memory-v9
    """
    if confidence >= full:
        return Band.FULL
    return Band.SUMMARY if confidence >= summary else Band.WITHHELD


# The gate before an answer: no answer is better than the least bad one.


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """Whether the answer is withheld, and the best score (0 if there was none)."""

    gated: bool
    best: float


def gate(scores: Sequence[float], threshold: float) -> GateAnswer:
    """Withhold the answer if there are no scores or the best one lies below ``threshold``.

    Source: openclaw-cognitive-memory
    """
    if not scores:
        return GateAnswer(gated=True, best=0.0)
    best = max(scores)
    return GateAnswer(gated=best < threshold, best=best)


# The write gate: what becomes of a fact candidate, given the most similar known memory.


class GateVerdict(StrEnum):
    """What the write gate does with a fact candidate."""

    CREATE = "create"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    REINFORCE = "reinforce"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class GateEdges:
    """Similarity thresholds: new below ``create``, an update from ``update`` on, the same fact above ``reinforce``.

    Between ``create`` and ``update`` a memory is created only if importance is at least ``important``.
    """

    create: float
    update: float
    reinforce: float
    important: float


def prediction_error(similarity: float) -> float:
    """Compute the prediction error 1 − similarity to the nearest memory: 0 when the fact was fully expected.

    Source: cognitive-memory-v9
    """
    return 1.0 - similarity


def decide(similarity: float, importance: float, contradicts: bool, edges: GateEdges) -> GateVerdict:
    """Decide what becomes of a fact candidate; a contradiction supersedes at any similarity.

    Args:
        similarity: calibrated cosine to the nearest memory, in [−1, 1].
        importance: provisional importance of the candidate, in [0, 1].
        contradicts: the nearest memory says something else about the same thing.
        edges: thresholds of the verdicts.

    Source: cognitive-memory-v9
    """
    if contradicts:
        return GateVerdict.SUPERSEDE
    if similarity < edges.create:
        return GateVerdict.CREATE
    if similarity < edges.update:
        return GateVerdict.CREATE if importance >= edges.important else GateVerdict.SKIP
    return GateVerdict.UPDATE if similarity <= edges.reinforce else GateVerdict.REINFORCE


# Duplicates: which of two equal memories is kept, or whether a person must decide.


class Resolution(StrEnum):
    """What becomes of two duplicates: one is deprecated in favour of the other, or the pair is only flagged."""

    KEEP_FIRST = "the second is deprecated"
    KEEP_SECOND = "the first is deprecated"
    FLAG_LOAD_BEARING = "flagged: the one to go is load-bearing"
    FLAG_USER = "flagged: the user asserted both"
    FLAG_INFERRED = "flagged: inferred memories are not deprecated on their own"
    FLAG_ALIKE = "flagged: alike, but not alike enough to act"

    @property
    def is_flag(self) -> bool:
        """Whether the pair is left unchanged for a person to decide."""
        return self not in (Resolution.KEEP_FIRST, Resolution.KEEP_SECOND)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Properties of a memory that decide between duplicates. ``created_s`` is in seconds of one epoch for both."""

    created_s: float
    load_bearing: bool = False
    confirmed: bool = False
    user_asserted: bool = False
    deprecated: bool = False


def resolve(first: Duplicate, second: Duplicate, auto_deprecate_inferred: bool) -> Resolution:
    """Choose which of two duplicates is kept: confirmed over user-asserted over inferred, then the newer.

    A pair that the user asserted both times is flagged, and a load-bearing memory is never deprecated: where it would
    lose, the pair is flagged instead. Of two equally old ones the first is kept.

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
