"""Lanes: each intent has its own."""

from __future__ import annotations

from reverie.recall.state import Intent, Lane, lane_of


def test_the_lane_of_an_intent() -> None:
    """It is found by the intent, wherever it stands in the list."""
    one, two = Lane(vector=0.6, text=0.4, limit=10), Lane(vector=0.3, text=0.3, limit=20)
    assert lane_of(((Intent.FACTUAL, one), (Intent.CAUSAL, two)), Intent.CAUSAL) is two
