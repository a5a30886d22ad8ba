"""The JSON shapes: in, the engine's values; out, what every face hands to a program (``docs/cli.md``).

A shape follows from its dataclass; ``wire.layouts`` says where one differs from it.
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
    """Any value as JSON has it: an object for what has fields, a list for a tuple, a text for a moment or a name."""
    write = _writer(value.__class__)
    return value if write is None else write(value)


def time(at: datetime | None) -> str | None:
    """A moment."""
    return at.isoformat() if at else None


def exact(text: object) -> dict[str, str]:
    """The exact form of a text JSON cannot carry, to stand beside it; nothing for any other."""
    if not isinstance(text, str) or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return {}
    return {"text_base64": base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")}


def live_event(value: Event) -> dict[str, object]:
    """One change of the store, in short: what was done to which memories."""
    whole = shape(value)
    short = {name: whole[name] for name in ("seq", "at", "actor", "action", "why")}
    return {"scope": shape(value.scope), **short, "memories": list(touched(value.payload))}


def touched(payload: Payload | None) -> tuple[str, ...]:
    """The memories an event speaks of, each once; those an erasure took, too."""
    from reverie.events import Erased  # a command's help needs no numpy
    from reverie.stores import drafts

    return payload.memories if isinstance(payload, Erased) else drafts.touched(payload)


@cache
def _writer(kind: type) -> Write | None:
    """What writes a kind; None for what stands as it is."""
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
    """What writes a dataclass or a tuple with names, key by key."""
    shown = parts(kind)
    names, writes = [part.name for part in shown], [_formed(part) for part in shown]
    if issubclass(kind, tuple) and _PLAIN.issuperset(hints(kind).values()):
        return lambda value: dict(zip(names, value, strict=True))  # a recall has hundreds of signals
    get = attrgetter(*(part.path for part in shown), "__class__")  # two at least, so that a tuple comes of it

    def write(value: Any) -> dict[str, Any]:
        found = zip(names, writes, get(value), strict=False)
        return {name: one if one.__class__ in _PLAIN else write(one) for name, write, one in found}

    def write_exact(value: Any) -> dict[str, Any]:
        return write(value) | exact(value.text)

    return write_exact if difference(kind).exact else write


def _formed(part: Part) -> Write:
    """What writes one key: in the form it has in a shape, where that is not its own."""
    form, several = part.form, get_args(part.form)
    if form is None:
        return shape
    if not several:
        return lambda value: shape(form(*value))
    if issubclass(form.__origin__, tuple):
        return lambda value: [shape(several[0](*one)) for one in value]
    return dict
