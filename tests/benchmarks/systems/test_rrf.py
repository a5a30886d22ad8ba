"""Reciprocal rank fusion of the two baselines."""

from __future__ import annotations

from benchmarks.systems.baselines import Rrf
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy


def test_what_both_lists_hold_high_comes_first() -> None:
    """Second in neither beats first in one: only "b" shares a whole word and looks alike."""
    items = [
        toy.item("a", "quite another matter"),
        toy.item("b", "violin lessons"),
        toy.item("c", "lessening violence"),
    ]
    (ranking,) = Rrf(HashEmbedder()).rank(toy.haystack(items, [toy.question("violin lessons")]), depth=10)
    assert ranking[0].ids == ("b",)
    assert sorted(entry.ids[0] for entry in ranking) == ["a", "b", "c"]
