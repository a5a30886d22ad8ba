"""Packing within a token budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.answers import Hit
from reverie.recall.pipeline import pack
from tests.recall.fake_corpus import FakeCorpus, Line

MEMORY = FakeCorpus([Line("a")]).fetch([0])[0]


def hits(*tokens: int, withheld: str = "") -> list[Hit]:
    """Ranked hits of these costs."""
    return [Hit(MEMORY, rank, 1.0 / rank, (), None, cost, withheld) for rank, cost in enumerate(tokens, start=1)]


def test_what_does_not_fit_is_passed_over_and_says_so() -> None:
    """With 10 tokens, 6 fits, 8 does not, 4 does."""
    injected, withheld = pack(hits(6, 8, 4), 10, 10)
    assert [hit.tokens for hit in injected] == [6, 4]
    assert [hit.withheld for hit in withheld] == ["does not fit: 8 tokens, 4 left"]


def test_no_budget_means_the_first_k() -> None:
    """Without a limit only the count cuts."""
    injected, withheld = pack(hits(600, 800, 400), 2, None)
    assert [hit.rank for hit in injected] == [1, 2]
    assert withheld == []


def test_a_hit_withheld_before_stays_withheld() -> None:
    """A repeat is not injected even if there is room."""
    injected, withheld = pack(hits(1, withheld="repeats number 1"), 5, 100)
    assert injected == []
    assert len(withheld) == 1


@given(st.lists(st.integers(0, 50), max_size=30), st.integers(0, 200), st.integers(1, 10))
def test_the_budget_and_the_count_always_hold(tokens: list[int], budget: int, top_k: int) -> None:
    """Whatever comes: never more tokens than allowed, never more hits than asked for."""
    injected, _ = pack(hits(*tokens), top_k, budget)
    assert sum(hit.tokens for hit in injected) <= budget
    assert len(injected) <= top_k
