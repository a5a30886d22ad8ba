"""Manner: who tells of themselves, by counts of a few words."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.recall.query import telling_match
from tests.recall.fake_corpus import FakeCorpus, Line
from tests.spoken import BOTH

CORPUS = FakeCorpus(
    [
        Line("my kite and our boat and nothing more"),
        Line("what is your kite and your boat like"),
        Line("benim bir uçurtma var bizde çok renkli"),
        Line("sen hangi renk bir uçurtma sever idin"),
        Line("the kite is red"),
    ]
)


@BOTH
def test_telling_in_both_languages() -> None:
    """Two words for oneself in eight are all, two for the other nothing, none in the middle."""
    corpus = CORPUS
    assert telling_match(corpus, np.arange(5)).tolist() == pytest.approx([1.0, 0.0, 1.0, 0.0, 0.5])
