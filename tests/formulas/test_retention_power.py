"""Document D's forgetting curve: worked values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import power_retention


@pytest.mark.req("D1")
@pytest.mark.parametrize(
    ("days", "stability", "left"),
    [(0, 1, 1.0), (9, 1, 0.25), (18, 2, 0.25), (1, 1, 0.81), (27, 1, 0.0625), (30, 10, 0.5625)],
)
def test_worked_values(days: float, stability: float, left: float) -> None:
    """R = (1 + t / (9·S))^(−1/0.5): after nine stabilities a quarter is left, after one .81."""
    assert float(power_retention(days, stability)) == pytest.approx(left)


@pytest.mark.req("D1")
def test_the_tail_is_heavier_than_an_exponential() -> None:
    """“Power-law decay has a heavier tail”: after 30 stabilities 5 % are left, where e^−30 leaves nothing."""
    assert float(power_retention(30, 1)) > 0.05 > math.exp(-30)


def test_a_clock_that_ran_backwards_forgets_nothing() -> None:
    """A last access in the future counts as now."""
    assert float(power_retention(-3, 1)) == 1.0


def test_many_memories_at_once() -> None:
    """Arrays in, arrays out, element by element."""
    assert power_retention(np.array([0.0, 9.0]), np.array([5.0, 1.0])).tolist() == pytest.approx([1.0, 0.25])


@given(st.floats(0, 1e5), st.floats(0, 1e5), st.floats(1e-3, 1e5), st.floats(1, 10))
def test_bounded_and_monotone(days: float, more: float, stability: float, factor: float) -> None:
    """In (0, 1]; longer never leaves more; more stability never leaves less."""
    left = float(power_retention(days, stability))
    assert 0 < left <= 1
    assert float(power_retention(days + more, stability)) <= left <= float(power_retention(days, stability * factor))
