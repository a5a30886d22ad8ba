"""Marginal relevance over the words of the candidates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recipes.published.selection import Mmr
from tests.recall.fake_corpus import FakeCorpus, Line, by_id, holding, request


@pytest.mark.req("D9")
@pytest.mark.parametrize(
    "texts",
    [
        ("red kite over the sea", "red kite over a sea", "blue boat"),
        ("kırmızı uçurtma deniz", "kırmızı uçurtma denizde", "mavi tekne"),
    ],
)
def test_the_second_choice_is_unlike_the_first(texts: tuple[str, str, str]) -> None:
    """Of three, two say nearly the same: the less similar third comes before the repetition."""
    found = holding(request("x"), FakeCorpus([Line(text) for text in texts]), [0.9, 0.85, 0.6])
    assert list(by_id(Mmr(0.7)(found))) == ["m0", "m2", "m1"]
    assert list(by_id(Mmr(1.0)(found))) == ["m0", "m1", "m2"]


def test_what_is_withheld_stays_behind_and_counts_for_nothing() -> None:
    """A withheld twin does not push anybody back."""
    found = holding(request("x"), FakeCorpus([Line("red kite"), Line("red kite"), Line("boat")]), [0.9, 0.8, 0.1])
    marked = [replace(c, withheld="low") if c.memory.id == "m0" else c for c in found.candidates]
    assert list(by_id(Mmr(0.7)(replace(found, candidates=marked)))) == ["m1", "m2", "m0"]


def test_nothing_found_is_nothing_chosen() -> None:
    """An empty pool."""
    assert list(Mmr(0.7)(holding(request("x"), FakeCorpus([]), [])).candidates) == []
