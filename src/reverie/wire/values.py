"""Convert JSON data made by ``wire.shapes`` back to the engine's values.

An answer names its scope once, at the top; each memory in it gets the scope back here.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import astuple, is_dataclass, replace
from functools import cache
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin

import msgspec

from reverie.events import (
    Action,
    Changed,
    Dreamt,
    Erased,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Recalled,
    Recorded,
    Related,
    Remembered,
)
from reverie.types import Episode, Memory, Scope, Standing
from reverie.wire.layouts import NONE, Counts, difference, hints, is_shaped, names

T = TypeVar("T")
Shape = Mapping[str, Any]
Read = Callable[[Any, Scope | None], Any]

_PAYLOADS: dict[Action, Any] = {
    Action.REMEMBER: Remembered,
    Action.RECALL: Recalled,
    Action.FORM: Formed,
    Action.CHANGE: Changed,
    Action.RELATE: Related,
    Action.DREAM: Dreamt,
    Action.FORGET: Forgotten,
    Action.ERASE: Erased,
    Action.RECORD: Recorded,
}


def value(shape: Any, kind: type[T], owner: Scope | None = None) -> T:
    """Convert JSON data to a value of type ``kind``; ``owner`` is its scope if the data names none.

    Raises:
        msgspec.ValidationError: a part of the data has another type.
    """
    of: Any = kind
    return cast("T", _reader(of)(shape, owner))


@cache
def _reader(hint: Any) -> Read:
    """Return the function that reads a type; a type without differences inside is read by msgspec."""
    if not _differs(hint):
        return lambda shape, _: msgspec.convert(shape, hint)
    if is_shaped(hint):
        return _READERS[hint] if hint in _READERS else _built(hint)
    kind, inner = get_origin(hint), _reader(next(one for one in get_args(hint) if one not in (..., NoneType)))
    if kind in (tuple, list):
        return lambda shape, owner: kind([inner(one, owner) for one in shape])
    return lambda shape, owner: None if shape is None else inner(shape, owner)


@cache
def _differs(hint: Any) -> bool:
    """Whether any part of a type is shown otherwise than in its dataclass."""
    if hint in _READERS or (is_shaped(hint) and (difference(hint) is not NONE or not is_dataclass(hint))):
        return True
    return any(map(_differs, hints(hint).values() if is_shaped(hint) else get_args(hint)))


@cache
def _built(kind: Any) -> Read:
    """Return a function that reads a dataclass or named tuple field by field."""
    own, of, keys = difference(kind), hints(kind), names(kind)
    if issubclass(kind, tuple):
        return lambda shape, _: msgspec.convert([shape[name] for name in keys if name in shape], kind)
    readers = {name: _formed(own.forms[name]) if name in own.forms else _reader(of[name]) for name in keys}
    merged = own.merged and readers.pop(own.merged)

    def read(shape: Shape, owner: Scope | None) -> Any:
        if "scope" in shape:
            owner = msgspec.convert(shape["scope"], Scope)
        given = {name: reader(shape[name], owner) for name, reader in readers.items() if name in shape}
        if merged:
            given[own.merged] = merged(shape, owner)
        return kind(**{"scope": owner} | given if "scope" in readers else given)

    return read


def _formed(form: Any) -> Read:
    """Return a function that reads a tuple shown in another form."""

    def read(shape: Any, _: Scope | None) -> tuple[Any, ...]:
        if form is Counts:
            return tuple(shape.items())
        found = msgspec.convert(shape, form)
        return tuple(map(astuple, found)) if isinstance(found, tuple) else astuple(found)

    return read


def _memory(shape: Shape, owner: Scope | None) -> Memory:
    """Read a memory; take its text from ``text_base64`` if JSON could not carry it."""
    exact = shape.get("text_base64")
    text = base64.b64decode(exact).decode("utf-8", "surrogatepass") if exact else shape["text"]
    return msgspec.convert({**shape, "text": text, "scope": msgspec.to_builtins(owner)}, Memory)


def _event(shape: Shape, owner: Scope | None) -> Event:
    """Read an event; without its salt, which never leaves the store."""
    told = shape["payload"]
    payload = None if told is None else _reader(_PAYLOADS[Action(shape["action"])])(told, owner)
    event: Event = _built(Event)({**shape, "payload": None, "salt": None}, owner)
    return replace(event, payload=payload)


def _remembered(shape: Shape, owner: Scope | None) -> Remembered:
    kept = _reader(tuple[Memory, ...])(shape["memories"], owner)
    episode = msgspec.convert(shape["episode"], Episode)
    return Remembered(replace(episode, text=kept[0].text) if kept else episode, kept)  # JSON may not carry the text


def _field_change(shape: Shape, _: Scope | None) -> FieldChange:
    """Read a field's values before and after; tiers, states and kinds are given by name."""
    name = shape["name"]
    hint = str if name in ("kind", "tier", "state") else _FIELDS[name]
    return FieldChange(name, *(msgspec.convert(shape[side], hint | None) for side in ("before", "after")))


_FIELDS = hints(Memory) | hints(Standing)
_READERS: dict[Any, Read] = {
    Event: _event,
    FieldChange: _field_change,
    Memory: _memory,
    Remembered: _remembered,
}
