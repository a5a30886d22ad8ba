"""Fitting: the laws that any maximum of the likelihood keeps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.statistics import Fit, fitted
from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import probability

CHANCE = np.random.default_rng(7)
ROWS = CHANCE.normal(size=(400, 2))
LABELS = (ROWS[:, 0] + 0.3 * CHANCE.normal(size=400) > 0.2).astype(float)
EVEN = np.ones(400)


def chances(found: Fit, rows: Floats) -> list[float]:
    """The probabilities of a fit."""
    return [
        probability(found.intercept, [term.log_odds(value) for term, value in zip(found.terms, row, strict=True)])
        for row in rows.tolist()
    ]


def test_without_weights_only_the_share_of_yes_is_left() -> None:
    """Drawn to 0 with all force, the intercept alone says 3 of 4: ln 3."""
    found = fitted(np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1.0, 1.0, 1.0, 0.0]), np.ones(4), 1e9)
    assert found.intercept == pytest.approx(math.log(3.0), abs=1e-4)
    assert found.terms[0].weight == pytest.approx(0.0, abs=1e-6)


def test_the_mean_probability_is_the_share_of_yes() -> None:
    """The intercept is free, so a fit is right on average."""
    assert np.mean(chances(fitted(ROWS, LABELS, EVEN, 2.0), ROWS)) == pytest.approx(LABELS.mean(), abs=1e-6)


def test_what_decides_has_the_weight() -> None:
    """The first column made the labels, the second is chance."""
    first, second = fitted(ROWS, LABELS, EVEN, 2.0).terms
    assert first.weight > 1.0 > 10.0 * abs(second.weight) / 3.0


def test_more_ridge_is_less_weight() -> None:
    """The pull towards 0 grows with the ridge."""
    weights = [fitted(ROWS, LABELS, EVEN, ridge).terms[0].weight for ridge in (0.1, 10.0, 1000.0)]
    assert weights == sorted(weights, reverse=True)


def test_counting_twice_is_being_there_twice() -> None:
    """Importance 2 equals the row repeated."""
    twice = fitted(np.concatenate([ROWS, ROWS]), np.concatenate([LABELS, LABELS]), np.ones(800), 2.0)
    heavy = fitted(ROWS, LABELS, 2.0 * EVEN, 2.0)
    assert [t.weight for t in heavy.terms] == pytest.approx([t.weight for t in twice.terms], abs=1e-8)


def test_a_column_that_never_varies_has_no_say() -> None:
    """It stays at weight 0 and does not break the fit."""
    found = fitted(np.column_stack([ROWS[:, 0], np.full(400, 3.0)]), LABELS, EVEN, 2.0)
    assert found.terms[1].weight == pytest.approx(0.0, abs=1e-9)
    assert found.terms[1].log_odds(5.0) == 0.0
