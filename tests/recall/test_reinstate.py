"""Context reinstatement: a message is found through what stands around it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.reinstate import spread_to_neighbours, window_counts, window_lengths
from reverie.recipes.default import REVERIE
from tests.recall.fake_corpus import FakeCorpus, Line

SETTINGS = replace(REVERIE.recall, neighbour=0.4, neighbour_full_words=60.0)


def test_a_reply_inherits_from_the_question_before_it() -> None:
    """Own score 10 gives .4 · 10 to each neighbour, nothing further off."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])
    scores = spread_to_neighbours(corpus, np.array([0, 10, 0, 0], np.float32), SETTINGS)
    assert scores.tolist() == pytest.approx([4.0, 10.0, 4.0, 0.0])


def test_a_long_message_takes_less_from_its_neighbours() -> None:
    """A message of 120 words takes half."""
    corpus = FakeCorpus([Line("kite"), Line("word " * 120)])
    scores = spread_to_neighbours(corpus, np.array([10, 0], np.float32), SETTINGS)
    assert scores[1] == pytest.approx(2.0)


def test_interleaved_sessions_keep_their_own_neighbours() -> None:
    """Neighbours are found by session, not by order of writing."""
    corpus = FakeCorpus([Line("a", session="x"), Line("b", session="y"), Line("c", session="x")])
    scores = spread_to_neighbours(corpus, np.array([10, 0, 0], np.float32), SETTINGS)
    assert scores.tolist() == pytest.approx([10.0, 0.0, 4.0])


def test_window_counts_and_lengths_by_hand() -> None:
    """Radius 1 over lines of 1, 2 and 3 terms with 'k' in the first and twice in the last."""
    corpus = FakeCorpus([Line("k"), Line("a b"), Line("k k c")])
    counts = window_counts(corpus, [corpus.postings("k"), corpus.postings("c")], 1)
    assert counts.tolist() == [[1.0, 3.0, 2.0], [0.0, 1.0, 1.0]]
    assert window_lengths(corpus, np.array([0, 1, 2]), 1).tolist() == [3.0, 6.0, 5.0]
