"""A direction in a model's space towards which messages of one kind lie, as a logistic fit finds it."""

from __future__ import annotations

import numpy as np

from benchmarks.abstain.logistic_fit import fitted
from reverie.formulas.arrays import Floats


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
