"""What holds: now, then, or ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie.recall.state import Request, held_at, holds, known_at
from reverie.types import Standing, State, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line, request

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
