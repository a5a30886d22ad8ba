"""Measures, by hand and by their laws."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.statistics import accuracy, auprc, auroc, calibration_error, reliability, risk

ONE = np.ones((1, 4))
SCORES = np.array([0.9, 0.6, 0.6, 0.1])
LABELS = np.array([1.0, 1.0, 0.0, 0.0])


def test_auroc_counts_pairs_and_halves_ties() -> None:
    """Of four pairs three are won and one is tied: 3.5 of 4."""
    assert auroc(SCORES, LABELS, ONE)[0] == pytest.approx(0.875)
    assert auroc(-SCORES, LABELS, ONE)[0] == pytest.approx(0.125)


def test_auroc_by_weight_is_auroc_of_repeats() -> None:
    """Drawing the tied no twice and the lowest never: 1 and 1 against .6 twice is 1.5 of 2 wins each."""
    drawn = np.array([[1.0, 1.0, 2.0, 0.0]])
    assert auroc(SCORES, LABELS, drawn)[0] == pytest.approx((2.0 + 1.0) / 4.0)
    assert np.isnan(auroc(SCORES, LABELS, np.array([[1.0, 1.0, 0.0, 0.0]]))[0])


def test_average_precision_finds_what_cannot_be_answered() -> None:
    """The lowest two are the two that cannot: 1 where nothing ties, ½ (1 + 2/3) with one of the others between."""
    assert auprc(np.array([0.9, 0.7, 0.6, 0.1]), LABELS, ONE)[0] == pytest.approx(1.0)
    assert auprc(np.array([0.9, 0.2, 0.6, 0.1]), LABELS, ONE)[0] == pytest.approx((1.0 + 2.0 / 3.0) / 2.0)


def test_calibration_error_is_the_mean_distance() -> None:
    """Ten groups of two, each said .7 and half of them true: .2 everywhere."""
    chances, labels = np.full(20, 0.7), np.tile([1.0, 0.0], 10)
    assert calibration_error(chances, labels, np.ones((1, 20)))[0] == pytest.approx(0.2)
    assert calibration_error(np.full(20, 0.5), labels, np.ones((1, 20)))[0] == pytest.approx(0.0)


def test_accuracy_and_risk() -> None:
    """At .5 three are on the right side; the surest half can be answered, of all one in two."""
    assert accuracy(SCORES, LABELS, ONE, 0.5)[0] == pytest.approx(0.75)
    assert risk(SCORES, LABELS, ONE, 0.5)[0] == pytest.approx(0.0)
    assert risk(SCORES, LABELS, ONE, 1.0)[0] == pytest.approx(0.5)


def test_reliability_has_ten_groups_of_all() -> None:
    """Every question is in one group, by probability."""
    groups = reliability(np.linspace(0.0, 1.0, 25), np.ones(25))
    assert sum(count for _, _, count in groups) == 25
    assert [mean for mean, _, _ in groups] == sorted(mean for mean, _, _ in groups)
