"""Convert the engine's values to JSON data, as every face gives it to programs (``docs/cli/json.md``).

A shape follows from its dataclass; ``wire.layouts`` lists where one differs from it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from operator import attrgetter, methodcaller
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

from reverie.wire.layouts import Part, difference, hints, is_shaped, parts

if TYPE_CHECKING:
    from reverie.events import Event, Payload

Write = Callable[[Any], Any]


def shape(value: Any) -> Any:
    """Convert a value to JSON data: a dataclass to an object, a tuple to a list, a datetime or an enum to text."""
    write = _writer(value.__class__)
    return value if write is None else write(value)


def time(at: datetime | None) -> str | None:
    """Return a datetime in ISO 8601 format; None for None."""
    return at.isoformat() if at else None


def exact(text: object) -> dict[str, str]:
    """Return ``text_base64`` for a text that JSON cannot carry (lone surrogates); an empty dict for any other."""
    if not isinstance(text, str) or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return {}
    return {"text_base64": base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")}


def live_event(value: Event) -> dict[str, object]:
    """Return an event of the store in short: who did what to which memories, when and why."""
    whole = shape(value)
    short = {name: whole[name] for name in ("seq", "at", "actor", "action", "why")}
    return {"scope": shape(value.scope), **short, "memories": list(touched(value.payload))}


def touched(payload: Payload | None) -> tuple[str, ...]:
    """Return the ids of the memories an event is about, each once, including those it erased."""
    from reverie.events import Erased  # a command's help needs no numpy
    from reverie.stores import drafts

    return payload.memories if isinstance(payload, Erased) else drafts.touched(payload)


@cache
def _writer(kind: type) -> Write | None:
    """Return the function that converts a type; None for one that is written unchanged."""
    if is_shaped(kind):
        return _object(kind)
    return next((write for base, write in _WRITERS if issubclass(kind, base)), None)


def _each(value: Any) -> list[Any]:
    return [shape(one) for one in value]


def _named(value: Any) -> dict[str, Any]:
    return {name: shape(one) for name, one in value.items()}


_PLAIN = frozenset({str, int, float, bool, NoneType})
_WRITERS: tuple[tuple[type, Write], ...] = (
    (date, methodcaller("isoformat")),
    (StrEnum, str),
    (Mapping, _named),
    (list, _each),
    (tuple, _each),
)


def _object(kind: type) -> Write:
    """Return a function that converts a dataclass or a named tuple, key by key."""
    shown = parts(kind)
    names, writes = [part.name for part in shown], [_formed(part) for part in shown]
    if issubclass(kind, tuple) and _PLAIN.issuperset(hints(kind).values()):
        return lambda value: dict(zip(names, value, strict=True))  # a recall has hundreds of signals
    get = attrgetter(*(part.path for part in shown), "__class__")  # at least two names, so that it returns a tuple

    def write(value: Any) -> dict[str, Any]:
        found = zip(names, writes, get(value), strict=False)
        return {name: one if one.__class__ in _PLAIN else write(one) for name, write, one in found}

    def write_exact(value: Any) -> dict[str, Any]:
        return write(value) | exact(value.text)

    return write_exact if difference(kind).exact else write


def _formed(part: Part) -> Write:
    """Return the function that converts one key's value, in the form its shape prescribes."""
    form, several = part.form, get_args(part.form)
    if form is None:
        return shape
    if not several:
        return lambda value: shape(form(*value))
    if issubclass(form.__origin__, tuple):
        return lambda value: [shape(several[0](*one)) for one in value]
    return dict
