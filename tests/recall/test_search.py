"""Search: BM25 from postings, pruning, the three pools."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.search import CueVectors, Scores, best, match_terms, prune, search, text_scores, window_scores
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue
from tests.recall.fake_corpus import FakeCorpus, Line

ALONE = replace(SIGNALS, neighbour=0.0)


def cue(*terms: str) -> Cue:
    """A cue of these terms and nothing else."""
    return Cue(" ".join(terms), terms, "en")


def test_text_score_is_bm25_by_hand() -> None:
    """One term in one of two lines of 2 and 4 terms: idf · 1/(1 + 1.5·(.25 + .75·2/3))."""
    corpus = FakeCorpus([Line("red kite"), Line("a blue boat sails")])
    scores, own = text_scores(corpus, match_terms(corpus, ["kite"]), 3.0, ALONE)
    expected = math.log(1 + 1.5 / 1.5) * 1 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    assert scores.values.tolist() == pytest.approx([expected, 0.0])
    assert own.tolist() == scores.values.tolist()
    assert scores.where.tolist() == [0]
    assert scores.highest == pytest.approx(expected)


def test_a_window_gathers_what_its_messages_say_together() -> None:
    """The middle line holds neither term, but its window holds both, so it beats the ends."""
    corpus = FakeCorpus([Line("kite one two"), Line("three four five"), Line("boat six seven")])
    settings = replace(ALONE, window_radius=1)
    scores = window_scores(corpus, match_terms(corpus, ["kite", "boat"]), 3.0, settings)
    assert int(np.argmax(scores.values)) == 1
    assert scores.where.tolist() == [0, 1, 2]


def test_a_window_ends_with_its_session() -> None:
    """What the next session says does not count for this one."""
    corpus = FakeCorpus([Line("kite", session="a"), Line("other", session="b")])
    scores = window_scores(corpus, match_terms(corpus, ["kite"]), 1.0, ALONE)
    assert scores.where.tolist() == [0]
    assert scores.values[1] == 0


def test_a_term_of_two_stems_is_where_either_is() -> None:
    """Counted together and weighed by how many lines hold one of them; an unknown stem changes nothing."""
    corpus = FakeCorpus([Line("kedi kedil kedi"), Line("kite"), Line("kedil"), Line("kedi")])
    (match,) = match_terms(corpus, ["kedil|kedi"])
    assert match.postings.ordinals.tolist() == [0, 2, 3]
    assert match.postings.counts.tolist() == [3.0, 1.0, 1.0]
    assert match.frequency == 3
    (alone,) = match_terms(corpus, ["kite|kit"])
    assert alone.postings.ordinals.tolist() == [1]


def test_common_terms_give_way_to_rare_ones() -> None:
    """With room for three postings the term found in two lines stays and the one found in four goes."""
    corpus = FakeCorpus([Line("the kite"), Line("the kite"), Line("the boat"), Line("the end")])
    kept = prune(match_terms(corpus, ["the", "kite"]), 3)
    assert [match.term for match in kept] == ["kite"]


def test_the_rarest_term_always_stays() -> None:
    """A cue of one very common word is still searched for."""
    corpus = FakeCorpus([Line("the kite"), Line("the boat")])
    assert [match.term for match in prune(match_terms(corpus, ["the"]), 1)] == ["the"]


def test_best_takes_the_highest_and_the_earlier_of_equals() -> None:
    """Two places, three lines of one score: the first of them goes with the highest."""
    scores = Scores(np.array([0, 2, 5, 2, 2], np.float32), np.array([1, 2, 3, 4]))
    assert scores.best(2).tolist() == [1, 2]
    assert scores.best(9).tolist() == [1, 2, 3, 4]
    assert best(scores.values, 2).tolist() == [1, 2]


def test_of_nothing_the_best_is_nothing() -> None:
    """A list that found nothing, or nothing that holds."""
    scores = Scores(np.array([0, 2], np.float32), np.array([1])).only(np.array([True, False]))
    assert scores.best(3).tolist() == []
    assert scores.highest == 0.0


def test_the_nearest_are_not_compared_twice() -> None:
    """What the search by meaning told is taken over; the other candidates are compared, and all stand in one list."""
    lines = [Line("kite", vector=(0.6, 0.8)), Line("boat", vector=(1.0, 0.0)), Line("kite boat", vector=(0.0, 1.0))]
    corpus = FakeCorpus(lines)
    query = np.array([1, 0], np.float32)
    found = search(corpus, cue("kite"), CueVectors(query), None, replace(SIGNALS, pool=1, meaning_neighbour=0.0))
    assert found.meaning is not None
    alone = np.maximum(corpus.similarities(query, found.ordinals), 0.0)
    assert found.meaning.tolist() == pytest.approx(alone.tolist())
    assert 1 in found.ordinals


def test_what_no_longer_holds_is_no_candidate() -> None:
    """A forgotten line is not found, by words or by meaning."""
    lines = [Line("kite", holds=False, vector=(1.0, 0.0)), Line("kite too", vector=(0.0, 1.0))]
    corpus = FakeCorpus(lines)
    among = np.array([False, True])
    found = search(corpus, cue("kite"), CueVectors(np.array([1, 0], np.float32)), among, SIGNALS)
    assert found.ordinals.tolist() == [1]


def test_an_empty_corpus_has_no_candidates() -> None:
    """Nothing kept, nothing found, no error."""
    found = search(FakeCorpus([]), cue("kite"), None, None, SIGNALS)
    assert found.ordinals.tolist() == []
