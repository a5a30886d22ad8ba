"""What bodies hold is what the server's own models take; test_shells compares what comes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from reverie.encode.notes import Note
from reverie.engine.requests import Question
from reverie.faces.client import call
from reverie.faces.http.bodies import MessageBody, NoteBody, RecallBody
from reverie.types import Kind, Message, Role, TimeWindow
from reverie.wire.shapes import shape

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
SPLIT = "a \ud83d" + "\ude00"
"""Two halves of a pair, of which a reader of JSON would make one character."""


def over(body: object) -> object:
    """A body on the other side of the wire."""
    return json.loads(json.dumps(body))


@pytest.mark.parametrize("said", [Message("x"), Message(SPLIT, "Ada", Role.USER, "one", AT, "m1", 3)])
def test_a_message_arrives_as_it_is(said: Message) -> None:
    """Every field of it."""
    assert MessageBody.model_validate(over(shape(said))).message() == said


@pytest.mark.parametrize("one", [Note("x"), Note(SPLIT, Kind.PLAN, AT, 0.5, ("a", "\ud800"), True, "Tom", True)])
def test_a_note_arrives_as_it_is(one: Note) -> None:
    """Every field of it."""
    assert NoteBody.model_validate(over(call.note(one))).note() == one


def test_a_cue_arrives_as_it_is() -> None:
    """With its limits and its window."""
    asked = Question("tea?", "one", 0.5, "drinks", AT, True, True)
    body = RecallBody.model_validate(over(call.cue(asked, 3, None, AT, TimeWindow(AT, AT, ""))))
    assert (body.question(), body.span()) == (asked, TimeWindow(AT, AT, ""))
    assert (body.top_k, body.budget_tokens, body.now) == (3, None, AT)


def test_only_what_json_would_change_goes_in_base64() -> None:
    """A plain text is sent once."""
    assert "text_base64" not in shape(Message("ğ 😀"))
    assert {"text", "text_base64"} <= set(shape(Message(SPLIT)))
