"""Context reinstatement: a message is found through what stands around it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.search import distinct, spread_to_neighbours, window_counts
from reverie.recipes.default.recall import SIGNALS
from tests.recall.fake_corpus import FakeCorpus, Line

SETTINGS = replace(SIGNALS, neighbour=0.4, second_neighbour=0.0, neighbour_full_words=60.0)


def test_a_reply_inherits_from_the_question_before_it() -> None:
    """Own score 10 gives .4 · 10 to each neighbour, nothing further off."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])
    scores = np.array([0, 10, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS)
    assert scores.tolist() == pytest.approx([4.0, 10.0, 4.0, 0.0])


def test_a_long_message_takes_less_from_its_neighbours() -> None:
    """A message of 120 words takes half."""
    corpus = FakeCorpus([Line("kite"), Line("word " * 120)])
    scores = np.array([10, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS)
    assert scores[1] == pytest.approx(2.0)


def test_a_long_message_gives_less_to_its_neighbours() -> None:
    """A page that holds a word says little of the short turn beside it: half from a hundred and twenty words."""
    corpus = FakeCorpus([Line("kite"), Line("word " * 120)])
    scores = np.array([0, 10], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS)
    assert scores[0] == pytest.approx(2.0)


def test_one_further_off_gets_a_smaller_share() -> None:
    """.15 two steps away, and what was given is not given on."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])
    scores = np.array([10, 0, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, replace(SETTINGS, second_neighbour=0.15))
    assert scores.tolist() == pytest.approx([10.0, 4.0, 1.5, 0.0])


def test_interleaved_sessions_keep_their_own_neighbours() -> None:
    """Neighbours are found by session, not by order of writing."""
    corpus = FakeCorpus([Line("a", session="x"), Line("b", session="y"), Line("c", session="x")])
    scores = np.array([10, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS)
    assert scores.tolist() == pytest.approx([10.0, 0.0, 4.0])


def test_window_counts_and_lengths_by_hand() -> None:
    """Radius 1 over lines of 1, 2 and 3 terms with 'k' in the first and twice in the last."""
    corpus = FakeCorpus([Line("k"), Line("a b"), Line("k k c")])
    counts, where = window_counts(corpus, [corpus.postings("k"), corpus.postings("c")], 1)
    assert counts.tolist() == [[1.0, 3.0, 2.0], [0.0, 1.0, 1.0]]
    assert where.tolist() == [0, 1, 2]
    assert corpus.window_lengths(1).tolist() == [3.0, 6.0, 5.0]


def test_window_counts_are_of_messages_near_an_occurrence_alone() -> None:
    """What stands further off is left out."""
    corpus = FakeCorpus([Line("k"), Line("a"), Line("b"), Line("c")])
    counts, where = window_counts(corpus, [corpus.postings("k")], 1)
    assert (counts.tolist(), where.tolist()) == ([[1.0, 1.0]], [0, 1])


@pytest.mark.parametrize("ordinals", [[], [3], [3, 5, 9, 1, 3, 9, 0], [2, 2, 2]])
def test_distinct_ordinals_ascend(ordinals: list[int]) -> None:
    """Several lists put one behind the other become one."""
    assert distinct(np.array(ordinals, np.int64)).tolist() == sorted(set(ordinals))


def test_neighbours_that_both_score_share_what_they_had() -> None:
    """Each gives of its own score, not of what it was given."""
    corpus = FakeCorpus([Line("a"), Line("b")])
    scores = np.array([10, 5], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS)
    assert scores.tolist() == pytest.approx([12.0, 9.0])
