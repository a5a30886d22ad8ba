"""Whose history an event belongs to."""

from __future__ import annotations

from reverie.events import (
    Action,
    Change,
    Changed,
    DreamStage,
    Dreamt,
    Erased,
    Forgotten,
    Formed,
    Recalled,
    Related,
    Remembered,
)
from reverie.stores.drafts import touched
from reverie.types import Kind, Relation, RelationKind
from tests.stores.making import ADA, START, episode, memory_of


def test_every_payload_names_what_it_touches_once() -> None:
    """Written, taken away, changed, recalled, linked and forgotten memories; dreams and erasures touch none."""
    said = episode(ADA, "e", "tea")
    own, fact = memory_of(said), memory_of(said, "f", Kind.FACT)
    edge = Relation("a", "b", RelationKind.CAUSES, 1.0, START)
    again = Relation("b", "c", RelationKind.CAUSES, 1.0, START)
    payloads = {
        Action.REMEMBER: (Remembered(said, (own, fact)), ("e", "f")),
        Action.FORM: (Formed((fact,), (own,)), ("f", "e")),
        Action.RECALL: (Recalled(("a", "b", "a"), (Change("c", ()),)), ("a", "b", "c")),
        Action.CHANGE: (Changed((Change("a", ()), Change("b", ()), Change("a", ()))), ("a", "b")),
        Action.RELATE: (Related((edge,), (again,)), ("a", "b", "c")),
        Action.FORGET: (Forgotten("a", None, START), ("a",)),
        Action.DREAM: (Dreamt("c", "c", DreamStage.DONE), ()),
        Action.ERASE: (Erased(("a",), (1,)), ()),
    }
    assert set(payloads) == set(Action)
    for payload, names in payloads.values():
        assert touched(payload) == names
    assert touched(None) == ()
