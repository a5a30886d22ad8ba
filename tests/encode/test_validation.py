from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Message, RandomIds, Reverie, Role, Scope
from reverie.encode.validation import CallerHints, accept
from reverie.errors import InvalidInput
from reverie.types import Kind, in_utc

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=50)


@given(ANY_TEXT)
def test_any_text_is_taken_as_it_is(text: str) -> None:
    """Surrogates, NULs, nothing at all: not a character changes."""
    assert accept(Message(text)).text == text


@pytest.mark.parametrize(
    ("speaker", "role"), [("user", Role.USER), ("Assistant", Role.ASSISTANT), ("Zeynep", Role.PERSON)]
)
def test_the_role_follows_from_the_speaker(speaker: str, role: Role) -> None:
    """Well-known speakers have their role; anybody else is a person."""
    assert accept(Message("hi", speaker=speaker)).role is role


def test_a_role_given_as_text_is_understood() -> None:
    """The word "assistant" is as good as Role.ASSISTANT."""
    assert accept(Message("hi", speaker="Bot", role="assistant")).role is Role.ASSISTANT  # type: ignore[arg-type]  # callers from JSON do this


def test_times_come_out_in_utc() -> None:
    """Noon in Istanbul is nine in UTC."""
    istanbul = timezone(timedelta(hours=3))
    at = accept(Message("hi", at=datetime(2026, 5, 4, 12, tzinfo=istanbul))).at
    assert at == datetime(2026, 5, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "message",
    [
        Message(None),  # type: ignore[arg-type]  # the wrong type is the point
        Message(b"bytes"),  # type: ignore[arg-type]  # the wrong type is the point
        Message("hi", speaker=" "),
        Message("hi", session=""),
        Message("hi", session="x" * 1001),
        Message("hi", message_id=7),  # type: ignore[arg-type]  # the wrong type is the point
        Message("hi", at=datetime(2026, 5, 4)),
        Message("hi", at="yesterday"),  # type: ignore[arg-type]  # the wrong type is the point
        Message("hi", seq=-1),
        Message("hi", seq=True),
        Message("hi", role="king"),  # type: ignore[arg-type]  # the wrong value is the point
        "not a message",
    ],
)
def test_what_cannot_be_used_is_refused_with_a_mend(message: Message) -> None:
    """Every refusal says what to do."""
    with pytest.raises(InvalidInput) as refused:
        accept(message)
    assert refused.value.mend


def test_a_time_off_the_calendar_is_refused() -> None:
    """Year 1 in a zone east of Greenwich has no UTC."""
    with pytest.raises(InvalidInput, match="calendar"):
        in_utc(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=3))))


def test_a_whole_message_stays_the_same_object() -> None:
    """Nothing is copied where nothing is missing; a message of a richer kind becomes a plain one."""
    whole = Message("hi", role=Role.USER, at=datetime(2026, 5, 4, tzinfo=UTC))
    assert accept(whole) is whole

    class Richer(Message):
        """A message with more to it."""

    assert type(accept(Richer("hi", role=Role.USER))) is Message


@pytest.mark.parametrize("name", ["speaker", "session", "message_id"])
def test_an_empty_name_and_a_long_one_are_mended_differently(name: str) -> None:
    """What is not there cannot be shortened."""
    for odd, told in (("", f"{name} is empty"), ("  ", f"leave {name} out"), ("x" * 1001, f"Shorten {name}")):
        with pytest.raises(InvalidInput, match=told):
            accept(Message("hi", **{name: odd}))  # type: ignore[arg-type]  # each of the three is text


@pytest.fixture
def engine() -> Reverie:
    """A memory by OpenClaw's recipe, which forms of everything."""
    return Reverie.open(":memory:", embedder="hash", recipe="openclaw", ids=RandomIds(seed=1))


@pytest.mark.parametrize("values", [{"importance": wrong} for wrong in (-0.1, 1.1, math.nan, True, "0.5")])
def test_an_importance_is_a_share(values: dict[str, float]) -> None:
    """From 0 to 1, and nothing else."""
    with pytest.raises(InvalidInput, match="importance"):
        CallerHints(**values)


def test_an_episode_is_not_formed() -> None:
    """It is what was said; every other kind is made of it. What is no kind is none."""
    with pytest.raises(InvalidInput, match="episode"):
        CallerHints(kind=Kind.EPISODE)
    with pytest.raises(InvalidInput, match="no kind"):
        CallerHints(kind="thought")  # type: ignore[arg-type] # what a caller may do nevertheless


@pytest.mark.req("C7")
@pytest.mark.parametrize("text", ["The build takes a minute.", "Derleme bir dakika sürüyor."])
def test_kind_and_importance_stand_before_what_would_be_found(engine: Reverie, scope: Scope, text: str) -> None:
    """Said again, the higher importance stays."""
    given = CallerHints(Kind.DECISION, 0.9)
    (formed,) = engine.observe(text, scope, deliberate=True, given=given).formed
    memory = engine.memory(formed, scope)
    assert (memory.kind, memory.standing.importance) == (Kind.DECISION, 0.9)
    assert engine.observe(text, scope, deliberate=True, given=CallerHints(importance=0.2)).formed == (formed,)
    assert engine.memory(formed, scope).standing.importance == 0.9


@pytest.mark.parametrize(
    ("text", "role", "formed"),
    [
        ("I prefer green tea.", Role.USER, 1),
        ("I prefer green tea.", Role.ASSISTANT, 0),
        ("Which tea do I prefer?", Role.USER, 0),
        ("Okay, thanks.", Role.USER, 0),
        ("Yeşil çayı tercih ederim.", Role.USER, 1),
        ("Hangi çayı severim?", Role.USER, 0),
    ],
)
def test_a_host_may_hand_over_all_that_is_said(
    engine: Reverie, scope: Scope, text: str, role: Role, formed: int
) -> None:
    """Only what a person said and what has a class is formed; the words are kept in any case."""
    receipt = engine.observe(Message(text, role=role), scope, given=CallerHints(classed=True))
    assert len(receipt.formed) == formed
    assert engine.memory(receipt.id, scope).text == text


def test_what_somebody_asked_to_have_remembered_needs_no_class(engine: Reverie, scope: Scope) -> None:
    """Asking says enough."""
    assert engine.observe("Okay, thanks.", scope, deliberate=True, given=CallerHints(classed=True)).formed
