"""Rehearsal of what is about to be lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import endangered, rehearsed


@pytest.mark.req("D25")
def test_the_endangered_come_nearest_to_loss_first() -> None:
    """“FSRS R < 0.3”: .3 itself is safe; of three at most two."""
    retention = np.array([0.29, 0.3, 0.05, 0.9, 0.1])
    assert endangered(retention, 0.3, 50).tolist() == [2, 4, 0]
    assert endangered(retention, 0.3, 2).tolist() == [2, 4]


@pytest.mark.req("D25", "D33")
def test_a_rehearsal_makes_it_half_as_stable_again() -> None:
    """“stability boost (x1.5)”: two days become three."""
    assert float(rehearsed(2.0, 1.5)) == pytest.approx(3.0)


@pytest.mark.req("C5")
def test_each_recall_adds_a_fifth() -> None:
    """“stability: mem.stability * 1.2”: five recalls of a new memory, 2.49 days."""
    stability = np.float64(1.0)
    for _ in range(5):
        stability = np.float64(rehearsed(stability, 1.2))
    assert float(stability) == pytest.approx(2.48832)


@pytest.mark.req("D25")
@given(st.lists(st.floats(0, 1), max_size=120))
def test_at_most_fifty_a_cycle_and_only_the_endangered(values: list[float]) -> None:
    """“Max 50 memories per cycle”; none that is left out was in greater danger."""
    array = np.array(values, np.float64)
    chosen = endangered(array, 0.3, 50)
    assert len(chosen) == min(50, int((array < 0.3).sum()))
    left = np.delete(array, chosen)
    assert (array[chosen] < 0.3).all()
    assert not chosen.size or not left.size or array[chosen].max() <= left.min()
