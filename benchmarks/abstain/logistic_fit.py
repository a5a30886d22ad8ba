"""Fitting a logistic regression: means, deviations and weights from rows with a yes or no, by Newton's method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import Term

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
