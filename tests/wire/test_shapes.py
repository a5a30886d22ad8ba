from dataclasses import fields, replace
from datetime import UTC, datetime

from reverie.answers import Hit, Recollection, Stats
from reverie.types import Cue, Kind, Memory, Role, Scope, TimeWindow
from reverie.wire.shapes import shape

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
