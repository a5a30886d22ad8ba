"""Flashbulb memories."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import Encoded, FlashbulbLaw, encoded

LAW = FlashbulbLaw(arousal=0.8, importance=0.9, factor=1.5)


@pytest.mark.req("D32")
@pytest.mark.parametrize(
    ("arousal", "importance", "expected"),
    [
        (0.8, 0.3, Encoded(0.9, 3.0, flashbulb=True)),
        (1.0, 0.95, Encoded(0.95, 3.0, flashbulb=True)),
        (0.79, 0.3, Encoded(0.3, 2.0, flashbulb=False)),
    ],
)
def test_every_edge(arousal: float, importance: float, expected: Encoded) -> None:
    """“arousal >= 0.8”: importance “min 0.9”, stability ×1.5; below, nothing changes."""
    assert encoded(importance, 2.0, arousal, LAW) == expected


@given(st.floats(0, 1), st.floats(0.1, 100), st.floats(0, 1))
def test_it_never_takes_anything_away(importance: float, stability: float, arousal: float) -> None:
    """Importance and stability only rise, and importance stays in [0, 1]."""
    result = encoded(importance, stability, arousal, LAW)
    assert importance <= result.importance <= 1
    assert result.stability_days >= stability
