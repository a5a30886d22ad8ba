"""Feedback: what the best candidates say draws the cue's meaning towards it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.feedback import LOOKED_AT, fed_back
from reverie.recall.fuse import Fused, fuse
from reverie.recall.search import Found, search
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue, FloatArray
from tests.recall.fake_corpus import FakeCorpus, Line

SETTINGS = replace(SIGNALS, feedback_best=1, feedback_weight=0.5)
CUE = Cue("kite", ("kite",), "en")
ASKED = np.array([1, 0], np.float32)
FOUND = Line("kite", session="a", vector=(0.0, 1.0))
LIKE_IT = Line("dragon", session="b", vector=(0.3, 0.95))
UNLIKE = Line("boat", session="c", vector=(0.5, 0.0))


def weighed(lines: list[Line], vector: FloatArray | None = ASKED) -> tuple[FakeCorpus, Found, Fused]:
    """A corpus, what the search finds in it, and that weighed once."""
    corpus = FakeCorpus(lines)
    found = search(corpus, CUE, vector, None, SETTINGS)
    return corpus, found, fuse(corpus, CUE, found, SETTINGS)


def test_what_is_like_the_best_comes_up() -> None:
    """Told in other words, it is nearer to what was found than to the cue."""
    corpus, found, before = weighed([FOUND, UNLIKE, LIKE_IT])
    assert before.order().tolist() == [0, 1, 2]
    assert fed_back(corpus, found, before, SETTINGS).order().tolist() == [0, 2, 1]


def test_the_other_signals_stay() -> None:
    """Only the meaning is weighed anew, and the shares still add up to the score."""
    corpus, found, before = weighed([FOUND, UNLIKE, LIKE_IT])
    after = fed_back(corpus, found, before, SETTINGS)
    others = [column for column, name in enumerate(before.names) if name != "meaning"]
    assert after.values[:, others].tolist() == before.values[:, others].tolist()
    for row in range(3):
        assert after.scores[row] == pytest.approx(sum(signal.share for signal in after.signals(row)), abs=1e-6)


@pytest.mark.parametrize(
    "lines",
    [[], [Line("kite"), Line("boat")], [Line("kite", session="a", vector=(0.0, 0.0)), UNLIKE]],
    ids=["an empty scope", "no vectors", "the best without one"],
)
def test_nothing_to_lean_on(lines: list[Line]) -> None:
    """Then all stay as they were weighed."""
    corpus, found, before = weighed(lines)
    assert fed_back(corpus, found, before, SETTINGS).scores.tolist() == before.scores.tolist()


def test_without_a_model_nothing_is_compared() -> None:
    """Text alone has no meaning to draw."""
    corpus, found, before = weighed([FOUND, LIKE_IT], vector=None)
    assert fed_back(corpus, found, before, SETTINGS) is before


def test_a_recipe_may_leave_it_out() -> None:
    """A weight of 0 weighs nothing anew."""
    corpus, found, before = weighed([FOUND, UNLIKE, LIKE_IT])
    assert fed_back(corpus, found, before, replace(SETTINGS, feedback_weight=0.0)) is before


def test_who_stands_far_behind_is_not_weighed_again() -> None:
    """The fifty-first keeps its meaning, though it is as like the best as the fiftieth."""
    lines = [FOUND, *(replace(LIKE_IT, session=f"{n}") for n in range(LOOKED_AT)), Line("boat", vector=(1.0, 0.0))]
    corpus, found, before = weighed(lines)
    after = fed_back(corpus, found, before, SETTINGS)
    column = after.names.index("meaning")
    leant, kept = before.order()[LOOKED_AT - 1], before.order()[LOOKED_AT]
    assert (lines[leant].text, lines[kept].text) == ("dragon", "dragon")
    assert after.values[leant, column] > after.values[kept, column]
