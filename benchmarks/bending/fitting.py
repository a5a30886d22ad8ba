"""Fitting: the curves by which signals add, so that what answers a question stands above what does not.

In: questions with what recall saw of their candidates. Out: a bend a signal. The model is additive, the loss convex, so
there is one best answer and no chance in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.bending.overheard import NAMES, Ranked
from reverie.formulas.arrays import Floats
from reverie.formulas.bend import Bend, bent

KNOTS = 7
"""Places where a curve may turn: the quantiles of what was seen. Five or ten are within a point (BEAM 1.6)."""

SCALE = 20.0
"""Log-odds in a whole point of score; with 10 BEAM has a point more, with 40 all have half a point less."""

RIDGE, SMOOTH = 5.0, 10.0
"""Pull of each height towards 0, where the scores stay as they are, and of each turn towards a straight line.

2026-11-23, fraction @10 on questions not seen, search alone: 5 and 10 gave LoCoMo 85.2, LongMemEval 94.2, BEAM 61.4;
20 and 30 gave 84.7, 94.2, 59.2; 40 and 30 gave 84.5, 93.7, 59.4.
"""

PAIRS = 10.0
"""What all pairs of one answer together count."""

STEPS, ENOUGH = 30, 1e-5
"""Newton's steps at most, and the relative gain that is too small for another."""


def fit(known: Sequence[Ranked]) -> tuple[Bend, ...]:
    """The bends that best order answers before what else was found, pair by pair, in log-odds.

    Each set counts as the root of its questions. Every curve's mean over what was seen is 0, so that scores stay on
    their scale.

    Source: hastie-tibshirani-gam, burges-ranknet
    """
    if not known:
        return ()
    knots = [_knots(np.concatenate([one.values[:, column] for one in known])) for column in range(len(NAMES))]
    heights = _newton(known, knots)
    bends, start = [], 0
    for column, (name, at) in enumerate(zip(NAMES, knots, strict=True)):
        curve = Bend(name, at, heights[start : start + len(at)] / SCALE)
        mean = float(bent(np.concatenate([one.values[:, column] for one in known]), curve).mean())
        bends.append(Bend(name, at, curve.heights - mean))
        start += len(at)
    return tuple(bends)


def held_out(known: Sequence[Ranked], folds: Mapping[str, int]) -> list[tuple[Bend, ...]]:
    """For each fold (haystack → fold) the bends that were fitted without any haystack of it."""
    count = max(folds.values(), default=-1) + 1
    return [fit([one for one in known if folds[one.haystack] != fold]) for fold in range(count)]


def bent_scores(one: Ranked, bends: Sequence[Bend]) -> Floats:
    """(m,) the scores of a question's candidates with these bends."""
    added = (bent(one.values[:, NAMES.index(bend.name)], bend) for bend in bends)
    result: Floats = sum(added, start=one.scores)  # type: ignore[arg-type]  # float32 is added to float64
    return result


def _knots(values: Floats) -> Floats:
    result: Floats = np.unique(np.round(np.quantile(values, np.linspace(0.0, 1.0, KNOTS)), 4))
    return result


def _newton(known: Sequence[Ranked], knots: Sequence[Floats]) -> Floats:
    """The heights of all curves, one after the other, that minimise the loss."""
    asked = Counter(one.set for one in known)
    weights = np.array([asked[one.set] ** -0.5 for one in known])
    weights *= len(known) / weights.sum()
    spread = [_differences(one, knots) for one in known]
    pull = _pull(knots)
    heights = np.zeros(len(pull))
    loss, slope, curvature = _loss(heights, spread, weights, pull)
    for _ in range(STEPS):
        step, before = np.linalg.solve(curvature, slope), loss
        for _ in range(STEPS):
            loss, slope, curvature = _loss(heights - step, spread, weights, pull)
            if loss <= before:
                break
            step /= 2
        heights = heights - step
        if before - loss < ENOUGH * before:
            break
    return heights


def _loss(
    heights: Floats, spread: Sequence[tuple[Floats, Floats]], weights: Floats, pull: Floats
) -> tuple[float, Floats, Floats]:
    """The loss with its first and second derivatives."""
    loss, slope, curvature = float(heights @ pull @ heights) / 2, pull @ heights, pull.copy()
    for (lead, columns), weight in zip(spread, weights.tolist(), strict=True):
        ahead = lead + columns @ heights
        wrong = 1.0 / (1.0 + np.exp(np.clip(ahead, -50.0, 50.0)))
        each = weight * PAIRS / max(len(lead), 1)
        loss += each * float(np.logaddexp(0.0, -ahead).sum())
        slope -= each * (columns.T @ wrong)
        curvature += each * ((columns.T * (wrong * (1.0 - wrong))) @ columns)
    return loss, slope, curvature


def _differences(one: Ranked, knots: Sequence[Floats]) -> tuple[Floats, Floats]:
    """For each pair of an answer and another candidate: how far the answer leads, and by what share of each knot."""
    hats = np.concatenate([_hats(one.values[:, column], at) for column, at in enumerate(knots)], axis=1)
    scores, is_gold = one.scores * SCALE, one.answers
    lead = (scores[is_gold][:, None] - scores[~is_gold][None]).ravel()
    return lead, (hats[is_gold][:, None] - hats[~is_gold][None]).reshape(len(lead), hats.shape[1])


def _hats(values: Floats, knots: Floats) -> Floats:
    """(m, k) the share that each knot has in each value; a row adds up to 1."""
    return np.stack([np.interp(values, knots, unit) for unit in np.eye(len(knots))], axis=1)


def _pull(knots: Sequence[Floats]) -> Floats:
    """The penalty of all heights, a block a curve."""
    total = sum(map(len, knots))
    result, start = np.zeros((total, total)), 0
    for at in knots:
        turns = np.diff(np.eye(len(at)), 2, axis=0)
        block = slice(start, start + len(at))
        result[block, block] = RIDGE * np.eye(len(at)) + SMOOTH * turns.T @ turns
        start += len(at)
    return result
