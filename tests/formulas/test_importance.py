"""Importance from four channels, and its priority."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import Channels, Priority, PriorityEdges, importance, priority

WEIGHTS = Channels(novelty=0.25, arousal=0.30, reward=0.25, attention=0.20)
EDGES = PriorityEdges(critical=0.8, high=0.6, normal=0.4)
unit = st.floats(0, 1)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        (Channels(1, 0, 0, 0), 0.25),
        (Channels(0, 1, 0, 0), 0.30),
        (Channels(0, 0, 1, 0), 0.25),
        (Channels(0, 0, 0, 1), 0.20),
        (Channels(0.8, 0.5, 0.4, 1.0), 0.65),
    ],
)
def test_worked_importance(channels: Channels, expected: float) -> None:
    """“(novelty * 0.25) + (arousal * 0.30) + (reward * 0.25) + (attention * 0.20)”."""
    assert importance(channels, WEIGHTS, 1.0) == pytest.approx(expected)


@pytest.mark.req("D3")
def test_the_boost_multiplies_and_the_result_is_cut() -> None:
    """.65 · 1.3 = .845, .65 · .7 = .455, and 1 · 1.3 is 1."""
    channels = Channels(0.8, 0.5, 0.4, 1.0)
    assert importance(channels, WEIGHTS, 1.3) == pytest.approx(0.845)
    assert importance(channels, WEIGHTS, 0.7) == pytest.approx(0.455)
    assert importance(Channels(1, 1, 1, 1), WEIGHTS, 1.3) == 1.0


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, Priority.CRITICAL),
        (0.8, Priority.CRITICAL),
        (0.79, Priority.HIGH),
        (0.6, Priority.HIGH),
        (0.59, Priority.NORMAL),
        (0.4, Priority.NORMAL),
        (0.39, Priority.LOW),
        (0.0, Priority.LOW),
    ],
)
def test_priority_edges(value: float, expected: Priority) -> None:
    """“critical (>=0.8), high (>=0.6), normal (>=0.4), low (<0.4)”."""
    assert priority(value, EDGES) is expected


@given(unit, unit, unit, unit, st.floats(0.7, 1.3), unit)
def test_bounded_and_monotone(
    novelty: float, arousal: float, reward: float, attention: float, boost: float, more: float
) -> None:
    """In [0, 1]; a channel that rises never lowers it."""
    value = importance(Channels(novelty, arousal, reward, attention), WEIGHTS, boost)
    assert 0 <= value <= 1
    assert value <= importance(Channels(novelty, max(arousal, more), reward, attention), WEIGHTS, boost) + 1e-12
