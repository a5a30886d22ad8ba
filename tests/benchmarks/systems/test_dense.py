"""Cosine alone."""

from __future__ import annotations

from benchmarks.systems.baselines import Dense
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy


def test_everything_is_ranked_and_the_like_comes_first() -> None:
    """Every item has a place; the one that says the same leads; ties go to the earlier."""
    items = [toy.item("a", "green door"), toy.item("b", "green door"), toy.item("c", "violin lesson today")]
    store = toy.haystack(items, [toy.question("violin lesson today"), toy.question("green door")])
    rankings = Dense(HashEmbedder()).rank(store, depth=10)
    assert rankings[0][0].ids == ("c",)
    assert [entry.ids[0] for entry in rankings[1]] == ["a", "b", "c"]
    assert [entry.words for entry in rankings[1]] == [2, 2, 3]
