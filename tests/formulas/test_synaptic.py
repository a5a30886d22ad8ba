"""Tags on weak memories, capture by strong ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import captured_stability, is_strong, is_weak


@pytest.mark.req("D30")
def test_weak_lies_below_a_half_and_strong_from_seven_tenths() -> None:
    """“importance < 0.5 (weak)”, “importance >= 0.7”; between them neither."""
    assert [is_weak(value, 0.5) for value in (0.49, 0.5, 0.6)] == [True, False, False]
    assert [is_strong(value, 0.7) for value in (0.6, 0.69, 0.7)] == [False, False, True]


@pytest.mark.req("D30")
def test_capture_makes_it_last_longer() -> None:
    """“stability boost (x1.3)”: two days become 2.6."""
    assert float(captured_stability(2.0, 1.3)) == pytest.approx(2.6)


@pytest.mark.req("D30")
@given(st.floats(0, 1))
def test_no_memory_is_both(importance: float) -> None:
    """What captures is never itself tagged."""
    assert not (is_weak(importance, 0.5) and is_strong(importance, 0.7))
