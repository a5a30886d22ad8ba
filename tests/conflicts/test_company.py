"""Company: what a statement has of the first of what was found."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.conflicts.pairs import OF_BOTH, OF_EACH, Numbers, SeenVectors
from reverie.conflicts.verdict import FIRST, LIKE, NAMES, CoRetrieval, company, features, shipped_company


def told(alike: list[list[float]], name: str = "alike") -> Numbers:
    """Statements of which only one number is known."""
    count = len(alike)
    of_both = np.zeros((len(OF_BOTH), count, count))
    of_both[OF_BOTH.index(name)] = alike
    return Numbers(of_both, np.zeros((count, len(OF_EACH))))


def test_the_nearest_of_the_first_and_the_mean_of_all_by_score() -> None:
    """Nobody is company of themself; what stands behind the first counts in the mean alone, by e^score."""
    alike = np.zeros((5, 5))
    alike[0, 1] = alike[1, 0] = 0.5
    alike[4, 3] = alike[3, 4] = 0.9  # both behind the first three
    scores = np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    found = features(told(alike.tolist()), scores)
    near, mean = NAMES.index("alike with one of the first"), NAMES.index("alike with what was found")
    assert found[:, near].tolist() == [0.5, 0.5, 0.0, 0.0, 0.0]
    e = float(np.exp(-1.0))
    assert found[0, mean] == pytest.approx(0.5 / (1 + 3 * e))
    assert found[4, mean] == pytest.approx(0.9 * e / (2 + 2 * e))
    assert FIRST == 3


def test_what_one_keeps_of_the_other_counts_for_both() -> None:
    """A number that is not the same both ways counts by the greater."""
    numbers = told([[0.0, 0.7], [0.0, 0.0]], "shared")
    found = features(numbers, np.array([1.0, 0.0]))
    assert found[:, NAMES.index("shared with one of the first")].tolist() == [0.7, 0.7]


def test_one_alone_has_no_company() -> None:
    """And nothing to divide by."""
    assert features(told([[1.0]]), np.array([2.0])).tolist() == [[0.0] * len(NAMES)]


def test_the_lift_is_the_sum_by_weight() -> None:
    """In the measure of the scores."""
    weights = np.arange(len(NAMES), dtype=float)
    numbers = told([[0.0, 0.5], [0.5, 0.0]])
    lifts = CoRetrieval(weights).lifts(numbers, np.array([0.0, 0.0]))
    assert lifts.tolist() == pytest.approx([0.5 * (NAMES.index("alike with what was found"))] * 2)


def test_the_package_brings_weights_by_what_is_known() -> None:
    """By two models, by one and by text; a weight a name, of which those of what is not known are 0."""
    rows = np.zeros((2, 3), np.float32)
    assert [company(seen) for seen in (None, SeenVectors(rows), SeenVectors(rows, rows))] == [
        shipped_company()[how] for how in ("by text alone", "by one model", "by two models")
    ]
    for how, silent in (("by text alone", LIKE[:2]), ("by one model", LIKE[1:2])):
        named = dict(zip(NAMES, shipped_company()[how].weights.tolist(), strict=True))
        assert not any(weight for name, weight in named.items() if name.split(" with")[0] in silent)
