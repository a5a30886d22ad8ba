"""The statistics of the benchmarks: bootstrap intervals, how good a probability is, and logistic regression.

Values of single questions come in; out come intervals, figures and fitted weights. A measure of a probability takes
scores and labels, (n,), and weights (resamples, n), and gives one value a resample: measured with weights of one, then
with the bootstrap's, it has its interval.

Intervals are percentiles over questions. Questions of one conversation are not independent, so with few conversations
the intervals are too narrow; docs/benchmarks/method.md says so beside the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import Term

# Bootstrap intervals: how far a mean over these questions could lie from the mean over others like them.


Values: TypeAlias = npt.NDArray[np.float64]

RESAMPLES = 1000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Intervals:
    """Means of the columns, and the ends of their intervals; each (columns,)."""

    mean: Values
    low: Values
    high: Values


@dataclass(frozen=True, slots=True)
class Difference:
    """One system minus another over the same questions, how many questions each of them did better."""

    mean: float
    low: float
    high: float
    better: int
    worse: int


def resample(questions: int, seed: int, resamples: int = RESAMPLES) -> Values:
    """(resamples, questions): how much each question weighs in each resample; rows sum to 1.

    The same seed and number of questions give the same weights, so that systems are resampled together.
    """
    chance = np.random.default_rng([seed, questions])
    counts = chance.multinomial(questions, np.full(questions, 1.0 / questions), size=resamples)
    weights: Values = counts / questions
    return weights


def resample_groups(members: npt.NDArray[np.int64], seed: int, resamples: int = RESAMPLES) -> Values:
    """(resamples, questions): as ``resample``, by whole groups; ``members`` (questions,) is each one's group.

    Questions of one conversation are not independent: intervals over conversations are as wide as they should be.
    """
    _, group = np.unique(members, return_inverse=True)
    counts = resample(int(group.max()) + 1, seed, resamples)[:, group]
    weights: Values = counts / counts.sum(axis=1, keepdims=True)
    return weights


def intervals(values: Values, weights: Values) -> Intervals:
    """Percentile intervals of the column means of ``values`` (questions, columns)."""
    means = weights @ values
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail], axis=0)
    return Intervals(values.mean(axis=0), low, high)


def difference(ours: Values, theirs: Values, weights: Values) -> Difference:
    """The paired difference of two systems' values, each (questions,), and its interval."""
    delta = ours - theirs
    found = intervals(delta[:, np.newaxis], weights)
    return Difference(
        mean=float(found.mean[0]),
        low=float(found.low[0]),
        high=float(found.high[0]),
        better=int((delta > 0).sum()),
        worse=int((delta < 0).sum()),
    )


# How good a probability is: whether it ranks, whether it is true, and what it costs to heed it. All weighted.


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


# Fitting a logistic regression: means, deviations and weights from rows with a yes or no, by Newton's method.


_STEPS = 50
_CLOSE = 1e-10
"""A step shorter than this changes nothing any more."""
_FREE = 1e-6
"""What holds the intercept: next to nothing, so that the mean probability is the share of yes."""


@dataclass(frozen=True, slots=True)
class Fit:
    """An intercept and a term a column."""

    intercept: float
    terms: tuple[Term, ...]


def fitted(rows: Floats, labels: Floats, importance: Floats, ridge: float) -> Fit:
    """The weights that make the labels likeliest, each row counting by its importance, less ridge/2 · Σ weight².

    Args:
        rows: (n, columns) values; standardised here, all rows counting the same.
        labels: (n,) 1 for yes, 0 for no; both must occur.
        importance: (n,) > 0.
        ridge: how strongly weights are drawn to 0, > 0.

    Source: hoerl-kennard-ridge
    """
    means, deviations = rows.mean(axis=0), rows.std(axis=0)
    scaled = np.divide(rows - means, deviations, out=np.zeros_like(rows), where=deviations > 0.0)
    columns = np.column_stack([scaled, np.ones(len(rows))])
    pull = np.diag([*np.full(rows.shape[1], ridge), _FREE])
    weights = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(columns @ weights, -30.0, 30.0)))
        slope = columns.T @ (importance * (chance - labels)) + pull @ weights
        bend = (columns * (importance * chance * (1.0 - chance))[:, np.newaxis]).T @ columns + pull
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < _CLOSE:
            break
    terms = zip(means.tolist(), deviations.tolist(), weights[:-1].tolist(), strict=True)
    return Fit(float(weights[-1]), tuple(Term(*term) for term in terms))


# A direction in a model's space towards which messages of one kind lie, as a logistic fit finds it.


def direction(rows: Floats, is_of_kind: Floats, ridge: float) -> Floats:
    """(dims + 1,) a direction and, last, its intercept: the log-odds that a unit row (n, dims) is of a kind.

    Source: cox-logistic
    """
    found = fitted(rows, is_of_kind, np.ones(len(rows)), ridge)
    means, deviations, weights = (
        np.array([getattr(term, name) for term in found.terms]) for name in ("mean", "deviation", "weight")
    )
    slopes = np.divide(weights, deviations, out=np.zeros_like(weights), where=deviations > 0.0)
    return np.append(slopes, found.intercept - float(slopes @ means))
