"""Pairs that keep being recalled together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import CoRetrievedPair, RetrievalEvent, candidates


@pytest.mark.req("A9", "A16.18")
def test_more_than_five_times() -> None:
    """Five times together is not enough, six is; with first and last seen."""
    five = [RetrievalEvent(float(day), ("b", "a")) for day in range(5)]
    assert candidates(five, 5) == []
    assert candidates([*five, RetrievalEvent(9.0, ("a", "b", "c"))], 5) == [CoRetrievedPair(("a", "b"), 6, 0.0, 9.0)]


def test_a_memory_named_twice_is_no_pair() -> None:
    """An id that stands twice in one recall counts once."""
    assert candidates([RetrievalEvent(1.0, ("a", "a", "b"))], 0) == [CoRetrievedPair(("a", "b"), 1, 1.0, 1.0)]


@pytest.mark.req("A9")
@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=12), st.integers(0, 5))
def test_only_what_came_often_and_the_order_within_a_recall_does_not_matter(ids: list[list[str]], least: int) -> None:
    """Each pair exceeds the threshold; the reverse of each recall gives the same."""
    found = candidates([RetrievalEvent(0.0, tuple(each)) for each in ids], least)
    assert all(pair.count > least for pair in found)
    assert found == candidates([RetrievalEvent(0.0, tuple(reversed(each))) for each in ids], least)
