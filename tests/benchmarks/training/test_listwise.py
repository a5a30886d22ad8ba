"""Fitting to choices: the weights lie where nothing pulls any more, and prefer what marks the evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.training.listwise import Choice, fitted
from reverie.formulas.arrays import Floats

RIDGE = 0.05
seeds = st.integers(0, 2**32 - 1)


def choices(seed: int, cues: int = 6, candidates: int = 5, columns: int = 3) -> list[Choice]:
    """Cues by chance, each with one or two pieces of evidence and an importance of its own."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(cues):
        is_evidence = np.zeros(candidates)
        is_evidence[chance.choice(candidates, size=chance.integers(1, 3), replace=False)] = 1.0
        rows = chance.standard_normal((candidates, columns))
        found.append(Choice(rows, is_evidence, float(chance.uniform(0.2, 2.0))))
    return found


def chances(choice: Choice, weights: Floats) -> Floats:
    """(m,) how likely each candidate is chosen."""
    raised: Floats = np.exp(choice.rows @ weights)
    return raised / raised.sum()


def slope(asked: list[Choice], weights: Floats) -> Floats:
    """(columns,) what pulls at the weights: expected less observed rows by importance, and the ridge."""
    pull = RIDGE * sum(one.importance for one in asked) * weights
    for one in asked:
        wanted = one.is_evidence / one.is_evidence.sum()
        pull = pull + one.importance * ((chances(one, weights) - wanted) @ one.rows)
    return pull


@given(seeds)
def test_at_the_fit_nothing_pulls_any_more(seed: int) -> None:
    """The slope of what is minimised is 0."""
    asked = choices(seed)
    assert np.abs(slope(asked, fitted(asked, RIDGE))).max() < 1e-4


@given(seeds)
def test_the_order_of_cues_and_of_candidates_changes_nothing(seed: int) -> None:
    """A cue is a set of candidates, and the cues are a set."""
    asked = choices(seed)
    turned = [Choice(one.rows[::-1], one.is_evidence[::-1], one.importance) for one in reversed(asked)]
    assert np.allclose(fitted(asked, RIDGE), fitted(turned, RIDGE), atol=1e-5)


@given(seeds)
def test_what_all_candidates_have_alike_says_nothing(seed: int) -> None:
    """A column that is the same for all of a cue has weight 0 and leaves the others as they are."""
    asked = choices(seed)
    wider = [
        Choice(np.column_stack([one.rows, np.full(len(one.rows), float(n))]), one.is_evidence, one.importance)
        for n, one in enumerate(asked)
    ]
    weights = fitted(wider, RIDGE)
    assert weights[-1] == pytest.approx(0.0, abs=1e-5)
    assert np.allclose(weights[:-1], fitted(asked, RIDGE), atol=1e-5)


def test_the_column_that_marks_the_evidence_is_preferred() -> None:
    """Above one that marks the others, which counts against, and one of chance."""
    chance = np.random.default_rng(7)
    asked = []
    for place in range(20):
        is_evidence = np.eye(6)[place % 6]
        rows = np.column_stack([is_evidence, 1.0 - is_evidence, chance.uniform(size=6)])
        asked.append(Choice(rows, is_evidence, 1.0))
    marks, others, by_chance = fitted(asked, RIDGE)
    assert marks > abs(by_chance)
    assert others < -abs(by_chance)
    assert all(chances(one, np.array([marks, others, by_chance])).argmax() == one.is_evidence.argmax() for one in asked)


def test_the_more_important_cue_decides() -> None:
    """Two cues want the opposite of one column."""
    rows = np.array([[1.0], [0.0]])
    wants, refuses = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert fitted([Choice(rows, wants, 3.0), Choice(rows, refuses, 1.0)], RIDGE)[0] > 0.1
    assert fitted([Choice(rows, wants, 1.0), Choice(rows, refuses, 3.0)], RIDGE)[0] < -0.1
    assert fitted([Choice(rows, wants, 1.0), Choice(rows, refuses, 1.0)], RIDGE)[0] == pytest.approx(0.0)


def test_a_stronger_ridge_draws_nearer_to_0() -> None:
    """Even where the evidence could be told for certain, no weight is without end."""
    sure = [Choice(np.array([[1.0], [0.0]]), np.array([1.0, 0.0]), 1.0)]
    weak, strong = fitted(sure, 0.01)[0], fitted(sure, 1.0)[0]
    assert weak > strong > 0.0
    assert np.isfinite(weak)
