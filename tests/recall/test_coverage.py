"""Coverage: how much of a cue a message holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reverie.recall.coverage import counts_at, coverage
from tests.recall.fake_corpus import FakeCorpus, Line

CORPUS = FakeCorpus([Line("kite kite kite"), Line("kite boat"), Line("boat"), Line("sea")])
KITE, BOAT, NOTHING = (CORPUS.postings(term) for term in ("kite", "boat", "nothing"))


def test_many_words_once_beat_one_word_often() -> None:
    """Two terms of equal rarity: both are all, one of them three times is half."""
    assert coverage([KITE, BOAT], 4, np.arange(4)).tolist() == pytest.approx([0.5, 1.0, 0.5, 0.0])


def test_a_rare_word_counts_for_more() -> None:
    """One of four against two of four, by their idf."""
    rare, common = math.log(1 + 3.5 / 1.5), math.log(1 + 2.5 / 2.5)
    held = coverage([CORPUS.postings("sea"), KITE], 4, np.array([0, 3]))
    assert held.tolist() == pytest.approx([common / (rare + common), rare / (rare + common)])


def test_without_terms_nothing_is_covered() -> None:
    """A cue that holds no word of the scope."""
    assert coverage([], 4, np.arange(4)).tolist() == [0.0] * 4


def test_counts_at_places() -> None:
    """Between, before and behind the places where a term occurs there is none of it."""
    assert counts_at(KITE, np.array([0, 1, 2, 3])).tolist() == [3.0, 1.0, 0.0, 0.0]
    assert counts_at(NOTHING, np.array([0, 1])).tolist() == [0.0, 0.0]
