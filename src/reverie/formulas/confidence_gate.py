"""The gate before an answer: better nothing than the least unlike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether the answer is held back, and the best score there was (0 without any)."""

    gated: bool
    best: float


def gate(scores: Sequence[float], threshold: float) -> Gate:
    """Gated where nothing was found, or where even the best combined score lies below ``threshold``.

    Source: openclaw-cognitive-memory
    """
    if not scores:
        return Gate(gated=True, best=0.0)
    best = max(scores)
    return Gate(gated=best < threshold, best=best)
