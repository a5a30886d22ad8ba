"""Bootstrap intervals: how far a mean over these questions could lie from the mean over others like them.

Percentile intervals over questions. Questions of one conversation are not independent, so with few conversations the
intervals are too narrow; docs/benchmarks.md says so beside the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

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
