"""The rules of forgetting that are figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import is_below_floor, surplus


@pytest.mark.req("D14")
def test_utility_floor() -> None:
    """“utility < 0.15 AND 30+ days unused”: both."""
    utility = np.array([0.14, 0.15, 0.14, 0.9])
    idle = np.array([30.0, 99.0, 29.9, 99.0])
    assert is_below_floor(utility, idle, 0.15, 30).tolist() == [True, False, False, False]


@pytest.mark.req("D14")
@pytest.mark.parametrize(("active", "goes"), [(450, 0), (500, 0), (501, 51), (600, 150)])
def test_capacity_trim(active: int, goes: int) -> None:
    """“active count > 500: trim lowest-utility to 450”."""
    utility = np.linspace(1.0, 0.0, active)
    trimmed = surplus(utility, np.zeros(active, bool), 500, 450)
    assert trimmed.tolist() == list(range(active - 1, active - 1 - goes, -1))


@pytest.mark.req("D14", "D21")
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40))
def test_the_exempt_are_never_trimmed(memories: list[tuple[float, bool]]) -> None:
    """Whatever their utility and however full the store; nothing more useful goes before something less useful."""
    utility = np.array([value for value, _ in memories], np.float64)
    exempt = np.array([held for _, held in memories], bool)
    trimmed = surplus(utility, exempt, 10, 8)
    assert not exempt[trimmed].any()
    assert (np.diff(utility[trimmed]) >= 0).all()
    if len(memories) > 10:
        assert len(trimmed) == min(len(memories) - 8, int((~exempt).sum()))
