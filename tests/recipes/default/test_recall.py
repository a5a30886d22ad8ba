"""The default's read path: its numbers, worked through its own stages."""

from __future__ import annotations

import math
from datetime import timedelta

import numpy as np
import pytest

from reverie.recall.pipeline import recall
from reverie.recall.search import (
    CueVectors,
    compare,
    in_place,
    match_terms,
    search,
    spread_to_neighbours,
    text_scores,
    window_scores,
)
from reverie.recall.signals import NAMES, OF_SECOND, Ranking, Signals, fuse
from reverie.recall.supersession import Supersession
from reverie.recipes.recipe import recipe
from reverie.types import Cue, Kind, Standing, State, Tier, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, holding, quest, request, world
from tests.recall.stages import stage_of, terms_read

PATH = recipe("reverie").recall
SIGNALS = stage_of(PATH, Signals).settings


@pytest.mark.req("D39")
def test_the_stages_in_their_order() -> None:
    """Small talk, search, echoes, whether anything matters, company, a reader, opposed, outdated, replaced, repeats."""
    assert [stage.name for stage in PATH.stages] == [
        "pre-gate",
        "search",
        "echoes",
        "answerable",
        "answer gate",
        "company",
        "reader",
        "opposed",
        "outdated",
        "updates",
        "repeats",
        "standing orders",
        "collapse",
    ]


@pytest.mark.req("D6")
def test_text_is_bm25() -> None:
    """k1 1.5, b .75: one term in one of two lines of 2 and 4 terms."""
    corpus = FakeCorpus([Line("red kite", session="a"), Line("a blue boat sails", session="b")])
    expected = math.log(1 + 1.5 / 1.5) / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    found, _ = text_scores(corpus, match_terms(corpus, ["kite"]), 3.0, SIGNALS)
    assert found.values.tolist() == pytest.approx([expected, 0.0])


@pytest.mark.req("D6")
def test_neighbours_lend_their_words() -> None:
    """.4 to the next and .15 to the one after; half to a message of a hundred and twenty words, and half from one."""
    corpus = FakeCorpus([Line("word " * 60), Line("kite"), Line("word " * 120), Line("word " * 61)])
    scores = np.array([0, 10, 0, 0], np.float32)
    spread_to_neighbours(corpus, scores, SIGNALS)
    assert scores.tolist() == pytest.approx([4.0, 10.0, 2.0, 1.5 * 60 / 61])
    longer = np.array([0, 0, 10, 0], np.float32)
    spread_to_neighbours(corpus, longer, SIGNALS)
    assert longer.tolist() == pytest.approx([0.75, 2.0, 10.0, 2.0 * 60 / 61])


@pytest.mark.req("D6")
def test_a_window_reaches_three_messages_to_each_side() -> None:
    """The fourth is out of it."""
    corpus = FakeCorpus([Line("kite"), *(Line("word") for _ in range(5))])
    assert (window_scores(corpus, match_terms(corpus, ["kite"]), 1.0, SIGNALS).values > 0).tolist() == [
        *[True] * 4,
        False,
        False,
    ]


@pytest.mark.req("D6")
@pytest.mark.parametrize("asked_assistant", [False, True])
def test_the_signals_of_a_hit(asked_assistant: bool) -> None:
    """What each reads off the line that holds the word, and off the one that is nearest in meaning.

    The speaker's half where the assistant is asked. One word tells neither of oneself nor of the other (½), and is too
    short to say anything (0).
    """
    line = Line("kite", vector=(0.6, 0.8), day=-1)
    corpus = FakeCorpus([line, Line("boat", "assistant", "s2", vector=(1.0, 0.0), day=-9)])
    window = TimeWindow(START - timedelta(days=2), START, "yesterday")
    cue = Cue("kite", ("kite",), "en", first_person=True, asks_assistant=asked_assistant, window=window)
    fused = fuse(
        corpus, cue, search(corpus, cue, CueVectors(np.array([1, 0], np.float32)), None, SIGNALS), SIGNALS, Ranking({})
    )
    kite, boat = (dict(zip(NAMES, row, strict=True)) for row in fused.values.tolist())
    same = {
        "telling": 0.5,
        "length": 0.0,
        "size": 0.0,
        "dated": 0.0,
        "device": 0.0,
        "order": 0.0,
        "taste": 0.0,
    } | dict.fromkeys(OF_SECOND, 0.0)
    assert kite == pytest.approx(
        same
        | {"text": 1.0, "window": 1.0, "coverage": 1.0, "meaning": 0.6, "own meaning": 0.6, "recency": 1.0}
        | {"speaker": 0.5 if asked_assistant else 1.0, "time": 1.0, "user": 1.0, "assistant": 0.0}
    )
    assert boat == pytest.approx(
        same
        | {"text": 0.0, "window": 0.0, "coverage": 0.0, "meaning": 1.0, "own meaning": 1.0, "recency": 0.0}
        | {"speaker": 0.0, "time": 0.0, "user": 0.0, "assistant": 1.0}
    )


