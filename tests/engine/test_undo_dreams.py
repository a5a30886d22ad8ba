"""Taking a single event back: what goes, what stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.life.simulation import state_digest
from reverie import Feedback, HashEmbedder, Kind, Message, RelationKind, Reverie, Scope, State
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import Conflict, InvalidInput
from reverie.events import Action
from tests.engine.conftest import NOW
from tests.engine.test_correcting import SISTER, taught, use

SAID = (SISTER, "I prefer tea to coffee.", "We decided to paint the shed blue.", "Our server runs PostgreSQL 16.")
HOME = Scope("helper", "ada", "home")


def last(engine: Reverie, scope: Scope) -> int:
    """The number of the last event."""
    return engine._context.store.head(HOME)[0]


ACTS: dict[str, Callable[[Reverie, str, str], object]] = {
    "forget": lambda engine, one, _: engine.forget(one, HOME, why="done"),
    "pin": lambda engine, one, _: engine.admin.pin(one, HOME),
    "protect": lambda engine, one, _: engine.admin.protect(one, HOME),
    "correct": lambda engine, one, _: engine.correct(one, "It is otherwise now.", HOME),
    "wrong": lambda engine, one, _: engine.feedback(one, HOME, Feedback.WRONG),
    "used": lambda engine, one, _: engine.feedback(one, HOME, Feedback.USED),
    "relate": lambda engine, one, other: engine.relate(one, other, HOME, RelationKind.CAUSES, confidence=0.4),
    "again": lambda engine, one, other: engine.relate(one, other, HOME, RelationKind.CAUSES),
    "revive": lambda engine, one, _: engine.admin.revive(one, HOME),
}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 99)), max_size=8))
@pytest.mark.parametrize("kind", ["ram", "sqlite"])
def test_taking_back_in_reverse_leads_back_to_every_memory_and_edge(
    kind: str, acts: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever was done by hand, undone from the last on: each state again, to the byte, apart from the journal."""
    where = ":memory:" if kind == "ram" else str(tmp_path_factory.mktemp("undo") / "m.db")
    options = {"embedder": HashEmbedder(16), "clock": FixedClock(NOW), "ids": RandomIds(seed=1), "background": False}
    with Reverie.open(where, **options) as engine:  # type: ignore[arg-type]  # as Options has it
        for text in SAID:
            engine.observe(Message(text, at=NOW - timedelta(days=2)), HOME, deliberate=True)
        names = [memory.id for memory in engine.timeline(HOME)]
        done: list[tuple[int, str]] = []
        for act, which in acts:
            before, head = state_digest(engine._context.store, HOME), last(engine, HOME)
            try:
                ACTS[act](engine, names[which % len(names)], names[(which + 1) % len(names)])
            except (Conflict, InvalidInput):
                continue
            if last(engine, HOME) > head:
                done.append((head + 1, before))
        for seq, before in reversed(done):
            engine.undo(HOME, event=seq)
            assert state_digest(engine._context.store, HOME) == before
        assert engine.admin.verify() == []
        assert engine.admin.missing() == 0


def test_each_event_of_a_correction_takes_the_whole_back(engine: Reverie, scope: Scope) -> None:
    """Whichever of the three one names; the second time it is gone already."""
    _, old = taught(engine, scope)
    before = state_digest(engine._context.store, scope)
    for place in range(3):
        new = engine.correct(old.id, "She lives in Bursa.", scope)
        first = engine.admin.history(new.id, scope)[0].seq
        report = engine.undo(scope, event=first + place)
        assert (report.changed, report.unmade, report.unrelated) == (1, 1, 1)
        assert state_digest(engine._context.store, scope) == before
        with pytest.raises(Conflict, match="taken back already"):
            engine.undo(scope, event=first + place)


def test_a_later_event_that_stands_on_it_is_named(engine: Reverie, scope: Scope) -> None:
    """A change of the same field, and anything but an access that a correction would take along."""
    _, old = taught(engine, scope)
    engine.admin.pin(old.id, scope)
    pinned = last(engine, scope)
    engine.admin.pin(old.id, scope, pinned=False)
    unpinned = last(engine, scope)
    with pytest.raises(Conflict, match=rf"event {unpinned} \(unpinned\) changed pinned .*Take back event {unpinned}"):
        engine.undo(scope, event=pinned)
    new = engine.correct(old.id, "She lives in Bursa.", scope)
    use(engine, scope, new.id)
    engine.admin.pin(new.id, scope)
    later = last(engine, scope)
    with pytest.raises(Conflict, match=f"Take back event {later} first"):
        engine.undo(scope, event=engine.admin.history(new.id, scope)[0].seq)
    engine.undo(scope, event=later)
    with pytest.raises(Conflict, match=f"Take back event {later + 1} first"):
        engine.undo(scope, event=engine.admin.history(new.id, scope)[0].seq)


