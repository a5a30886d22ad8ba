from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from reverie.answers import Signal
from reverie.conflicts.pairs import numbers
from reverie.recall.search import CueWords
from reverie.recall.state import (
    Candidate,
    Compared,
    Intent,
    Lane,
    RecallState,
    Request,
    held_at,
    holds,
    known_at,
    lane_of,
    ordered,
)
from reverie.types import Standing, State, TimeWindow
from tests.recall.fake_corpus import PAGE, START, FakeCorpus, Line, quest, request, world

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


LINES = [
    Line("old", day=-9, until=-5, standing=Standing(state=State.SUPERSEDED)),
    Line("new", day=-5),
    Line("asleep", day=-9, standing=Standing(state=State.DORMANT)),
    Line("held back", day=-9, standing=Standing(state=State.QUARANTINED)),
    Line("fading", day=-9, standing=Standing(state=State.FADING)),
    Line("forgotten", day=-9, until=-5),
]


def found(asked: Request) -> list[str]:
    """The lines a request may find, which is the same by columns and one by one."""
    corpus = FakeCorpus(LINES)
    among = held_at(corpus, asked)
    assert among is not None
    assert among.tolist() == [holds(memory, asked) for memory in corpus.fetch(range(corpus.size))]
    return [line.text for line, held in zip(LINES, among.tolist(), strict=True) if held]


@pytest.mark.req("D17")
def test_by_default_what_holds_now() -> None:
    """Nothing superseded, asleep, held back or forgotten; what fades is recalled still."""
    assert found(request("x")) == ["new", "fading"]


@pytest.mark.req("D17", "D18")
def test_the_past_brings_what_was_superseded_and_nothing_a_person_forgot() -> None:
    """What sleeps or is held back does not come with it."""
    assert found(request("x", past=True)) == ["old", "new", "fading"]


@pytest.mark.req("D17")
def test_a_point_in_time_asks_for_what_held_then() -> None:
    """A week ago the old one held, and the new one had not been said."""
    assert found(request("x", as_of=START - timedelta(days=7))) == ["old", "fading", "forgotten"]


@pytest.mark.req("D17")
def test_what_was_said_later_of_a_time_before_was_true_then() -> None:
    """From the month that its words name on, by columns and one by one; and never before."""
    corpus = FakeCorpus([Line("moved in May 2025", standing=Standing(valid_from="2025-05")), Line("said now")])
    for day, held in ((datetime(2025, 4, 30, tzinfo=UTC), False), (datetime(2025, 5, 1, tzinfo=UTC), True)):
        asked = request("x", as_of=day)
        among = held_at(corpus, asked)
        assert among is not None
        assert among.tolist() == [held, False]
        assert [holds(memory, asked) for memory in corpus.fetch(range(2))] == [held, False]


def test_a_window_filters_by_when_it_was_said() -> None:
    """Together with what holds."""
    window = TimeWindow(START - timedelta(days=6), START, "last week")
    assert found(request("x", window=window)) == ["new"]


def test_where_everything_holds_nothing_is_masked() -> None:
    """The common case costs nothing."""
    assert held_at(FakeCorpus([Line("a")]), request("x")) is None


def test_what_sleeps_lends_and_what_is_forgotten_replaced_or_held_back_does_not() -> None:
    """As of a moment, what had been said by then; a window takes nothing away; where all holds nothing is masked."""

    def known(asked: Request) -> list[str]:
        among = known_at(FakeCorpus(LINES), asked)
        assert among is not None
        return [line.text for line, lends in zip(LINES, among.tolist(), strict=True) if lends]

    assert known(request("x")) == ["new", "asleep", "fading"]
    assert known(request("x", window=TimeWindow(START - timedelta(days=6), START, "w"))) == ["new", "asleep", "fading"]
    assert known(request("x", past=True)) == ["old", "new", "asleep", "fading"]
    assert known(request("x", as_of=START - timedelta(days=7))) == ["old", "asleep", "fading", "forgotten"]
    assert known(request("x", as_of=START - timedelta(days=10))) == []
    assert known_at(FakeCorpus([Line("a")]), request("x")) is None


def test_the_lane_of_an_intent() -> None:
    """It is found by the intent, wherever it stands in the list."""
    one, two = Lane(vector=0.6, text=0.4, limit=10), Lane(vector=0.3, text=0.3, limit=20)
    assert lane_of(((Intent.FACTUAL, one), (Intent.CAUSAL, two)), Intent.CAUSAL) is two
