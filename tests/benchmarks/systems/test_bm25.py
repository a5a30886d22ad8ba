"""The BM25 baseline, worked out by hand."""

from __future__ import annotations

import math

import pytest

from benchmarks.systems.baselines import Bm25, Bm25Index
from benchmarks.values import Haystack
from tests.benchmarks import toy


def ids(haystack: Haystack) -> list[list[str]]:
    """What is ranked, for each question."""
    return [[entry.ids[0] for entry in ranking] for ranking in Bm25().rank(haystack, depth=10)]


def test_rare_words_weigh_more_and_length_costs() -> None:
    """The rare word first; of two with the common word the shorter."""
    items = [toy.item("long", "cat dog bird horse mouse"), toy.item("short", "cat dog"), toy.item("rare", "cat violin")]
    assert ids(toy.haystack(items, [toy.question("cats and a violin")])) == [["rare", "short", "long"]]


def test_words_meet_in_their_stems() -> None:
    """Running finds runs."""
    items = [toy.item("a", "She runs daily"), toy.item("b", "He sings")]
    assert ids(toy.haystack(items, [toy.question("running")])) == [["a"]]


def test_what_shares_no_word_is_not_ranked() -> None:
    """No score, no place."""
    assert ids(toy.haystack([toy.item("a", "apple")], [toy.question("zebra")])) == [[]]


def test_ties_go_to_the_earlier_item() -> None:
    """Equal texts stay in the order they were said."""
    items = [toy.item(one, "violin lesson") for one in ("c", "a", "b")]
    assert ids(toy.haystack(items, [toy.question("violin")])) == [["c", "a", "b"]]


def test_the_score_is_lucenes() -> None:
    """One of two texts holds the term once, at mean length: ln(1 + 1.5/1.5) · 1/(1 + 1.5)."""
    index = Bm25Index(toy.haystack([toy.item("a", "violin case"), toy.item("b", "green door")], []))
    ordinals, counts = index.postings["violin"]
    assert list(ordinals) == [0]
    assert list(counts) == [1.0]
    assert index.mean_length == 2.0
    assert index.scores("violin")[0] == pytest.approx(math.log(2) / 2.5)


def test_depth_bounds_the_ranking() -> None:
    """No more places than asked for."""
    items = [toy.item(str(number), "violin") for number in range(5)]
    (ranking,) = Bm25().rank(toy.haystack(items, [toy.question("violin")]), depth=3)
    assert len(ranking) == 3


def test_an_empty_store_answers_nothing() -> None:
    """No texts, or texts without words, are no error."""
    assert ids(toy.haystack([], [toy.question("violin")])) == [[]]
    assert ids(toy.haystack([toy.item("a", ""), toy.item("b", "!")], [toy.question("violin")])) == [[]]
