"""Rank odds: what the order alone of one list says of each of its members."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats


def rank_log_odds(scores: Floats) -> Floats:
    """(n,) ln n − ln rank in [0, ln n], ranks from 1 by falling score; equal scores get the mean of what they hold.

    If the one that is looked for stands at rank r with a probability that falls as 1/r, these are log-odds, up to a
    constant: they add to others. Any rising transformation of the scores gives the same.

    Source: decision-0058
    """
    odds = np.log(max(len(scores), 1)) - np.log(np.arange(1.0, len(scores) + 1.0))
    _, groups = np.unique(-scores, return_inverse=True)
    groups = groups.reshape(-1)
    of_place = np.sort(groups)
    means = np.bincount(of_place, weights=odds) / np.maximum(np.bincount(of_place), 1)
    result: Floats = means[groups]
    return result
