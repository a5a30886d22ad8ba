"""The time a cue speaks of."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from reverie.recall.timing import inside, time_match
from reverie.types import TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line

CORPUS = FakeCorpus([Line("a", day=0), Line("b", day=1), Line("c", day=2)])
WINDOW = TimeWindow(START, START + timedelta(days=2), "those two days")


def test_the_window_holds_its_start_and_not_its_end() -> None:
    """Half-open: day 0 and 1, not day 2."""
    assert inside(CORPUS, WINDOW).tolist() == [True, True, False]


def test_the_signal_is_the_same_for_candidates() -> None:
    """1 inside, 0 outside."""
    assert time_match(CORPUS, WINDOW, np.array([1, 2])).tolist() == [1.0, 0.0]


def test_no_window_is_silence() -> None:
    """Without a time in the cue nothing is raised."""
    assert time_match(CORPUS, None, np.array([0, 1])).tolist() == [0.0, 0.0]
