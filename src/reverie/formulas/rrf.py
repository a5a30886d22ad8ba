"""Reciprocal rank fusion: several rankings into one, from the ranks alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def rrf(rankings: Sequence[Sequence[Item]], k: int = 60, weights: Sequence[float] | None = None) -> dict[Item, float]:
    """Sum of weight/(k + rank) over the rankings an item stands in, ranks counted from 1; without weights, 1 each.

    Returns the items in order of first appearance, so that a stable sort breaks ties by the earlier ranking.

    Source: cormack-rrf
    """
    scores: dict[Item, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return scores
