"""Maximal marginal relevance: worked choice and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_similarity import mmr


@pytest.mark.req("D9")
def test_worked_choice() -> None:
    """λ = .7: the twin of the best (.9, .95 alike) gives .63 − .285 and yields to the different one, .7·.6 − .3·.1."""
    likeness = np.array([[1.0, 0.95, 0.1], [0.95, 1.0, 0.1], [0.1, 0.1, 1.0]])
    assert mmr(np.array([1.0, 0.9, 0.6]), likeness, 0.7, 3).tolist() == [0, 2, 1]


@pytest.mark.req("D9")
def test_lambda_sets_the_balance() -> None:
    """.7 keeps what .5 would pass over: .7·.8 − .3·.9 = .29 against .7·.3 = .21, but .40 − .45 against .15."""
    likeness = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    relevance = np.array([1.0, 0.8, 0.3])
    assert mmr(relevance, likeness, 0.7, 2).tolist() == [0, 1]
    assert mmr(relevance, likeness, 0.5, 2).tolist() == [0, 2]


def test_nothing_to_choose_from() -> None:
    """No candidates, no choice; ties go to the first."""
    assert mmr(np.zeros(0), np.zeros((0, 0)), 0.7, 5).tolist() == []
    assert mmr(np.ones(3), np.eye(3), 0.7, 5).tolist() == [0, 1, 2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.integers(0, 15), st.floats(0, 1))
def test_each_is_chosen_once_and_the_best_first(relevance: list[float], top_k: int, balance: float) -> None:
    """The choice holds no repeats, is as long as asked, and begins with the most relevant."""
    array = np.array(relevance)
    likeness = 1.0 - np.abs(array[:, None] - array[None, :])
    chosen = mmr(array, likeness, balance, top_k).tolist()
    assert len(chosen) == len(set(chosen)) == min(top_k, len(relevance))
    if chosen and balance > 0.01:
        assert array[chosen[0]] == pytest.approx(array.max())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_with_lambda_one_it_is_the_ranking(relevance: list[float]) -> None:
    """Relevance alone: the stable order of the scores."""
    array = np.array(relevance)
    assert mmr(array, np.ones((len(array),) * 2), 1.0, 12).tolist() == np.argsort(-array, kind="stable").tolist()
