from __future__ import annotations

import pytest

from reverie.consolidate.pipeline import steps
from reverie.consolidate.published_steps import sharing, sweep
from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import Outcome
from reverie.recipes.published.ocean import DREAM
from reverie.types import Kind, Memory, State
from tests.consolidate.making import NOW, after, memory, snapshot, why


@pytest.mark.req("B7")
def test_what_proved_itself_is_marked_once() -> None:
    """From .8 on; verified from .6 on; or because a person said so."""
    assert DREAM.sharing is not None
    first = snapshot(
        memory("earned", importance=0.8),
        memory("not yet", importance=0.79),
        memory("verified", importance=0.6, verified=True),
        memory("doubtful", importance=0.59, verified=True),
        memory("asked", importance=0.1, tags=("promote",)),
    )
    outcome = sharing(first, DREAM.sharing, NOW)
    assert after(outcome) == {
        "earned": {"tags": ("promoted",)},
        "verified": {"tags": ("promoted",)},
        "asked": {"tags": ("promote", "promoted")},
    }
    assert not sharing(first.after(outcome), DREAM.sharing, NOW).changes


def step(*memories: Memory) -> Outcome:
    """The sweep."""
    assert DREAM.sweep is not None
    return sweep(snapshot(*memories), DREAM.sweep, NOW)


@pytest.mark.req("B6")
def test_what_is_past_its_age_is_archived_reviewed_or_extended() -> None:
    """Below .4 archived, to .7 shown to a person, from .7 on given half as long again; before its age nothing."""
    old = [memory(f"{tenths}", age_days=30.5, importance=tenths / 100) for tenths in (39, 40, 69, 70)]
    found = step(*old, memory("young", age_days=29.0, importance=0.39))
    assert after(found) == {"39": {"state": State.DORMANT}, "70": {"tags": ("max_age: 45d",)}}
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


@pytest.mark.req("B6")
def test_more_time_is_written_down_once() -> None:
    """As a tag that declares the age; the night after finds nothing to do and says nothing."""
    found = step(memory("m", age_days=30.5, importance=0.7, tags=("tea",)))
    assert after(found) == {"m": {"tags": ("tea", "max_age: 45d")}}
    assert why(found) == {"m": "given more time: past its age and of importance"}
    assert found.notes == ("extended to 45 days: m",)
    again = step(memory("m", age_days=31.5, importance=0.7, tags=("tea", "max_age: 45d")))
    assert (after(again), again.notes) == ({}, ())


@pytest.mark.req("B6")
@pytest.mark.parametrize(
    ("age", "importance", "tag", "told"), [(46.0, 0.7, 68, 68), (200.0, 0.7, 230, 230), (61.0, 0.8, 45, 90)]
)
def test_more_time_is_as_much_as_it_takes(age: float, importance: float, tag: int, told: int) -> None:
    """By halves, in whole days; the age is that of its class, and importance doubles what was declared."""
    found = step(memory("m", age_days=age, importance=importance))
    assert after(found) == {"m": {"tags": (f"max_age: {tag}d",)}}
    assert found.notes == (f"extended to {told} days: m",)


@pytest.mark.req("B6")
def test_one_age_takes_the_place_of_the_one_before() -> None:
    """Extended again, it has one tag of the kind."""
    found = step(memory("m", age_days=46.0, importance=0.75, tags=("max_age: 45d", "tea")))
    assert after(found) == {"m": {"tags": ("tea", "max_age: 68d")}}


@pytest.mark.req("B6")
def test_time_that_was_given_stays_given() -> None:
    """What matters less since then is swept only past the longer age."""
    given = {"importance": 0.3, "tags": ("max_age: 45d",)}
    found = step(memory("before", age_days=44.0, **given), memory("past", age_days=46.0, **given))
    assert after(found) == {"past": {"state": State.DORMANT}}


@pytest.mark.req("B6")
def test_a_dream_sweeps_so() -> None:
    """It is the step the recipe has."""
    old = [memory(f"{tenths}", age_days=30.5, importance=tenths / 100) for tenths in (39, 40, 69, 70)]
    act = {step.name: step.act for step in steps(DREAM)}[StepName.SWEEP]
    assert after(act(snapshot(*old), NOW)) == after(step(*old))


@pytest.mark.req("B6", "D21")
def test_the_protected_are_given_no_time() -> None:
    """They need none: pinned or immutable, nothing sweeps them."""
    old = [memory(flag, age_days=99.0, importance=0.9, **{flag: True}) for flag in ("pinned", "immutable")]
    assert not step(*old).changes
