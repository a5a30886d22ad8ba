"""Fusion: shares add up to the score, ties go to the earlier."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.recall.fuse import fuse
from reverie.recall.search import Found
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue
from tests.recall.fake_corpus import FakeCorpus, Line


def found(text: list[float], cosines: list[float] | None) -> Found:
    """A search result over the first lines, with these scores."""
    column = np.array(text, np.float32)
    return Found(
        ordinals=np.arange(len(text)),
        text=column,
        own=column,
        window=np.zeros(len(text), np.float32),
        meaning=None if cosines is None else np.array(cosines, np.float32),
        compared=None,
        text_best=max(text),
        window_best=0.0,
        meaning_best=max(cosines) if cosines else 0.0,
        dropped=(),
    )


CORPUS = FakeCorpus([Line("a"), Line("b", speaker="assistant"), Line("c")])


def test_the_shares_of_a_hit_add_up_to_its_score() -> None:
    """What explain shows is the whole of the score."""
    fused = fuse(CORPUS, Cue("q", (), "en", first_person=True), found([4, 2, 1], [0.1, 0.5, 0.2]), SIGNALS)
    for row in range(3):
        assert sum(s.share for s in fused.signals(row)) == pytest.approx(float(fused.scores[row]), abs=1e-6)


def test_a_worked_score() -> None:
    """Best text, a fifth of the best cosine, said by the asker, telling of nobody, and one word long."""
    fused = fuse(CORPUS, Cue("q", (), "en", first_person=True), found([4, 2, 1], [0.1, 0.5, 0.2]), SIGNALS)
    assert float(fused.scores[0]) == pytest.approx((1 + 0.2 * 0.85 + 0.7 + 0.5 * 0.4) / sum(fused.weights))


def test_equal_scores_keep_the_order_of_writing() -> None:
    """Ties go to the earlier memory."""
    fused = fuse(CORPUS, Cue("q", (), "en"), found([3, 3, 3], None), SIGNALS)
    assert fused.order().tolist() == [0, 1, 2]


def test_who_tells_stands_before_who_asks_and_who_says_nothing() -> None:
    """Equal in all else: a sentence of one's own life, the same length of questions to the other, and one word."""
    told = Line(" ".join(["my", "old", "kite"] * 12))
    asked = Line(" ".join(["your", "old", "kite"] * 12))
    fused = fuse(FakeCorpus([Line("kite"), asked, told]), Cue("q", (), "en"), found([3, 3, 3], None), SIGNALS)
    assert fused.order().tolist() == [2, 1, 0]
