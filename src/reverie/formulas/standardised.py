"""Scores as distances from their mean, so that lists of different kinds can be added without ranks.

What a list does not hold counts there as much as the last thing it does hold.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from reverie.formulas.arrays import Floats

Item = TypeVar("Item", bound=Hashable)


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
