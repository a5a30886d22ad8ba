"""Memories that were never needed."""

from __future__ import annotations

import pytest

from reverie.formulas.tiers import is_candidate


@pytest.mark.req("A12")
@pytest.mark.parametrize(
    ("accesses", "age", "expected"), [(0, 51, True), (0, 50, False), (1, 500, False), (0, 0, False)]
)
def test_every_edge(accesses: int, age: float, expected: bool) -> None:
    """“access_count == 0 and memory age > archival_threshold_cycles”."""
    assert is_candidate(accesses, age, 50) is expected
