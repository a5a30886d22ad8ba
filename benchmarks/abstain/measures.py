"""How good a probability is: whether it ranks, whether it is true, and what it costs to heed it. All weighted.

Every measure takes scores and labels, (n,), and weights (resamples, n), and gives one value a resample. Measured with
weights of one, then with the bootstrap's, a measure has its interval.
"""

from __future__ import annotations

import numpy as np

from benchmarks.bootstrap import Values

BINS = 10
"""Groups of equally many questions, by probability."""


def auroc(scores: Values, labels: Values, weights: Values) -> Values:
    """The chance that an answerable question scores above one that is not; ties count half. NaN without both kinds."""
    order = np.argsort(scores, kind="stable")
    ranked, is_yes = scores[order], labels[order] == 1.0
    sorted_weights = weights[:, order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    yes = np.add.reduceat(np.where(is_yes, sorted_weights, 0.0), starts, axis=1)
    no = np.add.reduceat(np.where(is_yes, 0.0, sorted_weights), starts, axis=1)
    below = np.cumsum(no, axis=1) - no
    pairs = yes.sum(axis=1) * no.sum(axis=1)
    won = (yes * (below + no / 2.0)).sum(axis=1)
    return _over(won, pairs)


def auprc(scores: Values, labels: Values, weights: Values) -> Values:
    """Average precision of finding what can NOT be answered: lowest scores first."""
    order = np.argsort(scores, kind="stable")
    sorted_weights = weights[:, order]
    hits = np.where(labels[order] == 0.0, sorted_weights, 0.0)
    seen = np.cumsum(sorted_weights, axis=1)
    precision = np.divide(np.cumsum(hits, axis=1), seen, out=np.zeros_like(seen), where=seen > 0.0)
    total = hits.sum(axis=1)
    return _over((precision * hits).sum(axis=1), total)


def calibration_error(chances: Values, labels: Values, weights: Values) -> Values:
    """Expected calibration error over ten groups of equally many: mean distance of probability and share answered.

    It is never 0: with few questions even true probabilities miss the share by chance.
    """
    missed = np.zeros(len(weights))
    for group in np.array_split(np.argsort(chances, kind="stable"), BINS):
        missed += np.abs((weights[:, group] * (chances[group] - labels[group])).sum(axis=1))
    result: Values = missed / weights.sum(axis=1)
    return result


def accuracy(chances: Values, labels: Values, weights: Values, threshold: float) -> Values:
    """Share of questions on the right side of the threshold."""
    is_right = (chances >= threshold) == (labels == 1.0)
    result: Values = (weights * is_right).sum(axis=1) / weights.sum(axis=1)
    return result


def risk(chances: Values, labels: Values, weights: Values, coverage: float) -> Values:
    """Share of unanswerable ones among the surest ``coverage`` of all questions."""
    surest = np.argsort(-chances, kind="stable")[: max(1, round(coverage * len(chances)))]
    total = weights[:, surest].sum(axis=1)
    wrong = (weights[:, surest] * (1.0 - labels[surest])).sum(axis=1)
    return _over(wrong, total)


def reliability(chances: Values, labels: Values) -> list[tuple[float, float, int]]:
    """The reliability diagram: mean probability, share that could be answered and number of questions, a group each."""
    groups = np.array_split(np.argsort(chances, kind="stable"), min(BINS, len(chances)))
    return [(float(chances[g].mean()), float(labels[g].mean()), len(g)) for g in groups]


def _over(above: Values, below: Values) -> Values:
    """(n,) one over the other, NaN where there is nothing to divide by."""
    result: Values = np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0.0)
    return result
