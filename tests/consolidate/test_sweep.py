from __future__ import annotations

import pytest

from reverie.consolidate.outcome import Outcome
from reverie.consolidate.sweep import sweep
from reverie.recipes.ocean.dream import DREAM
from reverie.types import Kind, Memory, State
from tests.consolidate.making import NOW, after, memory, snapshot


def step(*memories: Memory) -> Outcome:
    """The sweep."""
    assert DREAM.sweep is not None
    return sweep(snapshot(*memories), DREAM.sweep, NOW)


@pytest.mark.req("B6")
def test_what_is_past_its_age_is_archived_reviewed_or_extended() -> None:
    """Below .4 archived, to .7 shown to a person, from .7 on given half as long again; before its age nothing."""
    old = [memory(f"{tenths}", age_days=30.5, importance=tenths / 100) for tenths in (39, 40, 69, 70)]
    found = step(*old, memory("young", age_days=29.0, importance=0.39))
    assert after(found) == {"39": {"state": State.DORMANT}}
    assert found.notes == ("for review: 40", "for review: 69", "extended to 45 days: 70")


@pytest.mark.req("B6")
def test_what_is_of_no_importance_is_archived_at_any_age() -> None:
    """Below .2."""
    found = step(memory("low", age_days=0.1, importance=0.19), memory("edge", age_days=0.1, importance=0.2))
    assert set(after(found)) == {"low"}


@pytest.mark.req("B5")
def test_each_class_has_its_age() -> None:
    """A fortnight, a month, a quarter, half a year; instructions and skills are permanent."""
    ages = {
        Kind.PLAN: 14,
        Kind.INTENTION: 14,
        Kind.FACT: 30,
        Kind.ENTITY: 30,
        Kind.DECISION: 90,
        Kind.PREFERENCE: 90,
        Kind.CORRECTION: 180,
    }
    for kind, days in ages.items():
        pair = [memory(f"{age}", kind=kind, age_days=age, importance=0.3) for age in (days - 0.2, days + 0.2)]
        assert set(after(step(*pair))) == {f"{days + 0.2}"}, kind
    kept = [memory(kind, kind=kind, age_days=9_999.0, importance=0.3) for kind in (Kind.INSTRUCTION, Kind.SKILL)]
    assert not step(*kept).changes


@pytest.mark.req("B5")
def test_importance_doubles_and_triples_the_age() -> None:
    """From .8 on twice, from .9 on three times as long, before the extension of the sweep."""
    found = step(
        memory("a", age_days=59.0, importance=0.8),
        memory("b", age_days=61.0, importance=0.8),
        memory("c", age_days=89.0, importance=0.9),
        memory("d", age_days=91.0, importance=0.9),
        memory("e", age_days=31.0, importance=0.79),
        memory("f", age_days=61.0, importance=0.89),
    )
    assert [note.rpartition(" ")[2] for note in found.notes] == ["b", "d", "e", "f"]


@pytest.mark.req("B6", "D21")
def test_the_protected_are_not_swept() -> None:
    """Pinned or immutable."""
    assert not step(*[memory(flag, importance=0.0, **{flag: True}) for flag in ("pinned", "immutable")]).changes