def test_an_undoing_can_be_taken_back(engine: Reverie, scope: Scope) -> None:
    """It is an event like any other."""
    _, old = taught(engine, scope)
    engine.forget(old.id, scope)
    gone = state_digest(engine._context.store, scope)
    engine.undo(scope, event=last(engine, scope))
    assert engine.memory(old.id, scope).valid_until is None
    engine.undo(scope, event=last(engine, scope))
    assert state_digest(engine._context.store, scope) == gone


def test_an_edge_drawn_anew_gives_the_one_before_back(engine: Reverie, scope: Scope) -> None:
    """With its confidence; one that was drawn over since is not taken back."""
    one, other = taught(engine, scope)[0], taught(engine, scope, SAID[1])[0]
    engine.relate(one, other, scope, RelationKind.CAUSES, confidence=0.25)
    first = last(engine, scope)
    engine.relate(one, other, scope, RelationKind.CAUSES, confidence=0.75)
    second = last(engine, scope)
    with pytest.raises(Conflict, match=f"Take back event {second} first"):
        engine.undo(scope, event=first)
    engine.undo(scope, event=second)
    edges = [edge for edge in engine.admin.relations(scope, (one,)) if edge.kind is RelationKind.CAUSES]
    assert [edge.confidence for edge in edges] == [0.25]
    engine.undo(scope, event=first)
    assert [edge for edge in engine.admin.relations(scope, (one,)) if edge.kind is RelationKind.CAUSES] == []


def test_accesses_since_stay_and_are_told(engine: Reverie, scope: Scope) -> None:
    """Waking set the last access, a recall set it later."""
    _, old = taught(engine, scope)
    engine.admin.revive(old.id, scope)
    woken = last(engine, scope)
    engine._context.clock.now = lambda: NOW + timedelta(hours=1)  # type: ignore[method-assign]  # time goes on
    use(engine, scope, old.id)
    report = engine.undo(scope, event=woken)
    assert f"last_access of {old.id} moved on" in report.left
    assert engine.memory(old.id, scope).last_access == NOW + timedelta(hours=1)


def test_what_the_gate_closed_is_opened_and_unlinked(engine: Reverie, scope: Scope) -> None:
    """Both hold then, and neither is said to take the other's place."""
    _, old = taught(engine, scope, "My favourite colour is blue.")
    engine.observe(Message("Actually, my favourite colour is not blue any more, it is green.", at=NOW), scope)
    was = engine.memory(old.id, scope)
    if was.standing.state is not State.SUPERSEDED:
        pytest.skip("the gate let both stand")
    closing = next(e for e in engine.admin.history(old.id, scope) if e.action is Action.CHANGE and e.why == "observed")
    engine.undo(scope, event=closing.seq)
    newer = engine.memory(was.standing.superseded_by, scope)
    assert engine.memory(old.id, scope).standing.state is State.ACTIVE
    assert newer.standing.supersedes == ""
    assert RelationKind.SUPERSEDES not in [edge.kind for edge in engine.admin.relations(scope, (newer.id,))]


def test_what_is_no_change_by_hand_says_what_to_do_instead(engine: Reverie, scope: Scope) -> None:
    """What was said, formed or recalled; a dream and what it did; what was erased."""
    said, fact = taught(engine, scope)
    engine.recall("Where does my sister live?", scope)
    report = engine.dream(scope)
    engine.admin.pin(fact.id, scope)
    pinned = last(engine, scope)
    for event in engine.admin.events(scope):
        if event.action in (Action.REMEMBER, Action.RECALL, Action.FORM):
            with pytest.raises(InvalidInput, match="cannot be taken back"):
                engine.undo(scope, event=event.seq)
        if event.action is Action.DREAM:
            with pytest.raises(InvalidInput, match=f"undo.cycle='{report.night.cycle}'"):
                engine.undo(scope, event=event.seq)
    engine.admin.erase(said, scope, why="asked for")
    with pytest.raises(InvalidInput, match="erase event"):
        engine.undo(scope, event=last(engine, scope))
    with pytest.raises(Conflict, match="erased"):
        engine.undo(scope, event=1)
    with pytest.raises(Conflict, match="gone"):
        engine.undo(scope, event=pinned)


def test_two_forgettings_in_a_row_are_two(engine: Reverie, scope: Scope) -> None:
    """Only what one call forgot goes together, even at one moment and for one reason."""
    one, of_it = taught(engine, scope)
    other, _ = taught(engine, scope, SAID[1])
    engine.forget(one, scope)
    first = engine.admin.history(one, scope)[-1].seq
    engine.forget(other, scope)
    engine.undo(scope, event=first)
    assert engine.memory(one, scope).valid_until is None
    assert engine.memory(of_it.id, scope).valid_until is None
    assert engine.memory(other, scope).valid_until == NOW
    assert engine.memory(one, scope).kind is Kind.EPISODE
