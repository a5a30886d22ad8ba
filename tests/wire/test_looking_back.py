from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.exchange import Skipped
from reverie.types import RelationKind
from reverie.wire.shapes import live_event, shape, touched

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def engine() -> Reverie:
    """An engine in memory."""
    return Reverie.open(":memory:", embedder=None, clock=FixedClock(NOW), ids=RandomIds(seed=1))


def test_every_kind_of_event_is_plain_data(engine: Reverie, scope: Scope) -> None:
    """Whatever happened can be written as JSON, and names the memories it touched."""
    receipt = engine.observe("My sister moved to Izmir in May.", scope)
    other = engine.remember("The key is under the mat.", scope)
    engine.relate(receipt.id, other.id, scope, RelationKind.ELABORATES)
    engine.recall("Where did my sister move?", scope)
    engine.admin.pin(receipt.id, scope)
    engine.admin.pin(receipt.id, scope, pinned=False)
    engine.dream(scope)
    engine.forget(receipt.id, scope)
    engine.admin.erase(other.id, scope, why="asked to")
    events = engine.admin.events(scope)
    assert {str(event.action) for event in events} >= {
        "remember", "form", "relate", "recall", "change", "dream", "forget", "erase"
    }  # fmt: skip # one line
    for event in events:
        shown = json.loads(json.dumps(shape(event)))
        assert (shown["payload"] is None) == (event.payload is None)
        short = json.loads(json.dumps(live_event(event)))
        assert short["memories"] == list(touched(event.payload))
        assert short["scope"]["user"] == scope.user
    assert touched(events[0].payload) == (receipt.id,)
    assert touched(None) == ()


def test_looking_back_is_plain_data(scope: Scope) -> None:
    """Dreams, health, curves and what was taken back, each with what its value holds."""
    clock, ids = FixedClock(NOW), RandomIds(seed=1)
    engine = Reverie.open(":memory:", embedder=None, recipe="v9", clock=clock, ids=ids)
    receipt = engine.observe("My sister moved to Izmir in May.", scope)
    engine.dream(scope)
    [dream] = engine.admin.dreams(scope)
    health = engine.admin.health(scope)
    curve = engine.admin.forgetting_curve(receipt.formed[0], scope, days=3)
    assert shape(dream)["cycle"] == dream.cycle
    assert shape(health)["gated_share"] == health.gated_share
    assert len(shape(curve)["points"]) == len(curve.points)
    undone = shape(engine.undo(scope))
    assert undone["cycle"] == dream.cycle
    json.dumps([shape(dream), shape(health), shape(curve), undone])


def test_moving_is_plain_data(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """What went out and what came in, counted."""
    engine.remember("The key is under the mat.", scope)
    out = io.BytesIO()
    assert engine.transfer.export_journal(out, scope).events == 1
    file = tmp_path / "a.jsonl"
    file.write_bytes(out.getvalue())
    into = Scope("a", "b", "c")
    assert shape(engine.transfer.import_journal(file, into=into))["new"] == 1
    file.write_text('{"text": "Another."}\n')
    assert shape(engine.transfer.import_from(file, into))["new"] == 1
    assert shape(Skipped("line 2", "no text", broken=True))["broken"]
