"""The table of differences names what there is, and hides nothing that it does not name."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, fields, is_dataclass, make_dataclass
from datetime import UTC, datetime

import pytest

from reverie.wire.layouts import DIFFERENCES, hint, hints, parts
from reverie.wire.shapes import shape
from reverie.wire.values import value

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


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
    day = more(Day(AT, (("a", 1),)), ("x",), 0.5)
    told = {"day": {"at": AT.isoformat(), "counts": [["a", 1]]}, "tags": ["x"], "mood": 0.5}
    assert shape(day) == told
    assert more(value(told["day"], Day), ("x",), 0.5) == day
