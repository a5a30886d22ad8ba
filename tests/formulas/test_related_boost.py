"""Linked memories just below the cut are lifted, once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import boosted

RANKED = [("a", 0.9), ("b", 0.8), ("c", 0.75), ("d", 0.7)]


@pytest.mark.req("A5", "A16.20")
def test_a_linked_memory_below_the_cut_moves_up() -> None:
    """.75 + .08 overtakes .8; the unlinked stays."""
    result = boosted(RANKED, {"a": ["c"]}, 2, 0.08)
    assert [item for item, _ in result] == ["a", "c", "b", "d"]
    assert dict(result)["c"] == pytest.approx(0.83)


@pytest.mark.req("A5")
def test_once_however_many_links() -> None:
    """Two chosen memories link to ``c``: it gains .08, not .16 (reading 34)."""
    assert dict(boosted(RANKED, {"a": ["c"], "b": ["c"]}, 2, 0.08))["c"] == pytest.approx(0.83)


@pytest.mark.req("A5")
def test_links_above_the_cut_and_out_of_the_pool_change_nothing() -> None:
    """The chosen are not lifted, links from below do not count, and nothing is added to the pool."""
    assert boosted(RANKED, {"a": ["b", "x"], "d": ["c"]}, 2, 0.08) == RANKED


@given(st.lists(st.floats(0, 1), max_size=12), st.integers(0, 12))
def test_nothing_is_lost_and_nobody_falls_in_score(scores: list[float], top_k: int) -> None:
    """The same items come out, best first, none with a lower score."""
    ranked = sorted(enumerate(scores), key=lambda pair: -pair[1])
    links = {item: [item + 1, 0] for item, _ in ranked}
    result = boosted(ranked, links, top_k, 0.08)
    assert {item for item, _ in result} == {item for item, _ in ranked}
    assert all(score >= scores[item] for item, score in result)
    assert [score for _, score in result] == sorted((score for _, score in result), reverse=True)
