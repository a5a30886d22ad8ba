from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.search import (
    CueVectors,
    CueWords,
    Scores,
    best,
    compare,
    distinct,
    in_place,
    match_terms,
    prune,
    search,
    spread_to_neighbours,
    text_scores,
    window_counts,
    window_scores,
)
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue, IntArray, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line
from tests.spoken import NEITHER, english, turkish

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


CORPUS = FakeCorpus([Line("red kite"), Line("red barn"), Line("blue kite rome"), Line("red sky", "mira")])
TURKISH_CORPUS = FakeCorpus([Line("mavi uçurtma roma"), Line("kırmızı gök", "Ayşe")])


def words(*terms: str, corpus: FakeCorpus = CORPUS, **others: object) -> CueWords:
    """The words of a cue in a corpus."""
    return CueWords.of(corpus, Cue(" ".join(terms), terms, "en", **others))  # type: ignore[arg-type]  # a test names them


@NEITHER
def test_shares_add_up_and_the_rare_count_more() -> None:
    """With what is absent they are the whole; kite (2 of 4) counts more than red (3 of 4)."""
    found = words("red", "kite", "zebra")
    assert float(found.shares.sum()) + found.absent == pytest.approx(1.0)
    assert [match.term for match in found.matches] == ["kite", "red"]
    assert found.shares[0] > found.shares[1]
    assert found.absent > found.shares[0]


@NEITHER
def test_coverage_is_the_share_a_memory_holds() -> None:
    """The first memory holds everything; what may not come holds nothing."""
    found = words("red", "kite")
    assert found.coverage(CORPUS, None).tolist() == pytest.approx(
        [1.0, found.shares[1], found.shares[0], found.shares[1]]
    )
    assert found.coverage(CORPUS, np.array([False, True, True, True]))[0] == 0.0


@NEITHER
def test_which_messages_hold_a_word() -> None:
    """−1 is no message and holds none."""
    held = words("kite").held(np.array([[0, 1], [2, -1]]))
    assert held.tolist() == [[[True, False], [True, False]]]


@pytest.mark.parametrize(
    ("corpus", "name", "speaker", "word"),
    [*english((CORPUS, "mira", "mira", "kite")), *turkish((TURKISH_CORPUS, "ayse", "Ayşe", "mavi"))],
)
def test_the_name_of_who_is_asked_about_is_no_word(corpus: FakeCorpus, name: str, speaker: str, word: str) -> None:
    """What Mira said is known by its speaker; her name in the cue is not looked for, unless it is all there is."""
    assert [m.term for m in words(name, word, corpus=corpus, speakers=(speaker,)).matches] == [word]
    assert words(name, corpus=corpus, speakers=(speaker,)).absent == 1.0


@pytest.mark.parametrize(
    ("corpus", "place", "phrase", "month", "word"),
    [
        *english((CORPUS, "rome", "may", "may", "kite")),
        *turkish((TURKISH_CORPUS, "roma", "Mayıs'ta", "mayis", "mavi")),
    ],
)
def test_names_numbers_and_dates_are_particulars(
    corpus: FakeCorpus, place: str, phrase: str, month: str, word: str
) -> None:
    """Rome is a name, 1999 a number, may a date; kite is none."""
    window = TimeWindow(START, START, phrase)
    found = words(place, "1999", month, word, corpus=corpus, entities=(place.title(),), window=window)
    assert found.particulars == 3
    assert found.named(np.array([match.term == place for match in found.matches])) == 1.0
    assert found.named(np.zeros(len(found.matches), np.bool_)) == 0.0
    assert words(word, corpus=corpus).named(np.zeros(1, np.bool_)) == 1.0


@NEITHER
def test_nothing_to_look_for() -> None:
    """A cue without words has no shares and is about nothing that is missing."""
    found = words()
    assert (found.absent, found.particulars) == (0.0, 0)
    assert not found.coverage(CORPUS, None).any()


