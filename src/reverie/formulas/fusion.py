"""Fusion of rankings: reciprocal ranks, and scores on a common scale."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import FloatArray

# Reciprocal rank fusion: several rankings into one, from the ranks alone.


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


# Scores as distances from their mean, so that lists of different kinds can be added without ranks.


def standardised(scores: Floats) -> Floats:
    """(m,) scores minus their mean, divided by their standard deviation; all 0 where nothing tells them apart.

    Source: montague-aslam-normalization
    """
    if scores.size == 0:
        return scores.astype(np.float64)
    apart = scores - scores.mean()
    spread = float(apart.std())
    # Equal scores differ in their last bit after the mean was taken off; that is no difference to blow up.
    if spread <= 1e-12 * float(np.abs(scores).max()):
        return np.zeros(scores.shape, np.float64)
    result: Floats = apart / spread
    return result


def fuse_standardised(lists: Sequence[Mapping[Item, float]], weights: Sequence[float]) -> dict[Item, float]:
    """Weighted sum of the standardised lists, one weight ≥ 0 a list, in order of first appearance.

    Source: montague-aslam-normalization
    """
    fused: dict[Item, float] = {item: 0.0 for scores in lists for item in scores}
    for scores, weight in zip(lists, weights, strict=True):
        if not scores:
            continue
        values = dict(zip(scores, standardised(np.array(list(scores.values()), np.float64)).tolist(), strict=True))
        last = min(values.values())
        for item in fused:
            fused[item] += weight * values.get(item, last)
    return fused


# Scaling a list of scores by its best, so that lists of different kinds can be added.


def scaled(values: FloatArray, best: float) -> FloatArray:
    """``values`` below zero cut to 0 and divided by ``best``; all 0 where nothing scored (``best`` ≤ 0).

    Unlike ranks, this keeps the margins: a clear winner stays a clear winner.

    Source: decision-0007
    """
    if best <= 0.0:
        return np.zeros_like(values)
    result: FloatArray = np.minimum(np.maximum(values / np.float32(best), 0.0), 1.0)
    return result
