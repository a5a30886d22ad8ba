"""Base-level activation: worked values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import activation, base_level


@pytest.mark.req("D7", "C1")
@pytest.mark.parametrize(("count", "age", "level"), [(1, 1, 0.0), (10, 100, 0.0), (5, 3600, math.log(5 / 60))])
def test_worked_base_levels(count: int, age: float, level: float) -> None:
    """B = ln n − ½·ln(age): five accesses an hour ago give ln 5 − ln 60."""
    assert float(base_level(count, age)) == pytest.approx(level)


@pytest.mark.req("D7", "C1")
def test_worked_activations() -> None:
    """1/(1 + e^−B) = n/(n + √age): 1/(1 + 1), 10/(10 + 10), 5/(5 + 60)."""
    result = activation(np.array([1, 10, 5]), np.array([1.0, 100.0, 3600.0]))
    assert result.tolist() == pytest.approx([0.5, 0.5, 5 / 65])


@pytest.mark.req("D7")
def test_never_accessed_counts_as_once() -> None:
    """“max(n, 1)”: a count of 0 is 1."""
    assert float(base_level(0, 50)) == float(base_level(1, 50))


@pytest.mark.req("C1", "D7")
@pytest.mark.parametrize("age", [-5.0, 0.0, 0.3])
def test_an_age_below_a_second_is_a_second(age: float) -> None:
    """Reading 3: age is at least 1 s, also where clocks differ."""
    assert float(activation(1, age)) == 0.5


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0, 1e10), st.floats(0, 1e10))
def test_bounded_and_monotone(count: int, more: int, age: float, later: float) -> None:
    """In (0, 1); more use never lowers it, more time never lifts it."""
    value = float(activation(count, age))
    assert 0 < value < 1
    assert float(activation(count, age + later)) <= value <= float(activation(count + more, age))
