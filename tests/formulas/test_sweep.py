"""The daily sweep, edge by edge."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.vault import Sweep, SweepEdges, extended, sweep_verdict

EDGES = SweepEdges(floor=0.2, low=0.4, high=0.7)


@pytest.mark.req("B6")
@pytest.mark.parametrize(
    ("age", "importance", "expected"),
    [
        (1, 0.19, Sweep.ARCHIVE),
        (1, 0.2, Sweep.KEEP),
        (30, 0.3, Sweep.KEEP),
        (31, 0.39, Sweep.ARCHIVE),
        (31, 0.4, Sweep.REVIEW),
        (31, 0.69, Sweep.REVIEW),
        (31, 0.7, Sweep.EXTEND),
        (31, 1.0, Sweep.EXTEND),
    ],
)
def test_every_edge(age: float, importance: float, expected: Sweep) -> None:
    """“Past max age + (< 0.4) archive, (0.4-0.7) review, (≥ 0.7) extend; below 0.2 archive”, at 30 days."""
    assert sweep_verdict(age, 30, importance, EDGES) is expected


@pytest.mark.req("B6")
def test_an_extension_is_half_the_time_again() -> None:
    """×1.5: 30 days become 45, and on day 31 there is nothing more to do."""
    assert extended(30, 1.5) == 45
    assert sweep_verdict(31, extended(30, 1.5), 0.7, EDGES) is Sweep.KEEP


@pytest.mark.req("B6")
@given(st.floats(0, 1e4), st.floats(0, 1))
def test_permanent_observations_go_only_by_importance(age: float, importance: float) -> None:
    """Without an end nothing is past its age."""
    assert sweep_verdict(age, math.inf, importance, EDGES) is (Sweep.ARCHIVE if importance < 0.2 else Sweep.KEEP)
