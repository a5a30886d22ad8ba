"""The invariants of the shared values: what is a scope, and what names a model."""

from __future__ import annotations

import pytest

from reverie.errors import InvalidScope
from reverie.types import ModelInfo, Scope


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
