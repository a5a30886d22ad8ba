"""Checking what a caller asks for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie import FixedClock, HashEmbedder, Scope, TimeWindow
from reverie.engine.asking import Ask
from reverie.errors import InvalidInput

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")


def test_the_clock_answers_where_no_time_was_given() -> None:
    """Now is the clock's now."""
    assert Ask("q", SCOPE, 1, None, None, None).request(FixedClock(NOW), None).now == NOW


def test_a_time_of_another_zone_becomes_utc() -> None:
    """Three in the afternoon in Istanbul is noon."""
    asked = datetime(2026, 6, 15, 15, tzinfo=timezone(timedelta(hours=3)))
    assert Ask("q", SCOPE, 1, None, asked, None).request(FixedClock(NOW), None).now == NOW


def test_with_a_model_the_cue_has_a_vector() -> None:
    """Of the model's size."""
    request = Ask("some words", SCOPE, 1, None, None, None).request(FixedClock(NOW), HashEmbedder())
    assert request.vector is not None
    assert request.vector.shape == (HashEmbedder().info.dims,)


def test_a_window_that_ends_before_it_starts_is_refused() -> None:
    """With what to do."""
    with pytest.raises(InvalidInput, match="Swap"):
        Ask("q", SCOPE, 1, None, None, TimeWindow(NOW, NOW - timedelta(days=1), "backwards"))
