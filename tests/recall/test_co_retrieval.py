"""In company: what lies near the first of what was found comes forward, and says by how much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.conflicts import verdict as room
from reverie.conflicts.verdict import NAMES, CoRetrieval
from reverie.recall.co_retrieval import SIGNAL, CoRetrieved
from reverie.recall.state import RecallState
from tests.recall.fake_corpus import PAGE, FakeCorpus, Line, holding, request

IN_COMPANY = CoRetrieved()


def quest(lines: list[Line], scores: list[float]) -> RecallState:
    """What a search found, the first line best."""
    return holding(request("kite"), FakeCorpus(lines), scores)


@pytest.fixture(autouse=True)
def weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shared words with one of the first count alone, by 2."""
    weights = np.zeros(len(NAMES))
    weights[NAMES.index("shared with one of the first")] = 2.0
    monkeypatch.setattr(
        room, "shipped_company", lambda: dict.fromkeys(("by text alone", "by one model"), CoRetrieval(weights))
    )


def test_what_shares_words_with_the_first_comes_before_what_does_not() -> None:
    """The score is higher by what the signal says; nothing is lost, what is behind stays behind."""
    lines = [Line("the harbour kite"), Line("rent of the flat"), Line("old harbour boat", session="2"), Line("tea")]
    found = list(IN_COMPANY(quest(lines, [3.0, 1.0, 0.9, 0.1])).candidates)
    assert [one.memory.text for one in found] == ["the harbour kite", "old harbour boat", "rent of the flat", "tea"]
    boat = found[1]
    (signal,) = [signal for signal in boat.signals if signal.name == SIGNAL]
    assert boat.score == pytest.approx(0.9 + signal.share)
    assert signal.share > 0


def test_only_so_many_are_compared() -> None:
    """What is behind them keeps its place."""
    lines = [Line("the harbour kite"), Line("tea"), Line("harbour boat")]
    found = list(IN_COMPANY(replace(quest(lines, [3.0, 1.0, 0.9]), page=replace(PAGE, looked=2))).candidates)
    assert [one.score for one in found] == [3.0, 1.0, 0.9]


@pytest.mark.parametrize("scores", [[], [1.0]], ids=["nothing", "one"])
def test_one_alone_is_compared_with_nothing(scores: list[float]) -> None:
    """It comes as it was."""
    found = IN_COMPANY(quest([Line("kite")][: len(scores)], scores))
    assert [one.score for one in found.candidates] == scores
    assert found.notes[-1] == "nothing to compare"
