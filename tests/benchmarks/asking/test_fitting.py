"""The map from questions to answers: what it learns, and whom it has seen."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.asking.fitting import fit, folds, held_out
from benchmarks.asking.pairs import Pairs
from reverie.formulas.centring import unit
from reverie.types import FloatArray

DIMS = 12


def turned(seed: int, turn: FloatArray, questions: int = 60, chosen: str = "toy") -> Pairs:
    """A haystack whose answers lie where ``turn`` leads from the questions, among items that answer nothing."""
    chance = np.random.default_rng(seed)
    asked = unit(chance.standard_normal((questions, DIMS)).astype(np.float32))
    others = unit(chance.standard_normal((100, DIMS)).astype(np.float32))
    items = np.concatenate([asked @ turn.T, others])
    return Pairs(chosen, f"{chosen}-{seed}", items, (), asked, tuple((n,) for n in range(questions)))


def right(one: Pairs, matrix: FloatArray) -> float:
    """The share of questions whose answer is nearest."""
    nearest = (one.questions @ matrix.T @ one.items.T).argmax(axis=1)
    return float(np.mean(nearest == [rows[0] for rows in one.gold]))


@pytest.fixture(scope="module")
def turn() -> FloatArray:
    """A rotation that leaves no question near its answer."""
    return np.linalg.qr(np.random.default_rng(3).standard_normal((DIMS, DIMS)))[0].astype(np.float32)


def test_it_learns_where_answers_lie_and_carries_over_to_others(turn: FloatArray) -> None:
    """Fitted on many haystacks it finds the answers of one that it has never seen."""
    known, unseen = [turned(seed, turn, 400) for seed in range(12)], turned(99, turn)
    assert right(unseen, np.eye(DIMS, dtype=np.float32)) < 0.1
    assert right(unseen, fit(known)) > 0.8


def test_where_answers_lie_at_the_question_nothing_turns() -> None:
    """The identity is learned as a multiple of itself, so no ranking changes."""
    unturned = turned(5, np.eye(DIMS, dtype=np.float32))
    assert right(unturned, fit([turned(seed, np.eye(DIMS, dtype=np.float32)) for seed in range(3)])) == 1.0


def test_every_fold_is_mapped_without_itself(turn: FloatArray) -> None:
    """Haystacks of a set go round the folds; what a fold says of itself changes its own map not at all."""
    known = [turned(seed, turn) for seed in range(7)]
    assert folds(known) == [0, 1, 2, 3, 4, 0, 1]
    other = [turned(50, -turn), *known[1:]]
    before, after = held_out(known), held_out(other)
    assert np.array_equal(before[0], held_out([turned(50, -turn), *known[1:5], turned(51, turn), known[6]])[0])
    assert not np.allclose(before[1], after[1])


def test_a_large_set_counts_more_but_not_as_much_as_it_is_larger(turn: FloatArray) -> None:
    """Between one question, one voice and one set, one voice."""
    small, large = turned(1, turn, 50, "small"), turned(2, -turn, 5000, "large")
    towards = np.sum(fit([small, large]) * -turn)
    assert towards > 0
    assert np.sum(fit([small, turned(2, -turn, 60, "large")]) * -turn) < towards
