"""Gates: release an answer by its confidence, create a memory by its novelty, choose which duplicate to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# How much of a memory is injected, by how sure we are that it bears on the cue.


class Band(StrEnum):
    """The whole text, its summary, or nothing (which is logged)."""

    FULL = "full"
    SUMMARY = "summary"
    WITHHELD = "withheld"


def band(confidence: float, full: float, summary: float) -> Band:
    """The band of a confidence in [0, 1]: from ``full`` on whole, from ``summary`` on abbreviated, else withheld.

    Source: cognitive-memory-v9
    """
    if confidence >= full:
        return Band.FULL
    return Band.SUMMARY if confidence >= summary else Band.WITHHELD


# The gate before an answer: better nothing than the least unlike.


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """Whether the answer is held back, and the best score there was (0 without any)."""

    gated: bool
    best: float


def gate(scores: Sequence[float], threshold: float) -> GateAnswer:
    """Gated where nothing was found, or where even the best combined score lies below ``threshold``.

    Source: openclaw-cognitive-memory
    """
    if not scores:
        return GateAnswer(gated=True, best=0.0)
    best = max(scores)
    return GateAnswer(gated=best < threshold, best=best)


# The write gate: what becomes of something new, given the nearest thing already known.


class GateVerdict(StrEnum):
    """What becomes of it."""

    CREATE = "create"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    REINFORCE = "reinforce"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class GateEdges:
    """Below ``create`` it is new; from ``update`` on it adds to what is known; above ``reinforce`` it is the same.

    Between ``create`` and ``update`` only an importance of at least ``important`` makes it worth a memory.
    """

    create: float
    update: float
    reinforce: float
    important: float


def prediction_error(similarity: float) -> float:
    """1 − similarity to the nearest memory: 0 when it was to be expected.

    Source: cognitive-memory-v9
    """
    return 1.0 - similarity


def decide(similarity: float, importance: float, contradicts: bool, edges: GateEdges) -> GateVerdict:
    """The verdict; a contradiction supersedes however similar the two are.

    Args:
        similarity: calibrated cosine to the nearest memory, in [−1, 1].
        importance: of what is new, provisional, in [0, 1].
        contradicts: the nearest memory says otherwise about the same thing.
        edges: where the verdicts change.

    Source: cognitive-memory-v9
    """
    if contradicts:
        return GateVerdict.SUPERSEDE
    if similarity < edges.create:
        return GateVerdict.CREATE
    if similarity < edges.update:
        return GateVerdict.CREATE if importance >= edges.important else GateVerdict.SKIP
    return GateVerdict.UPDATE if similarity <= edges.reinforce else GateVerdict.REINFORCE


# Which of two memories that say the same stays, or whether a person must decide.


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
