"""Checking what a caller asks for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from reverie import FixedClock, Scope, TimeWindow
from reverie.engine.requests import Question, RecallArguments, require_ids
from reverie.errors import InvalidInput

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")


def test_the_clock_answers_where_no_time_was_given() -> None:
    """Now is the clock's now."""
    assert RecallArguments("q", SCOPE, 1, None, None, None).request(FixedClock(NOW)).now == NOW


def test_a_time_of_another_zone_becomes_utc() -> None:
    """Three in the afternoon in Istanbul is noon."""
    asked = datetime(2026, 6, 15, 15, tzinfo=timezone(timedelta(hours=3)))
    assert RecallArguments("q", SCOPE, 1, None, asked, None).request(FixedClock(NOW)).now == NOW


def test_a_question_says_what_it_is_asked_amid() -> None:
    """Session, mood, domain and the moment in the past reach the request, the moment in UTC."""
    then = datetime(2026, 6, 1, 15, tzinfo=timezone(timedelta(hours=3)))
    question = Question("q", session="s", mood=-0.5, domain="tea", as_of=then, past=True, automatic=True)
    request = RecallArguments(question, SCOPE, 1, None, None, None).request(FixedClock(NOW))
    assert (request.text, request.session, request.mood, request.domain) == ("q", "s", -0.5, "tea")
    assert (request.as_of, request.past, request.automatic) == (datetime(2026, 6, 1, 12, tzinfo=UTC), True, True)


def test_a_mood_out_of_range_is_refused() -> None:
    """From -1 to 1."""
    with pytest.raises(InvalidInput, match="mood"):
        RecallArguments(Question("q", mood=1.5), SCOPE, 1, None, None, None)


def test_a_window_that_ends_before_it_starts_is_refused() -> None:
    """With what to do."""
    with pytest.raises(InvalidInput, match="Swap"):
        RecallArguments("q", SCOPE, 1, None, None, TimeWindow(NOW, NOW - timedelta(days=1), "backwards"))


def test_an_empty_window_is_not_told_as_one_turned_round() -> None:
    """Swapping its ends would change nothing: its end is to move."""
    istanbul = timezone(timedelta(hours=3))
    with pytest.raises(InvalidInput, match=r"is empty.*Move its end"):
        RecallArguments("q", SCOPE, 1, None, None, TimeWindow(NOW, NOW.astimezone(istanbul), "one day"))


@pytest.mark.parametrize("odd", [5, 1.5, True, b"x", "last week", [], [NOW, NOW], {"start": NOW}, object()])
def test_a_window_of_another_type_is_refused(odd: Any) -> None:
    """It says what a window is."""
    with pytest.raises(InvalidInput, match=r"Give TimeWindow\(start, end, phrase\)"):
        RecallArguments("q", SCOPE, 1, None, None, odd)


@pytest.mark.parametrize(
    "parts", [(5, NOW, ""), (NOW, None, ""), (NOW, NOW + timedelta(1), 5)], ids=["start", "end", "phrase"]
)
def test_a_window_of_odd_parts_is_refused(parts: Any) -> None:
    """Two moments and a phrase."""
    with pytest.raises(InvalidInput):
        RecallArguments("q", SCOPE, 1, None, None, TimeWindow(*parts))


@pytest.mark.parametrize(
    "odd",
    [
        *({"text": 5}, {"text": None}, {"session": 5}, {"session": ["s"]}, {"domain": None}, {"domain": b"x"}),
        *({"mood": "happy"}, {"mood": [1]}, {"mood": float("nan")}, {"as_of": "2026"}),
    ],
)
def test_a_question_of_odd_parts_is_refused(odd: dict[str, Any]) -> None:
    """Each part is of its type; the moment is looked at when the request is made."""
    with pytest.raises(InvalidInput):
        RecallArguments(Question(**{"text": "q", **odd}), SCOPE, 1, None, None, None).request(FixedClock(NOW))


@pytest.mark.parametrize("odd", [5, None, "m1", b"m1", [5], [None], iter(["m1"])])
def test_ids_are_a_collection_of_texts(odd: Any) -> None:
    """One id alone would be taken for its letters."""
    with pytest.raises(InvalidInput, match="ids"):
        require_ids("ids", odd)
    require_ids("ids", ["m1"])
    require_ids("ids", ())