SETTINGS = replace(SIGNALS, meaning_neighbour=0.4, neighbour_full_words=60.0)
QUERY = np.array([1, 0], np.float32)
NOTHING_KNOWN = (np.empty(0, np.int64), np.empty(0, np.float32))


def meant(lines: list[Line], ordinals: IntArray) -> list[float]:
    """The meaning of some lines for the query."""
    corpus = FakeCorpus(lines)
    result: list[float] = in_place(corpus, compare(corpus, QUERY, ordinals, NOTHING_KNOWN), SETTINGS).tolist()
    return result


def test_an_answer_is_near_through_its_question() -> None:
    """The reply has .6 of its own and .4 of the question's 1, though the question is no candidate."""
    lines = [Line("question", vector=(1.0, 0.0)), Line("reply", vector=(0.6, 0.8))]
    assert meant(lines, np.array([1])) == pytest.approx([0.6 + 0.4 * 1.0])


def test_a_page_gives_and_takes_little() -> None:
    """A hundred and twenty words beside one: half is given, and half is taken."""
    lines = [Line("word " * 120, vector=(1.0, 0.0)), Line("reply", vector=(0.6, 0.8))]
    assert meant(lines, np.array([0, 1])) == pytest.approx([1.0 + 0.5 * 0.4 * 0.6, 0.6 + 0.4 * 0.5 * 1.0])


def test_what_is_unlike_takes_nothing_away() -> None:
    """A neighbour on another subject counts as 0, not below; so does one in another session."""
    lines = [Line("far", vector=(-1.0, 0.0)), Line("near", vector=(1.0, 0.0)), Line("other", "user", "s2", (1.0, 0.0))]
    assert meant(lines, np.array([0, 1, 2])) == pytest.approx([0.4, 1.0, 1.0])


def test_no_candidates_have_no_meaning() -> None:
    """Nothing found, nothing compared."""
    assert meant([Line("a", vector=(1.0, 0.0))], np.empty(0, np.int64)) == []


SETTINGS_REINSTATE = replace(SIGNALS, neighbour=0.4, second_neighbour=0.0, neighbour_full_words=60.0)


def test_a_reply_inherits_from_the_question_before_it() -> None:
    """Own score 10 gives .4 · 10 to each neighbour, nothing further off."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])
    scores = np.array([0, 10, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS_REINSTATE)
    assert scores.tolist() == pytest.approx([4.0, 10.0, 4.0, 0.0])


def test_a_long_message_takes_less_from_its_neighbours() -> None:
    """A message of 120 words takes half."""
    corpus = FakeCorpus([Line("kite"), Line("word " * 120)])
    scores = np.array([10, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS_REINSTATE)
    assert scores[1] == pytest.approx(2.0)


def test_a_long_message_gives_less_to_its_neighbours() -> None:
    """A page that holds a word says little of the short turn beside it: half from a hundred and twenty words."""
    corpus = FakeCorpus([Line("kite"), Line("word " * 120)])
    scores = np.array([0, 10], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS_REINSTATE)
    assert scores[0] == pytest.approx(2.0)


def test_one_further_off_gets_a_smaller_share() -> None:
    """.15 two steps away, and what was given is not given on."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])
    scores = np.array([10, 0, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, replace(SETTINGS_REINSTATE, second_neighbour=0.15))
    assert scores.tolist() == pytest.approx([10.0, 4.0, 1.5, 0.0])


def test_interleaved_sessions_keep_their_own_neighbours() -> None:
    """Neighbours are found by session, not by order of writing."""
    corpus = FakeCorpus([Line("a", session="x"), Line("b", session="y"), Line("c", session="x")])
    scores = np.array([10, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, SETTINGS_REINSTATE)
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
    spread_to_neighbours(corpus, scores, SETTINGS_REINSTATE)
    assert scores.tolist() == pytest.approx([12.0, 9.0])
