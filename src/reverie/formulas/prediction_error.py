"""The write gate: what becomes of something new, given the nearest thing already known.

The document heads its table "PE", but its numbers are similarities; they are read so here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
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


def decide(similarity: float, importance: float, contradicts: bool, edges: GateEdges) -> Verdict:
    """The verdict; a contradiction supersedes however similar the two are.

    Args:
        similarity: calibrated cosine to the nearest memory, in [−1, 1].
        importance: of what is new, provisional, in [0, 1].
        contradicts: the nearest memory says otherwise about the same thing.
        edges: where the verdicts change.

    Source: cognitive-memory-v9
    """
    if contradicts:
        return Verdict.SUPERSEDE
    if similarity < edges.create:
        return Verdict.CREATE
    if similarity < edges.update:
        return Verdict.CREATE if importance >= edges.important else Verdict.SKIP
    return Verdict.UPDATE if similarity <= edges.reinforce else Verdict.REINFORCE
