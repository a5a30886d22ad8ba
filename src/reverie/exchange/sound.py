"""Whether a payload that was read is what its types say: in, a payload; out, what is wrong with it.

JSON of somebody's making can hold a list where a text belongs, or a number no column takes. What writes payloads never
does that, so stores do not look; what comes from a file is looked at here, before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from reverie.events import CHANGEABLE, FieldChange, Payload
from reverie.types import BEGINNING, Memory, Standing

Find: TypeAlias = Callable[[Any], str]
"""A value in, the place of its first fault out; "" where it is sound, "?" where the value itself is of another type."""

COUNT_MAX = 2**53
_NO_OFFSET = timedelta(0)


def fault_in(payload: Payload) -> str:
    """The first field that holds what it cannot hold, as "Memory.text"; "" where all is sound."""
    kind: Any = type(payload)
    return _finder(kind)(payload)


@cache
def _finder(hint: Any) -> Find:
    """What looks a value of this type over; made once a type, for a journal holds many."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _one_of([_finder(one) for one in get_args(hint)])
    if origin is tuple:
        return _each(_finder(get_args(hint)[0]))
    if hint is FieldChange:
        return _change_fault
    if is_dataclass(hint) and isinstance(hint, type):
        return _inside(hint)
    plain: dict[Any, Callable[[Any], bool]] = {bool: _is_bool, int: _is_count, float: _is_number, datetime: _is_moment}
    return _named(plain.get(hint, lambda value: isinstance(value, hint)))


def _named(is_sound: Callable[[Any], bool]) -> Find:
    return lambda value: "" if is_sound(value) else "?"


def _one_of(finders: list[Find]) -> Find:
    return lambda value: "" if any(not find(value) for find in finders) else "?"


def _each(find: Find) -> Find:
    def look(value: Any) -> str:
        if not isinstance(value, tuple):
            return "?"
        return next((fault for one in value if (fault := find(one))), "") if value else ""

    return look


def _inside(kind: type[Any]) -> Find:
    hints = get_type_hints(kind)
    finders = [(field.name, _finder(hints[field.name])) for field in fields(kind)]

    def look(value: Any) -> str:
        if value is BEGINNING:
            return ""
        if not isinstance(value, kind):
            return "?"
        for name, find in finders:
            if fault := find(getattr(value, name)):
                return f"{kind.__name__}.{name}" if fault == "?" else fault
        return ""

    return look


def _change_fault(change: Any) -> str:
    find = _changeable().get(change.name)
    sound = find is not None and not find(change.before) and not find(change.after)
    return "" if sound else f"a change of {change.name!r:.40}"


@cache
def _changeable() -> dict[str, Find]:
    known = get_type_hints(Memory) | get_type_hints(Standing)
    return {name: _finder(known[name]) for name in CHANGEABLE}


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < COUNT_MAX


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and abs(value) < COUNT_MAX


def _is_moment(value: Any) -> bool:
    return isinstance(value, datetime) and value.utcoffset() == _NO_OFFSET
