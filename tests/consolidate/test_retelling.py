"""Past dreams retold from the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from reverie.consolidate.history import newest, retold
from reverie.consolidate.settings import StepName
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    DreamStage,
    Dreamt,
    Erased,
    FieldChange,
    Formed,
    Payload,
    Related,
)
from reverie.ports import Store
from reverie.stores.ram import RamStore
from reverie.types import Kind, Memory, Relation, RelationKind, Role, Scope

SCOPE = Scope("a", "u", "p")
AT = datetime(2026, 3, 2, tzinfo=UTC)
FACT = Memory("m1", SCOPE, Kind.FACT, "Tea.", AT, AT, "s", 0, "Ada", Role.USER, sources=("e",))


def write(store: Store, action: Action, payload: Payload, why: str, hour: int = 0) -> int:
    """One event, told by its reason; its number."""
    with store.begin(durable=True) as tx:
        return tx.append(Draft(SCOPE, AT + timedelta(hours=hour), "a", action, why, payload, bytes(16))).seq


def drift(name: str, why: str) -> Change:
    return Change(name, (FieldChange("utility", 0.5, 0.6),), why)


def dreamt(store: Store, cycle: str, hour: int, *, end: bool = True) -> None:
    """A dream of two steps, in the middle of which a person pins something."""
    write(store, Action.DREAM, Dreamt(cycle, "night", DreamStage.BEGUN), "dream begun", hour)
    why = f"dream {cycle}: {StepName.REHEARSAL.value}"
    write(store, Action.CHANGE, Changed((drift("m1", "often"), drift("m2", "often")), cycle), why, hour)
    write(store, Action.CHANGE, Changed((drift("m1", "mine"),)), "by hand", hour)
    write(store, Action.CHANGE, Changed((drift("m1", "rarely"),), cycle), why, hour)
    edge = Relation("m1", "m2", RelationKind.RELATED_TO, 0.5, AT)
    write(store, Action.RELATE, Related((edge,), cycle=cycle), f"dream {cycle}: {StepName.CLUSTERING.value}", hour)
    if end:
        write(store, Action.DREAM, Dreamt(cycle, "night", DreamStage.DONE), "dream done", hour + 1)


def test_a_dream_is_told_step_by_step() -> None:
    """Each memory counted once a step, each reason as often as it was given; nothing that others did meanwhile."""
    store = RamStore()
    dreamt(store, "c1", 1)
    dreamt(store, "c2", 5, end=False)
    (second, first), erased = newest(store, SCOPE, 20)
    assert erased == 0
    told = retold(store, SCOPE, first)
    assert (told.cycle, told.at, told.ended) == ("c1", AT + timedelta(hours=1), AT + timedelta(hours=2))
    rehearsal, clustering = told.steps
    assert (rehearsal.name, rehearsal.changed) == (StepName.REHEARSAL, 2)
    assert rehearsal.reasons == (("often", 2), ("rarely", 1))
    assert [change.memory for change in rehearsal.samples] == ["m1", "m2", "m1"]
    assert (clustering.related, told.changed) == (1, 3)
    cut = retold(store, SCOPE, second)
    assert (cut.stage, cut.ended, cut.undone) == (DreamStage.BEGUN, None, False)
    assert "interrupted" in cut.lines()[0]


def test_only_so_many_are_told_and_none_where_none_is_asked_for() -> None:
    """The newest ones."""
    store = RamStore()
    for number in range(3):
        dreamt(store, f"c{number}", 3 * number)
    assert [cycle.id for cycle in newest(store, SCOPE, 2)[0]] == ["c2", "c1"]
    assert newest(store, SCOPE, 0)[0] == []


def test_what_was_erased_is_told_as_missing() -> None:
    """The number of the erasure says that what was told before holds no longer."""
    store = RamStore()
    write(store, Action.DREAM, Dreamt("c", "c", DreamStage.BEGUN), "dream begun")
    write(store, Action.FORM, Formed((FACT,), cycle="c"), f"dream c: {StepName.CLUSTERING.value}")
    write(store, Action.DREAM, Dreamt("c", "c", DreamStage.DONE), "dream done")
    before = retold(store, SCOPE, newest(store, SCOPE, 1)[0][0])
    assert before.steps[0].made == (FACT,)
    number = write(store, Action.ERASE, Erased(("m1",), ()), "asked for")
    cycles, erased = newest(store, SCOPE, 1)
    assert erased == number
    assert retold(store, SCOPE, cycles[0]).steps[0].notes == ("1 events whose content was erased",)


def test_samples_are_told_with_the_words_that_are_still_there() -> None:
    """What is gone is told by its id."""
    store = RamStore()
    write(store, Action.FORM, Formed((FACT,)), "formed")
    dreamt(store, "c", 1)
    lines = retold(store, SCOPE, newest(store, SCOPE, 1)[0][0]).lines()
    assert "  m1 “Tea.”: utility 0.5 → 0.6" in lines
    assert "  m2: utility 0.5 → 0.6" in lines
