"""The time a cue speaks of."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from reverie.recall.query import AFTER, BEFORE, inside, near_window, time_match, told_time_match
from reverie.types import Cue, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line
from tests.spoken import NEITHER, english, turkish

CORPUS = FakeCorpus([Line("a", day=0), Line("b", day=1), Line("c", day=2)])
WINDOW = TimeWindow(START, START + timedelta(days=2), "those two days")


@NEITHER
def test_the_window_holds_its_start_and_not_its_end() -> None:
    """Half-open: day 0 and 1, not day 2."""
    assert inside(CORPUS, WINDOW).tolist() == [True, True, False]


def cue(text: str, window: TimeWindow | None = None) -> Cue:
    """A cue that speaks of a time, or not."""
    return Cue(text, (), "en", window=window)


@NEITHER
def test_the_signal_is_the_same_for_candidates() -> None:
    """1 inside, less right behind, and 0 for what was said long after."""
    late = FakeCorpus([Line("a", day=0), Line("b", day=2), Line("c", day=30)])
    assert time_match(late, cue("a", WINDOW), np.array([0, 1, 2])).tolist() == pytest.approx([1.0, AFTER, 0.0])


@NEITHER
def test_what_is_told_of_a_time_is_told_soon_after() -> None:
    """It falls in a line, sooner before the window than behind it; a longer window means its edges less exactly."""
    days = np.array([-4.0, -1.0, 0.0, 1.0, 2.0, 3.0, 9.0])
    said = np.array([START.timestamp() + day * 86_400.0 for day in days])
    day = TimeWindow(START, START + timedelta(days=1), "that day")
    near = near_window(said, day).tolist()
    assert near == pytest.approx([0.0, BEFORE * 2 / 3, 1.0, AFTER, AFTER * 3 / 4, AFTER / 2, 0.0], abs=1e-3)
    month = TimeWindow(START - timedelta(days=29), START + timedelta(days=1), "that month")
    assert near_window(said, month)[6] > 0.0


@NEITHER
def test_no_window_is_silence() -> None:
    """Without a time in the cue nothing is raised."""
    assert time_match(CORPUS, cue("a"), np.array([0, 1])).tolist() == [0.0, 0.0]


TOLD = FakeCorpus([Line("the boat left yesterday"), Line("the boat left"), Line("tekne dun gitti")])


@pytest.mark.parametrize(
    ("when", "where"),
    [
        *english(("When did the boat leave?", "Where did the boat go?")),
        *turkish(("Tekne ne zaman gitti?", "Tekne nereye gitti?")),
    ],
)
def test_who_asks_for_a_time_wants_one_told(when: str, where: str) -> None:
    """1 where the stem of a word of time stands, in either language."""
    assert told_time_match(TOLD, cue(when), np.array([0, 1, 2])).tolist() == [1.0, 0.0, 1.0]
    assert told_time_match(TOLD, cue(where), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("text", [*english("When was it?"), *turkish("Ne zamandı?")])
def test_a_time_that_is_spoken_of_counts_alone(text: str) -> None:
    """When within those two days: what was said then, whether it tells a time or not."""
    assert time_match(CORPUS, cue(text, WINDOW), np.array([0, 2])).tolist() == pytest.approx([1.0, AFTER])
    assert told_time_match(TOLD, cue(text, WINDOW), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("text", [*english("When was it?"), *turkish("Ne zamandı?")])
def test_who_asks_for_a_time_names_none(text: str) -> None:
    """What was said when is no match for a cue that only asks when."""
    assert time_match(CORPUS, cue(text), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]
