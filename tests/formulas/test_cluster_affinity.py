"""Which two memories belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import AffinityEdges, is_affine

EDGES = AffinityEdges(entities=1, importance_gap=0.3)


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("shared", "same", "gap", "expected"),
    [
        (1, False, 0.9, True),
        (0, True, 0.29, True),
        (0, True, 0.3, False),
        (0, False, 0.0, False),
        (0, True, -0.3, False),
    ],
)
def test_every_edge(shared: int, same: bool, gap: float, expected: bool) -> None:
    """“entity overlap (>=1) or category match + importance proximity (<0.3)”."""
    assert is_affine(shared, same, gap, EDGES) is expected


@given(st.integers(0, 5), st.booleans(), st.floats(-1, 1))
def test_it_holds_both_ways(shared: int, same: bool, gap: float) -> None:
    """Which of the two is the more important does not matter."""
    assert is_affine(shared, same, gap, EDGES) is is_affine(shared, same, -gap, EDGES)