@pytest.mark.req("D6")
def test_the_bounds_of_the_search() -> None:
    """A hundred candidates a list, 20 000 postings of text and 2 000 of windows, meaning from .95 embedded on."""
    lines = [Line("kite", session=str(n)) for n in range(120)]
    assert len(search(FakeCorpus(lines), Cue("kite", ("kite",), "en"), None, None, SIGNALS).ordinals) == 100
    assert (terms_read(SIGNALS.postings, 8_000, 12_000), terms_read(SIGNALS.postings, 8_000, 12_001)) == (2, 1)
    assert (terms_read(SIGNALS.window_postings, 800, 1_200), terms_read(SIGNALS.window_postings, 800, 1_201)) == (2, 1)
    for embedded, compared in ((95, True), (94, False)):
        corpus = FakeCorpus([Line("a", vector=(1.0, 0.0) if n < embedded else None) for n in range(100)])
        answer = stage_of(PATH, Signals)(quest(request("x"), world(corpus, Surroundings({"x": (1.0, 0.0)}))))
        assert ("meaning compared" in answer.notes[0]) is compared


def test_a_recall_leaves_strengths_as_they_are() -> None:
    """What was recalled is counted, and nothing else changes: strengthening earned no place (decision 0037)."""
    corpus = FakeCorpus([Line("kite", kind=Kind.FACT, used=-45), Line("red kite", kind=Kind.FACT)])
    answer, changes = recall(request("kite"), world(corpus), PATH)
    assert (len(answer.hits), changes) == (2, ())


def known(text: str, utility: float = 0.8, accesses: int = 10, day: float = -29.9) -> Line:
    """A semantic fact that just qualifies."""
    standing = Standing(tier=Tier.SEMANTIC, utility=utility)
    return Line(text, kind=Kind.FACT, accesses=accesses, day=day, standing=standing)


@pytest.mark.req("D23")
@pytest.mark.parametrize("cue", ["hello", "selam"])
def test_small_talk_is_looked_up_only_by_hand(cue: str) -> None:
    """A host that asks for every message saves a search."""
    around = world(FakeCorpus([Line(f"{cue} sela")]))  # with the stem of "selam"
    assert recall(request(cue), around, PATH)[0].hits
    assert recall(request(cue, automatic=True), around, PATH)[0].hits == ()


@pytest.mark.req("D17", "D39")
def test_ten_hits_twice_ten_looked_at() -> None:
    """Where the caller does not say how many; what is superseded is looked for among the first twenty."""
    assert len(recall(request("kite"), world(FakeCorpus([Line(f"kite {n}") for n in range(30)])), PATH)[0].hits) == 10
    superseded = Standing(state=State.SUPERSEDED, superseded_by="m30")
    for place, found in ((19, True), (20, False)):
        lines = [Line(f"kite {n}") for n in range(30)]
        lines += [
            Line("boat", kind=Kind.FACT),
            Line("kite", kind=Kind.FACT, sources=(f"m{place}",), standing=superseded),
        ]
        seeking = holding(request("kite"), FakeCorpus(lines), [1.0 - n / 100 for n in range(30)] + [0.0, 0.0])
        first = list(stage_of(PATH, Supersession)(seeking).candidates)[: place + 1]
        assert ("m30" in {candidate.memory.id for candidate in first}) is found


@pytest.mark.req("D39")
@pytest.mark.parametrize("word", ["kite", "deniz"])
def test_an_episode_is_hidden_only_by_most_of_its_words(word: str) -> None:
    """A fact of six tenths of its length says it; one of less does not."""
    for length, hits in ((60, 1), (59, 2)):
        fact_text = f"{word} {word}".ljust(length, "a")
        lines = [Line(fact_text, kind=Kind.FACT, sources=("m1",), session="other"), Line(f"{word} ".ljust(100, "b"))]
        answer = recall(request(word), world(FakeCorpus(lines)), PATH)[0]
        assert answer.hits[0].memory.id == "m0"
        assert len(answer.hits) == hits


@pytest.mark.req("D6")
def test_neighbours_lend_their_meaning() -> None:
    """.4 of the question's similarity comes to the short reply after it."""
    corpus = FakeCorpus([Line("question", vector=(1.0, 0.0)), Line("reply", vector=(0.6, 0.8))])
    unknown = (np.empty(0, np.int64), np.empty(0, np.float32))
    compared = compare(corpus, np.array([1, 0], np.float32), np.array([1]), unknown)
    assert in_place(corpus, compared, SIGNALS).tolist() == pytest.approx([0.6 + 0.4])


@pytest.mark.req("D6")
@pytest.mark.parametrize(
    ("words", "ample"), [(16, 0.75), (31, 1 - np.log2(32 / 31) / 4), (32, 1.0), (64, 1.0), (128, 0.875)]
)
def test_thirty_two_to_sixty_four_words_say_enough(words: int, ample: float) -> None:
    """A quarter less for each halving below, an eighth less for each doubling above."""
    corpus = FakeCorpus([Line("kite " + "word " * (words - 1))])
    cue = Cue("kite", ("kite",), "en")
    fused = fuse(corpus, cue, search(corpus, cue, None, None, SIGNALS), SIGNALS, Ranking({}))
    length = next(signal for signal in fused.signals(np.array([0]))[0] if signal.name == "length")
    assert length.value == pytest.approx(ample)
