"""The invariants of the shared values: what is a scope, what names a model, when a memory holds, what an edge ties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie.errors import InvalidScope
from reverie.types import EPOCH, Kind, Memory, ModelInfo, Relation, RelationKind, Role, Scope


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (("", "u", "p"), "agent is empty"),
        (("a", "  ", "p"), "user is empty"),
        (("a", "u", None), "project is NoneType"),
        (("a", "u", "x" * 201), "too long"),
        (("a", "nul\0", "p"), "cannot be stored"),
        (("a", "\ud800", "p"), "cannot be stored"),
    ],
)
def test_a_scope_that_is_none_is_refused_with_a_mend(parts: tuple[str, str, str], says: str) -> None:
    """The part that is wrong is named, and what to do."""
    with pytest.raises(InvalidScope, match=says) as refused:
        Scope(*parts)
    assert refused.value.mend


def test_a_scope_is_told_apart_by_each_part() -> None:
    """Three names, in this order; equal names are the same scope."""
    assert str(Scope("a", "u", "p")) == "a/u/p"
    assert Scope("a", "u", "p") == Scope(agent="a", user="u", project="p")
    assert len({Scope("a", "u", "p"), Scope("b", "u", "p"), Scope("a", "b", "p"), Scope("a", "u", "b")}) == 4


def test_names_of_any_script_are_taken() -> None:
    """A person's name need not be ASCII."""
    assert Scope("yardımcı", "Ayşe 🌸", "ev").user == "Ayşe 🌸"


def test_a_models_key_names_all_that_makes_its_vectors() -> None:
    """Another revision or another size is another model."""
    assert ModelInfo("m", "r1", 8).key == "m@r1/8"
    assert len({ModelInfo("m", r, d).key for r in ("r1", "r2") for d in (8, 16)}) == 4


@pytest.mark.parametrize(("hours", "holds"), [(None, True), (1, True), (0, False), (-1, False)])
def test_a_memory_holds_until_its_end(hours: int | None, holds: bool) -> None:
    """Without an end always; at its end no longer."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    end = None if hours is None else now + timedelta(hours=hours)
    scope = Scope("a", "u", "p")
    memory = Memory("m", scope, Kind.FACT, "", EPOCH, EPOCH, "s", 0, "user", Role.USER, valid_until=end)
    assert memory.holds_at(now) is holds


def test_an_edge_is_known_by_its_ends_and_kind() -> None:
    """Not by how sure one is of it, or when it was found."""
    drawn = [Relation("a", "b", RelationKind.CAUSES, sure, EPOCH) for sure in (0.5, 1.0)]
    assert {edge.ends for edge in drawn} == {("a", "b", RelationKind.CAUSES)}
    assert Relation("b", "a", RelationKind.CAUSES, 0.5, EPOCH).ends != drawn[0].ends
