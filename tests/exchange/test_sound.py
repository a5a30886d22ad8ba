"""Payloads from files are looked over before they are written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from reverie.events import Change, Changed, Erased, FieldChange, Formed, Payload, Recalled, Related, Remembered
from reverie.exchange.journal import fault_in
from reverie.types import Episode, Kind, Memory, Relation, RelationKind, Role, Scope, Standing

AT = datetime(2026, 3, 1, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")
EPISODE = Episode("e1", SCOPE, "s", 0, "Ada", Role.USER, "tea", AT)
MEMORY = Memory(
    "m1", SCOPE, Kind.FACT, "tea", AT, AT, "s", 0, "Ada", Role.USER, ("e1",), standing=Standing(pinned=True)
)


@pytest.mark.parametrize(
    "payload",
    [
        Remembered(EPISODE, (MEMORY,)),
        Formed((MEMORY,), (), "c"),
        Recalled(("m1",), (Change("m1", (FieldChange("accesses", 0, 1),)),)),
        Changed((Change("m1", (FieldChange("valid_until", None, AT), FieldChange("tags", (), ("a",)))),)),
        Related((Relation("m1", "m2", RelationKind.CAUSES, 1, AT),)),
        Erased(("m1",), (3,)),
    ],
)
def test_what_the_engine_writes_is_sound(payload: Payload) -> None:
    """An integer where a number may be is sound, too."""
    assert fault_in(payload) == ""


def changed(name: str, after: Any) -> Changed:
    """A change of one field."""
    return Changed((Change("m1", (FieldChange(name, None, after),)),))


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        (Remembered(replace(EPISODE, text=["tea"]), ()), "Episode.text"),  # type: ignore[arg-type] # the fault
        (Remembered(replace(EPISODE, seq=2**60), ()), "Episode.seq"),
        (Formed((replace(MEMORY, accesses=True),)), "Memory.accesses"),
        (Formed((replace(MEMORY, at=datetime(2026, 1, 1)),)), "Memory.at"),
        (Formed((replace(MEMORY, at=AT.astimezone(timezone(timedelta(hours=3)))),)), "Memory.at"),
        (Formed((replace(MEMORY, sources=("e1", 3)),)), "Memory.sources"),  # type: ignore[arg-type] # the fault
        (Formed((replace(MEMORY, standing=Standing(importance=float("nan"))),)), "Standing.importance"),
        (Formed((replace(MEMORY, standing=Standing(pinned=1)),)), "Standing.pinned"),  # type: ignore[arg-type] # the fault
        (Related((Relation("m1", "m2", RelationKind.CAUSES, 1e300, AT),)), "Relation.confidence"),
        (changed("text", 5), "a change of 'text'"),
        (changed("importance", "much"), "a change of 'importance'"),
        (changed("id", "m2"), "a change of 'id'"),
        (Erased(("m1",), (None,)), "Erased.events"),  # type: ignore[arg-type] # the fault
    ],
)
def test_the_first_fault_is_named(payload: Payload, fault: str) -> None:
    """By its type and field."""
    assert fault_in(payload) == fault
