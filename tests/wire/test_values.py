"""What was made a shape and sent as JSON is read back as the same value; faces/client tests hold the rest to it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.events import Action, Change, Changed, Erased, Event, FieldChange, Forgotten, Payload, Recalled, Remembered
from reverie.types import Episode, Kind, Memory, Role, Scope, Standing, State, Tier
from reverie.wire.shapes import shape
from reverie.wire.values import value

AT = datetime(2026, 3, 2, 9, 0, 0, 1, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")
MEMORY = Memory("m1", SCOPE, Kind.EPISODE, "hello", AT, AT, "s", 0, "Ada", Role.USER)
EPISODE = Episode("m1", SCOPE, "s", 0, "Ada", Role.USER, "hello", AT)
anything = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)


def sent(told: Any) -> Any:
    """A shape as it comes out of the wire."""
    return json.loads(json.dumps(told))


@given(anything, st.floats(0, 1))
def test_a_memory_of_any_text(text: str, importance: float) -> None:
    """Halves of pairs that JSON would join among them; numbers to the last bit."""
    standing = Standing(Tier.SEMANTIC, State.FADING, importance, tags=("x",), tagged_until=AT)
    memory = replace(MEMORY, text=text, standing=standing, sources=("e",), valid_until=AT)
    assert value(sent(shape(memory)), Memory, SCOPE) == memory


CHANGE = Change(
    "m1",
    (
        FieldChange("tier", "episodic", "semantic"),
        FieldChange("importance", 0.5, 1.0),
        FieldChange("valid_until", None, AT),
        FieldChange("tags", (), ("x", "y")),
        FieldChange("accesses", 1, 2),
        FieldChange("pinned", False, True),
        FieldChange("text", "2026-03-02T09:00:00+00:00", "b"),
    ),
    "why",
)


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        (Action.REMEMBER, Remembered(EPISODE, (MEMORY,))),
        (
            Action.REMEMBER,
            Remembered(replace(EPISODE, text="\ud83d\ude00"), (replace(MEMORY, text="\ud83d\ude00"),)),
        ),
        (Action.RECALL, Recalled(("m1", "m2"), (CHANGE,))),
        (Action.CHANGE, Changed((CHANGE,), "c")),
        (Action.FORGET, Forgotten("m1", None, AT)),
        (Action.ERASE, Erased(("m1",), (1, 2))),
        (Action.ERASE, None),
    ],
)
def test_an_event_comes_back_whole_but_for_its_salt(action: Action, payload: Payload | None) -> None:
    """Each field of a change in the type it had: a text that reads like a time stays a text."""
    event = Event(3, SCOPE, AT, "a", action, "why", payload, b"salt", "d", "p", "h")
    assert value(sent(shape(event)), Event, SCOPE) == replace(event, salt=None)
