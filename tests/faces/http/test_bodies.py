from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from reverie.answers import Anchor
from reverie.encode.notes import Note
from reverie.encode.validation import CallerHints
from reverie.engine.requests import Question
from reverie.faces.http.bodies import AnchorBody, MessageBody, NoteBody, ObserveBody, RecallBody, UndoBody
from reverie.types import Kind, Message, Role, TimeWindow
from reverie.wire.layouts import names
from tests.faces.http.conftest import NOW


def test_a_message_is_the_engines() -> None:
    """Every field of a message can be sent, and arrives."""
    sent = {
        "text": "x",
        "speaker": "Ada",
        "role": "user",
        "session": "s",
        "at": NOW.isoformat(),
        "message_id": "m",
        "seq": 2,
    }
    assert MessageBody.model_validate(sent).message() == Message("x", "Ada", Role.USER, "s", NOW, "m", 2)
    assert MessageBody.model_validate({"text": "x"}).message() == Message("x")


def test_a_note_is_the_engines() -> None:
    """Every field of a note can be sent, and arrives; the defaults are the engine's own."""
    sent = {"text": "x", "kind": "plan", "at": NOW.isoformat(), "importance": 1, "tags": ["a", "b"]}
    more = {"verified": True, "writer": "Tom", "shared": True}
    assert NoteBody.model_validate(sent | more).note() == Note("x", Kind.PLAN, NOW, 1.0, ("a", "b"), True, "Tom", True)
    assert NoteBody.model_validate({"text": "x"}).note() == Note("x")


def test_a_cue_is_the_engines() -> None:
    """Every field of a question can be sent, and arrives; the defaults are the engine's own."""
    sent = {
        "cue": "x",
        "session": "s",
        "mood": -1,
        "domain": "d",
        "as_of": NOW.isoformat(),
        "past": True,
        "automatic": True,
    }
    window = {"start": NOW.isoformat(), "end": NOW.isoformat()}
    body = RecallBody.model_validate({**sent, "window": window})
    assert body.question() == Question("x", "s", -1, "d", NOW, True, True)
    assert body.span() == TimeWindow(NOW, NOW, "")
    assert RecallBody.model_validate({"cue": "x"}).question() == Question("x")
    assert RecallBody.model_validate({"cue": "x"}).span() is None


@pytest.mark.parametrize(
    "sent",
    [
        {"cue": "x", "top_k": 0},
        {"cue": "x", "top_k": 10_001},
        {"cue": "x", "top_k": "3"},
        {"cue": "x", "top_k": True},
        {"cue": "x", "mood": 2},
        {"cue": "x", "mood": float("nan")},
        {"cue": "x", "budget_tokens": 2**31},
        {"cue": "x", "past": "yes"},
        {"cue": 3},
        {},
    ],
)
def test_what_is_out_of_range_or_of_another_type_is_refused(sent: dict[str, object]) -> None:
    """Nothing is bent into shape."""
    with pytest.raises(ValidationError):
        RecallBody.model_validate(sent)


def test_json_has_one_kind_of_number() -> None:
    """3.0 is whole; 3.5 is not."""
    assert UndoBody.model_validate({"event": 3.0}).event == 3
    with pytest.raises(ValidationError):
        UndoBody.model_validate({"event": 3.5})


@pytest.mark.parametrize(
    ("body", "kind", "other"),
    [
        (MessageBody, Message, set()),
        (ObserveBody, CallerHints, set()),
        (NoteBody, Note, set()),
        (RecallBody, Question, {"text"}),
        (AnchorBody, Anchor, set()),
    ],
)
def test_each_field_of_the_engines_value_can_be_sent(body: type[BaseModel], kind: type, other: set[str]) -> None:
    """A new one gets a place in the body, by its own name; a cue's text alone has another."""
    assert set(names(kind)) - set(body.model_fields) == other
