"""Access tracking (A7, C2): counted for what was injected, at the moment it was, and kept in the file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from reverie.recall.state import age_s

START = datetime(2026, 2, 20, 5, tzinfo=UTC)
SAID = (
    *(f"The spare key number {n} hangs behind the boiler." for n in range(8)),
    "Yedek anahtar kombinin arkasında asılı duruyor.",
)


def told(path: str | Path, clock: FixedClock, scope: Scope, recipe: str) -> Reverie:
    """An engine that observed everything above."""
    engine = Reverie.open(path, embedder="hash", recipe=recipe, clock=clock, ids=RandomIds(seed=1))
    for text in SAID:
        clock.at += timedelta(minutes=1)
        engine.observe(Message(text), scope)
    return engine


@pytest.mark.req("A7", "A16.11", "A16.12", "A16.14")
def test_what_was_injected_is_counted_once_and_for_good(tmp_path: Path, scope: Scope) -> None:
    """Five of eighteen are injected: their counts rise by one, their last access is now, also after a restart."""
    clock = FixedClock(START)
    with told(tmp_path / "store", clock, scope, "exocortex") as engine:
        clock.at += timedelta(hours=2)
        answer = engine.recall("Where is the spare key number 3?", scope)
        injected = {hit.memory.id for hit in answer.hits}
        assert len(injected) == 5
    with Reverie.open(tmp_path / "store", embedder="hash", recipe="exocortex", clock=clock) as engine:
        for memory in engine.timeline(scope):
            expected = (1, clock.at) if memory.id in injected else (0, None)
            assert (memory.accesses, memory.last_access) == expected
        again = engine.recall("Where is the spare key number 3?", scope)
        assert {engine.memory(hit.memory.id, scope).accesses for hit in again.hits} <= {1, 2}


@pytest.mark.req("A7")
def test_what_was_only_looked_at_is_not_counted(scope: Scope) -> None:
    """Explaining is not injecting, nor is being a candidate."""
    with told(":memory:", FixedClock(START), scope, "exocortex") as engine:
        engine.explain("Where is the spare key?", scope)
        assert {memory.accesses for memory in engine.timeline(scope)} == {0}


@pytest.mark.req("A16.13")
def test_what_was_never_accessed_ages_from_its_creation(scope: Scope) -> None:
    """And from its last access once there is one."""
    clock = FixedClock(START)
    with told(":memory:", clock, scope, "exocortex") as engine:
        memory = engine.admin.formed(scope)[0]
        assert age_s(memory, START + timedelta(hours=3)) == 3 * 3600 - 60
        clock.at = START + timedelta(hours=2)
        engine.admin.revive(memory.id, scope)
        assert age_s(engine.memory(memory.id, scope), START + timedelta(hours=3)) == 3600


@pytest.mark.req("C2")
def test_openclaw_counts_from_one(scope: Scope) -> None:
    """Storing is the first access; a recall that hands it over is the next, and moves its time."""
    clock = FixedClock(START)
    with told(":memory:", clock, scope, "openclaw") as engine:
        stored = {memory.id: memory for memory in engine.admin.formed(scope)}
        assert all(memory.accesses >= 1 and memory.last_access is not None for memory in stored.values())
        clock.at += timedelta(minutes=5)
        answer = engine.recall(SAID[-1], scope)
        formed = [hit.memory.id for hit in answer.hits if hit.memory.id in stored]
        assert formed
        for name in formed:
            after = engine.memory(name, scope)
            assert (after.accesses, after.last_access) == (stored[name].accesses + 1, clock.at)


@pytest.mark.req("A10", "A16.22")
def test_links_are_drawn_in_maintenance_alone(scope: Scope) -> None:
    """Neither hearing nor recalling draws one; the cycle does, both ways."""
    clock = FixedClock(START)
    with told(":memory:", clock, scope, "exocortex") as engine:
        engine.recall("Where is the spare key number 3?", scope)
        assert engine.admin.relations(scope) == []
        clock.at += timedelta(hours=1)
        engine.dream(scope)
        drawn = {(edge.source, edge.target) for edge in engine.admin.relations(scope)}
        assert drawn
        assert drawn == {(target, source) for source, target in drawn}
