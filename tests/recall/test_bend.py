"""Bend: the first candidates add by curves, what they add is told, and the others stay as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.errors import InvalidInput
from reverie.formulas.bend import Bend
from reverie.recall.bend import LOOKED_AT, TRAITS, bend
from reverie.recall.fuse import Fused, fuse
from reverie.recall.search import Found, search
from reverie.recall.signals import Signals
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue, FloatArray
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, quest, request, world

CUE = Cue("kite", ("kite",), "en")
ASKED = np.array([1, 0], np.float32)
LINES = [
    Line("kite", session="a", vector=(0.9, 0.1)),
    Line("boat", session="a", vector=(0.2, 0.9)),
    Line("kite and a string", session="b", vector=(0.5, 0.5)),
]


def rising(name: str, most: float = 0.4) -> Bend:
    """Nothing at 0, ``most`` at 1."""
    return Bend(name, np.array([0.0, 1.0]), np.array([0.0, most]))


def weighed(lines: list[Line], vector: FloatArray | None = ASKED) -> tuple[FakeCorpus, Found, Fused]:
    """A corpus, what the search finds in it, and that weighed."""
    corpus = FakeCorpus(lines)
    found = search(corpus, CUE, vector, None, SIGNALS)
    return corpus, found, fuse(corpus, CUE, found, SIGNALS)


def told(fused: Fused, row: int) -> dict[str, tuple[float, float]]:
    """Value and share of each signal of a candidate."""
    return {signal.name: (signal.value, signal.share) for signal in fused.signals(row)}


def test_a_signal_adds_what_its_bend_says() -> None:
    """To its straight share, in the score and in what is told of it."""
    corpus, found, before = weighed(LINES)
    after = bend(corpus, found, before, [rising("text")])
    for row in range(3):
        value, share = told(before, row)["text"]
        assert told(after, row)["text"] == (value, pytest.approx(share + 0.4 * value, abs=1e-6))
        assert after.scores[row] == pytest.approx(before.scores[row] + 0.4 * value, abs=1e-6)
        assert after.scores[row] == pytest.approx(sum(signal.share for signal in after.signals(row)), abs=1e-6)


def test_what_is_looked_at_beside_the_signals() -> None:
    """Text and meaning of the message alone, its neighbours' scores, all by the best; and its length, by doublings."""
    corpus, found, before = weighed(LINES)
    after = bend(corpus, found, before, [rising("text")])
    first, beside, other = (told(after, row) for row in range(3))
    assert first["own words"][0] == pytest.approx(1.0)
    assert beside["own words"][0] == 0.0
    assert 0.0 < other["own words"][0] < 1.0
    assert beside["own meaning"][0] == pytest.approx(0.2 / 0.9)
    assert beside["livelier neighbour"][0] == pytest.approx(1.0)
    assert beside["quieter neighbour"][0] == 0.0
    assert first["livelier neighbour"][0] == pytest.approx(before.scores[1] / before.scores[0], abs=1e-6)
    assert other["livelier neighbour"][0] == 0.0
    assert other["size"][0] == pytest.approx(2.0)
    assert [first[name][1] for name in TRAITS] == [0.0] * len(TRAITS)


def test_a_trait_moves_the_order() -> None:
    """A message may come first for its length alone."""
    corpus, found, before = weighed(LINES)
    longer = Bend("size", np.array([0.0, 2.0]), np.array([-1.0, 1.0]))
    assert before.order()[0] == 0
    assert bend(corpus, found, before, [longer]).order()[0] == 2


def test_only_the_first_are_looked_at() -> None:
    """What follows them keeps its score and its straight shares."""
    lines = [Line(f"kite {'more ' * n}", session=str(n), vector=(1.0, 0.0)) for n in range(LOOKED_AT + 5)]
    corpus, found, before = weighed(lines)
    after = bend(corpus, found, before, [rising("text", 0.0), rising("meaning", 1.0)])
    moved = np.flatnonzero(after.scores != before.scores)
    assert sorted(moved.tolist()) == sorted(before.order()[:LOOKED_AT].tolist())
    last = int(before.order()[-1])
    assert after.signals(last) == before.signals(last)


@pytest.mark.parametrize(
    ("lines", "vector", "bends"),
    [([], ASKED, [rising("text")]), (LINES, None, [rising("text")]), (LINES, ASKED, [])],
    ids=["an empty scope", "no model", "no bends"],
)
def test_nothing_to_bend(lines: list[Line], vector: FloatArray | None, bends: list[Bend]) -> None:
    """Then all stay as they were weighed."""
    corpus, found, before = weighed(lines, vector)
    assert bend(corpus, found, before, bends) is before


def test_a_bend_of_nothing_is_refused_by_name() -> None:
    """Whoever brings a model of their own learns which names there are."""
    corpus, found, before = weighed(LINES)
    with pytest.raises(InvalidInput, match="'loudness', which is no signal"):
        bend(corpus, found, before, [rising("loudness")])


def test_the_model_brings_the_bends_and_the_recipe_may_leave_them() -> None:
    """Without a model's bends, or with a recipe that wants none, the signals add straight."""
    around = world(FakeCorpus(LINES), Surroundings({"kite": (1.0, 0.0)}))
    asked = request("kite")

    def score(stage: Signals, bends: bool) -> float:
        there = replace(around, bends=lambda: (rising("text"),)) if bends else around
        return next(iter(stage(quest(asked, there)).candidates)).score

    straight = score(Signals(SIGNALS), bends=False)
    assert score(Signals(SIGNALS), bends=True) == pytest.approx(straight + 0.4, abs=1e-6)
    assert score(Signals(replace(SIGNALS, bends=False)), bends=True) == straight
