"""Links from shared tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import links

tag_sets = st.lists(st.frozensets(st.sampled_from("abcdefg"), max_size=7), max_size=9)


@pytest.mark.req("A10", "A16.19")
def test_three_shared_tags_link_both_ways() -> None:
    """Three are enough, two are not."""
    tags = [{"api", "auth", "token"}, {"api", "auth", "token", "bug"}, {"api", "auth"}]
    assert links(tags, [[], [], []], 3, 10) == [[1], [0], []]


@pytest.mark.req("A10", "A16.21")
def test_ten_for_each_at_most_and_the_closest_first() -> None:
    """One memory alike to twelve others links to ten, those sharing most first."""
    tags = [{"a", "b", "c", "d"}, *[{"a", "b", "c"}] * 11, {"a", "b", "c", "d"}]
    linked = links(tags, [[] for _ in tags], 3, 10)
    assert linked[0][0] == 12
    assert max(map(len, linked)) == 10


@pytest.mark.req("A10")
def test_what_is_linked_stays() -> None:
    """An existing link keeps its place even where tags no longer agree."""
    assert links([{"x"}, {"y"}], [[1], [0]], 3, 10) == [[1], [0]]


@pytest.mark.req("A10", "A16.21")
@given(tag_sets, st.integers(0, 4))
def test_symmetric_bounded_and_settled(tags: list[frozenset[str]], limit: int) -> None:
    """Links hold both ways, never exceed the limit, never name oneself; a second run adds nothing."""
    linked = links(tags, [[] for _ in tags], 3, limit)
    for index, targets in enumerate(linked):
        assert len(targets) == len(set(targets)) <= limit
        assert index not in targets
        assert all(index in linked[target] for target in targets)
    assert links(tags, linked, 3, limit) == linked
