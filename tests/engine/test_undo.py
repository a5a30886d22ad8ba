from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.life.simulation import state_digest
from reverie.consolidate.settings import DreamSettings
from reverie.engine.dreams import DreamContext, dream
from reverie.engine.undo import EventUndoing, UndoReport, undo
from reverie.errors import Conflict, NotFound
from reverie.events import Action, Change, Changed, Draft, DreamStage, Dreamt, Erased, FieldChange, Payload, Recorded
from reverie.ports import Store
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import Memory, Record
from tests.engine.lives import NOW, SCOPE, Life, means_for
from tests.engine.test_dreams import ALL, V9, lived


def back(means: DreamContext, cycle: str | None = None) -> UndoReport:
    """Take a dream back."""
    return undo(means.store, SCOPE, means.clock, means.ids, means.lock, cycle)


def write(store: Store, action: Action, payload: Payload) -> None:
    """Somebody writes an event."""
    with store.begin(SCOPE, durable=True) as tx:
        tx.append(Draft(SCOPE, NOW, "ada", action, "by hand", payload, bytes(16)))


def everything(store: Store) -> tuple[list[Memory], list[object]]:
    """Every memory and every edge."""
    return list(store.memories(SCOPE)), list(store.relations(SCOPE))


@ALL
@pytest.mark.req("D33")
@pytest.mark.parametrize("seed", range(4))
def test_undoing_restores_every_memory_and_edge(recipe: DreamSettings, seed: int, tmp_path: Path) -> None:
    """Night by night, on both stores, to the byte; the journal's chain and the projections hold."""
    for store in (RamStore(), SqliteStore(tmp_path / "m.db")):
        Life(store, seed).live(40)
        states = []
        for night in range(2):
            before = everything(store), state_digest(store, SCOPE)
            dream(means_for(store, seed=night, at=NOW + timedelta(days=night)), SCOPE, recipe)
            if before != (everything(store), state_digest(store, SCOPE)):
                states.append(before)
        means = means_for(store, seed=9, at=NOW + timedelta(days=3))
        for before, digest in reversed(states):
            report = back(means)
            assert report.left == ()
            assert everything(store) == before
            assert state_digest(store, SCOPE) == digest
        assert store.check() == []
        stands = everything(store)
        for _ in range(2 - len(states)):
            assert (back(means).changed, everything(store)) == (0, stands)
        with pytest.raises(NotFound, match="no dream"):
            back(means)
        store.close()


@pytest.mark.req("D33")
def test_a_dream_that_was_taken_back_can_be_dreamt_again() -> None:
    """In the same period, to the same end but for ids made of the cycle."""
    store = lived(3)
    first = dream(means_for(store), SCOPE, V9)
    assert back(means_for(store, seed=2)).cycle == first.night.cycle
    second = dream(means_for(store, seed=3), SCOPE, V9)
    assert [step.changed for step in second.steps] == [step.changed for step in first.steps]


def test_what_was_changed_after_the_dream_is_left_and_told() -> None:
    """The one field stays as the person set it; everything else goes back."""
    store = lived(3)
    before = {memory.id: memory for memory in store.formed(SCOPE)}
    report = dream(means_for(store), SCOPE, V9)
    drifted = next(change for step in report.steps for change in step.samples if change.fields[-1].name == "utility")
    held = drifted.fields[-1].after
    write(store, Action.CHANGE, Changed((Change(drifted.memory, (FieldChange("utility", held, 0.99),), "by hand"),)))
    undone = back(means_for(store, seed=2))
    assert undone.left == (f"utility of {drifted.memory} was changed later",)
    assert f"  left: utility of {drifted.memory} was changed later" in undone.lines()
    after = {memory.id: memory for memory in store.formed(SCOPE)}
    assert after[drifted.memory].standing.utility == 0.99
    assert {name for name, memory in after.items() if memory != before[name]} == {drifted.memory}


def test_a_theme_that_somebody_pinned_is_left() -> None:
    """It is theirs now."""
    store = lived(0)
    dream(means_for(store), SCOPE, V9)
    theme = next(memory for memory in store.formed(SCOPE) if memory.standing.write_source == "dream")
    write(store, Action.CHANGE, Changed((Change(theme.id, (FieldChange("pinned", False, True),), "mine"),)))
    assert f"{theme.id} was changed later" in back(means_for(store, seed=2)).left
    assert store.memory(SCOPE, theme.id) is not None


def test_a_named_cycle_is_taken_back_while_later_ones_stand() -> None:
    """Once; an unknown one is not found."""
    store = lived(4)
    first = dream(means_for(store), SCOPE, V9).night.cycle
    second = dream(means_for(store, seed=2, at=NOW + timedelta(days=1)), SCOPE, V9).night.cycle
    means = means_for(store, seed=3, at=NOW + timedelta(days=2))
    assert back(means, first).cycle == first
    with pytest.raises(Conflict, match="taken back already"):
        back(means, first)
    with pytest.raises(NotFound, match="nowhere"):
        back(means, "nowhere")
    assert back(means).cycle == second
    marks = [event.payload for event in store.events(SCOPE, actions={Action.DREAM})]
    assert [mark.stage for mark in marks if isinstance(mark, Dreamt)][-2:] == [DreamStage.UNDONE, DreamStage.UNDONE]


@pytest.mark.req("D17")
def test_a_dream_over_what_was_erased_since_cannot_be_taken_back() -> None:
    """Nobody knows what was before; nothing is written."""
    store = lived(0)
    dream(means_for(store), SCOPE, V9)
    theme = next(memory for memory in store.formed(SCOPE) if memory.standing.write_source == "dream")
    write(store, Action.ERASE, Erased((theme.sources[0],), ()))
    head = store.head(SCOPE)
    with pytest.raises(Conflict, match="erased"):
        back(means_for(store, seed=2))
    assert store.head(SCOPE) == head


def test_an_undoing_that_was_interrupted_is_brought_to_its_end() -> None:
    """What it took back already is not told as somebody's change."""
    store = lived(3)
    digest = state_digest(store, SCOPE)
    report = dream(means_for(store), SCOPE, V9)
    change = next(event.payload for event in store.events(SCOPE, actions={Action.CHANGE}))
    last = [event.payload for event in store.events(SCOPE, actions={Action.CHANGE})][-1]
    assert isinstance(change, Changed)
    assert isinstance(last, Changed)
    reverse = tuple(one.reverse("taken back") for one in reversed(last.changes))
    write(store, Action.CHANGE, Changed(reverse, report.night.cycle))
    assert back(means_for(store, seed=2)).left == ()
    assert state_digest(store, SCOPE) == digest


def test_a_record_goes_back_to_what_it_was_unless_it_was_changed_again() -> None:
    """Undoing what kept it, replaced it or dropped it; the later event first."""
    store = RamStore()
    first, second = (Record(SCOPE, "grant", "g", about, "{}") for about in ("grace", "eve"))
    for before, after in ((None, first), (first, second), (second, None)):
        write(store, Action.RECORD, Recorded(before, after))
    for number, expected in ((3, [second]), (2, [first]), (1, [])):
        if number > 1:
            with pytest.raises(Conflict, match="grant g was changed after event 1"):
                EventUndoing(store, next(store.events(SCOPE))).plan()
        undoing = EventUndoing(store, next(store.events(SCOPE, after=number - 1)))
        undoing.plan()
        for action, payload, _ in undoing.planned:
            write(store, action, payload)
        assert store.records("grant") == expected
