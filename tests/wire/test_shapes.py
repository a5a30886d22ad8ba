from __future__ import annotations

import importlib
import json
from dataclasses import dataclass, fields, is_dataclass, make_dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.answers import Hit, Recollection, Stats
from reverie.events import Action, Change, Changed, Erased, Event, FieldChange, Forgotten, Payload, Recalled, Remembered
from reverie.types import Cue, Episode, Kind, Memory, Role, Scope, Standing, State, Tier, TimeWindow
from reverie.wire.layouts import DIFFERENCES, hint, hints, parts
from reverie.wire.shapes import shape
from reverie.wire.values import value

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")
MEMORY = Memory("m1", SCOPE, Kind.EPISODE, "hello", AT, AT, "s", 0, "Ada", Role.USER)


def test_a_memory_shows_every_field_but_the_scope() -> None:
    """The scope stands once, at the head of every answer; a new field of Memory must be shown or named here."""
    shown = shape(MEMORY)
    assert set(shown) == {field.name for field in fields(Memory)} - {"scope"}
    assert shown["valid_until"] is None
    assert shape(replace(MEMORY, valid_until=AT))["valid_until"] == "2026-03-02T09:00:00+00:00"


def test_a_recollection_shows_every_field() -> None:
    """Nothing the engine says about an answer is kept from a program."""
    window = TimeWindow(AT, AT, "in March")
    hit = Hit(MEMORY, 1, 0.5, (), None, 3, "repeats number 1")
    answer = Recollection(Cue("c", (), "en", window=window), SCOPE, AT, (), (hit,), (), 0, 1)
    shown = shape(answer)
    assert set(shown) == {field.name for field in fields(Recollection)}
    assert shown["withheld"] == [shape(hit)]
    assert set(shape(hit)) == {field.name for field in fields(Hit)}
    cue = shown["cue"]
    assert isinstance(cue, dict)
    assert set(cue) == {field.name for field in fields(Cue)}
    assert cue["window"] == {"start": AT.isoformat(), "end": AT.isoformat(), "phrase": "in March"}


def test_stats_show_every_field() -> None:
    """Times that are not there are null."""
    shown = shape(Stats(SCOPE, 0, 0, 0, 0, 0, 0, None, None, 0, 0))
    assert set(shown) == {field.name for field in fields(Stats)}
    assert shown["first_at"] is None


AT_VALUES = datetime(2026, 3, 2, 9, 0, 0, 1, tzinfo=UTC)


EPISODE = Episode("m1", SCOPE, "s", 0, "Ada", Role.USER, "hello", AT_VALUES)
anything = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)


def sent(told: Any) -> Any:
    """A shape as it comes out of the wire."""
    return json.loads(json.dumps(told))


@given(anything, st.floats(0, 1))
def test_a_memory_of_any_text(text: str, importance: float) -> None:
    """Halves of pairs that JSON would join among them; numbers to the last bit."""
    standing = Standing(Tier.SEMANTIC, State.FADING, importance, tags=("x",), tagged_until=AT_VALUES)
    memory = replace(MEMORY, text=text, standing=standing, sources=("e",), valid_until=AT_VALUES)
    assert value(sent(shape(memory)), Memory, SCOPE) == memory


CHANGE = Change(
    "m1",
    (
        FieldChange("tier", "episodic", "semantic"),
        FieldChange("importance", 0.5, 1.0),
        FieldChange("valid_until", None, AT_VALUES),
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
        (Action.FORGET, Forgotten("m1", None, AT_VALUES)),
        (Action.ERASE, Erased(("m1",), (1, 2))),
        (Action.ERASE, None),
    ],
)
def test_an_event_comes_back_whole_but_for_its_salt(action: Action, payload: Payload | None) -> None:
    """Each field of a change in the type it had: a text that reads like a time stays a text."""
    event = Event(3, SCOPE, AT_VALUES, "a", action, "why", payload, b"salt", "d", "p", "h")
    assert value(sent(shape(event)), Event, SCOPE) == replace(event, salt=None)


AT_LAYOUTS = datetime(2026, 3, 2, 9, tzinfo=UTC)


def named(key: str) -> type:
    """The class a key of the table stands for."""
    module, _, name = key.rpartition(".")
    found: type = getattr(importlib.import_module(f"reverie.{module}"), name)
    return found


@pytest.mark.parametrize("key", sorted(DIFFERENCES))
def test_each_difference_is_one_of_a_dataclass_there_is(key: str) -> None:
    """Each name is a field, or, among the keys that come first, a property; and each key's type is known."""
    kind, own = named(key), DIFFERENCES[key]
    names = {one.name for one in fields(kind)}
    merged = {part.name for part in parts(hints(kind)[own.merged])} if own.merged else set()
    assert is_dataclass(kind)
    assert {*own.without.split(), *own.forms, *own.merged.split()} <= names
    assert set(own.first.split()) <= {*hints(kind), *merged}
    shown = [part.name for part in parts(kind)]
    assert names - {*own.without.split(), own.merged} <= set(shown)
    assert all(hint(kind, part) for part in parts(kind))


def test_a_field_nobody_named_is_shown_and_read() -> None:
    """A dataclass the table does not know has a shape, to which a field adds itself."""

    @dataclass(frozen=True, slots=True)
    class Day:
        at: datetime
        counts: tuple[tuple[str, int], ...] = ()

    more = make_dataclass("More", [("day", Day), ("tags", tuple[str, ...], ()), ("mood", float | None, None)])
    day = more(Day(AT_LAYOUTS, (("a", 1),)), ("x",), 0.5)
    told = {"day": {"at": AT_LAYOUTS.isoformat(), "counts": [["a", 1]]}, "tags": ["x"], "mood": 0.5}
    assert shape(day) == told
    assert more(value(told["day"], Day), ("x",), 0.5) == day
