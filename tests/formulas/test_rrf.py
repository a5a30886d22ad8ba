"""Reciprocal rank fusion: worked numbers and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import rrf


def test_two_rankings_add_up() -> None:
    """First in one list and second in the other: 1/61 + 1/62."""
    assert rrf([["a", "b"], ["c", "a"]])["a"] == pytest.approx(1 / 61 + 1 / 62)


def test_an_item_in_one_list_alone_keeps_that_share() -> None:
    """Third in the only list it stands in: 1/63."""
    assert rrf([["a", "b", "c"], ["a"]])["c"] == pytest.approx(1 / 63)


@pytest.mark.req("D6")
def test_counted_from_nought_it_is_one_over_sixty_plus_rank_plus_one() -> None:
    """“1 / (K + rank + 1), K = 60”: rank 0 gives 1/61, rank 9 gives 1/70."""
    scores = rrf([list(range(10))])
    assert [scores[rank] for rank in (0, 9)] == pytest.approx([1 / 61, 1 / 70])


@pytest.mark.req("D18")
def test_lists_may_weigh_differently() -> None:
    """.6 for meaning and .4 for text: .6/61 + .4/62."""
    assert rrf([["a", "b"], ["c", "a"]], weights=[0.6, 0.4])["a"] == pytest.approx(0.6 / 61 + 0.4 / 62)


@given(st.permutations(list(range(8))), st.permutations(list(range(8))))
def test_the_order_of_the_rankings_does_not_matter(one: list[int], two: list[int]) -> None:
    """Fusion is symmetric in its lists."""
    assert rrf([one, two]) == pytest.approx(rrf([two, one]))


@given(st.permutations(list(range(8))))
def test_one_ranking_keeps_its_order(ranking: list[int]) -> None:
    """Fusing a single list changes nothing."""
    scores = rrf([ranking])
    assert sorted(scores, key=lambda item: -scores[item]) == ranking
