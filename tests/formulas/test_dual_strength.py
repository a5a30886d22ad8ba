"""Storage grows with every retrieval and never leaves [1, 10]."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import is_tip_of_tongue, storage_after, storage_gain

EASY, HARD = 0.02, 0.10


@pytest.mark.req("D2")
def test_worked_growth() -> None:
    """A tenth of what is missing to 10: 1 → 1.9 → 2.71."""
    assert float(storage_after(1, 0.1)) == pytest.approx(1.9)
    assert float(storage_after(1.9, 0.1)) == pytest.approx(2.71)


@pytest.mark.req("D2")
@pytest.mark.parametrize(("retrieval", "gain"), [(1.0, 0.02), (0.5, 0.06), (0.0, 0.10)])
def test_worked_gains(retrieval: float, gain: float) -> None:
    """Gain g = .10 − .08·R (decision 8): what was nearly lost gains most."""
    assert float(storage_gain(retrieval, EASY, HARD)) == pytest.approx(gain)


@pytest.mark.req("D2")
def test_spacing_beats_cramming() -> None:
    """Ten retrievals in a row give 2.6, ten at half strength 5.2."""
    crammed = spaced = np.float64(1.0)
    for _ in range(10):
        crammed = np.float64(storage_after(crammed, storage_gain(1.0, EASY, HARD)))
        spaced = np.float64(storage_after(spaced, storage_gain(0.5, EASY, HARD)))
    assert float(crammed) == pytest.approx(2.6, abs=0.05)
    assert float(spaced) == pytest.approx(5.2, abs=0.05)


@pytest.mark.req("D2")
def test_on_the_tip_of_the_tongue() -> None:
    """Deeply stored and out of reach; neither the shallow nor the reachable."""
    found = is_tip_of_tongue(np.array([6.0, 6.0, 2.0, 5.0]), np.array([0.2, 0.3, 0.2, 0.0]), 5.0, 0.3)
    assert found.tolist() == [True, False, False, True]


@pytest.mark.req("D2")
@given(st.floats(1, 10), st.floats(0, 1), st.floats(0, 1))
def test_storage_grows_and_stays_within_its_range(storage: float, one: float, other: float) -> None:
    """Each retrieval adds, never past 10, and the harder one never adds less."""
    harder, easier = min(one, other), max(one, other)
    most = float(storage_after(storage, storage_gain(harder, EASY, HARD)))
    least = float(storage_after(storage, storage_gain(easier, EASY, HARD)))
    assert storage <= least <= most <= 10
    assert least > storage or storage == pytest.approx(10)


def test_strengths_out_of_range_are_taken_at_its_ends() -> None:
    """Rounding may leave a retrieval of 1 + ε; a storage below 1 is one."""
    assert float(storage_gain(1.25, EASY, HARD)) == pytest.approx(EASY)
    assert float(storage_gain(-0.25, EASY, HARD)) == pytest.approx(HARD)
    assert storage_after(np.array([0.0, 4.0]), np.array([0.1, 1.5])).tolist() == pytest.approx([1.9, 10.0])
