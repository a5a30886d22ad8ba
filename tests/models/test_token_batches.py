from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.models.port_values import token_batches


def test_groups_are_filled_up_to_the_budget() -> None:
    """Sequences of 2, 2 and 3 tokens under a budget of 4: the first two together, the third alone."""
    assert list(token_batches([[1, 2], [3, 4], [5, 6, 7]], 4)) == [([0, 1], [[1, 2], [3, 4]]), ([2], [[5, 6, 7]])]


def test_a_sequence_over_the_budget_goes_alone() -> None:
    """It is neither cut nor lost."""
    assert list(token_batches([[1], [2] * 9, [3]], 4)) == [([0], [[1]]), ([1], [[2] * 9]), ([2], [[3]])]


@given(st.lists(st.lists(st.integers(), max_size=6)), st.integers(1, 12))
def test_every_filled_sequence_comes_once_in_order(texts: list[list[int]], budget: int) -> None:
    """Positions and sequences put together again are the non-empty input."""
    found = [pair for numbers, group in token_batches(texts, budget) for pair in zip(numbers, group, strict=True)]
    assert found == [(number, tokens) for number, tokens in enumerate(texts) if tokens]


@given(st.lists(st.lists(st.integers(), max_size=6)), st.integers(1, 12))
def test_only_a_single_sequence_exceeds_the_budget(texts: list[list[int]], budget: int) -> None:
    """A group of two or more stays within it."""
    assert all(len(group) == 1 or sum(map(len, group)) <= budget for _, group in token_batches(texts, budget))
