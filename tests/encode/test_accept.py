"""Accepting a message: odd text is taken, wrong types are refused with what to do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.encode.validation import accept
from reverie.errors import InvalidInput
from reverie.types import Message, Role, in_utc

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
