"""Candidates on their way: every signal is kept, and the shares add up to the score."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from reverie.answers import Signal
from reverie.conflicts.pairs import numbers
from reverie.recall.search import CueWords
from reverie.recall.state import Candidate, Compared, Lane, RecallState, ordered
from tests.recall.fake_corpus import PAGE, FakeCorpus, Line, quest, request, world

ONE, TWO = FakeCorpus([Line("a"), Line("b")]).fetch([0, 1])


def test_every_touch_is_a_signal_and_the_shares_add_up() -> None:
    """From .4, plus .1, times 1.5: .75, in three shares."""
    candidate = Candidate(0, ONE, 0.0).rescored("found", 0.4, 0.4).touched("near", 1.0, 0.1).scaled("mood", 1.0, 1.5)
    assert candidate.score == pytest.approx(0.75)
    assert [signal.name for signal in candidate.signals] == ["found", "near", "mood"]
    assert sum(signal.share for signal in candidate.signals) == pytest.approx(candidate.score)


def test_what_adds_nothing_leaves_no_signal_but_a_mark_does() -> None:
    """A boost that was not given is not shown; a mark is, with a share of 0."""
    candidate = Candidate(0, ONE, 0.5)
    assert candidate.touched("near", 0.0, 0.0) is candidate
    marked = candidate.marked("old")
    assert (marked.score, marked.signals[0].name, marked.signals[0].share) == (0.5, "old", 0.0)


def test_a_mark_says_how_sure_it_is() -> None:
    """Certain, unless it is given a probability; which other memory it is about stands beside."""
    candidate = Candidate(0, ONE, 0.5)
    assert candidate.marked("old", "m1").signals == (Signal("old", 1.0, 0.0, 0.0, "m1"),)
    assert candidate.marked("old", "m1", 0.4).signals == (Signal("old", 0.4, 0.0, 0.0, "m1"),)


def test_best_first_and_equal_ones_by_order_of_writing() -> None:
    """The order never depends on the order of finding."""
    first, second = Candidate(0, ONE, 0.5), Candidate(1, TWO, 0.5)
    assert ordered([second, first]) == [first, second]
    assert ordered([first, second.touched("near", 1.0, 0.1)])[0].memory.id == "m1"


def test_notes_are_kept_in_order() -> None:
    """A stage may note more than once."""
    seeking = quest(request("a"), world(FakeCorpus([])))
    assert seeking.noted("one").noted("two").notes == ("one", "two")


def test_a_note_changes_nothing_else() -> None:
    """Every field of the quest goes on as it was, candidates aside where others are given."""
    whole = RecallState(
        request("a"),
        world(FakeCorpus([])),
        quest(request("a"), world(FakeCorpus([]))).cue,
        limit=7,
        queries=("a", "b"),
        page=PAGE,
        candidates=(Candidate(0, ONE, 0.5),),
        hot=(Candidate(1, TWO, 0.5),),
        intent="fact",
        lane=Lane(vector=0.5, text=0.5, limit=3),
        confidence=0.25,
        grounds=(Signal("best", 1.0, 1.0, 1.0),),
        traits=(Signal("question", 1.0, 0.0, 0.0),),
        ended="enough",
        notes=("one",),
        gated=True,
        compared=Compared((), (), None, numbers([], None)),
        words=CueWords.of(FakeCorpus([]), quest(request("a"), world(FakeCorpus([]))).cue),
    )
    noted = whole.noted("two")
    assert noted == replace(whole, notes=("one", "two"))
    others = (Candidate(1, TWO, 0.5),)
    assert whole.noted("two", others) == replace(noted, candidates=others)
    assert whole.noted("two", ()).candidates == ()
    assert all(getattr(whole, field.name) != field.default for field in fields(RecallState))
