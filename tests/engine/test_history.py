"""The engine looks back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope, State
from reverie.consolidate.settings import CurveLaw
from reverie.errors import InvalidInput, NotFound
from reverie.events import Action, DreamStage
from tests.engine.conftest import NOW, open_at
from tests.engine.test_correcting import SISTER, taught, use


def test_a_history_tells_how_a_memory_came_to_stand_as_it_does(engine: Reverie, scope: Scope) -> None:
    """Oldest first, accesses included; another scope's memory is not found."""
    _, fact = taught(engine, scope)
    use(engine, scope, fact.id)
    engine.admin.pin(fact.id, scope)
    assert [event.action for event in engine.admin.history(fact.id, scope)] == [
        Action.FORM,
        Action.RECALL,
        Action.CHANGE,
    ]
    with pytest.raises(NotFound):
        engine.admin.history(fact.id, Scope("helper", "grace", "home"))


def test_dreams_are_told_as_they_were_reported(where: str, scope: Scope) -> None:
    """The newest first, with their steps; one taken back says so, and what was erased is no longer quoted."""
    with open_at(where, recipe="v9") as engine:
        for text in (SISTER, "I prefer tea to coffee.", "I prefer coffee to tea in winter."):
            engine.observe(Message(text, at=NOW - timedelta(days=40)), scope, deliberate=True)
        assert engine.admin.dreams(scope) == []
        reports = []
        for night in range(2):
            engine._context.clock.now = lambda night=night: NOW + timedelta(days=60 * night)  # type: ignore[misc]  # nights pass
            reports.append(engine.dream(scope))
        told = engine.admin.dreams(scope)
        assert [one.cycle for one in told] == [report.night.cycle for report in reversed(reports)]
        for one, report in zip(told, reversed(reports), strict=True):
            assert (one.at, one.stage, one.undone) == (report.night.at, DreamStage.DONE, False)
            did = {
                s.name: (s.changed, s.formed, s.related, s.reasons)
                for s in report.steps
                if s.changed + s.formed + s.related
            }
            assert {s.name: (s.changed, s.formed, s.related, s.reasons) for s in one.steps} == did
            assert one.changed == report.changed
        assert any(one.changed for one in told)
        assert engine.admin.dreams(scope) == told
        assert engine.admin.dreams(scope, limit=1) == told[:1]
        assert engine.admin.dreams(scope, limit=0) == []
        engine.undo(scope)
        assert [one.undone for one in engine.admin.dreams(scope)] == [True, False]
        assert "taken back" in engine.admin.dreams(scope)[0].lines()[0]
        with pytest.raises(InvalidInput, match="limit"):
            engine.admin.dreams(scope, limit=-1)


def test_health_tells_how_the_scope_is_doing(engine: Reverie, scope: Scope) -> None:
    """What was gated and what was superseded, at the clock's time."""
    _, fact = taught(engine, scope)
    engine.observe("ok", scope)
    engine.correct(fact.id, "My sister lives in Bursa.", scope)
    found = engine.admin.health(scope)
    assert (found.scope, found.at) == (scope, NOW)
    assert (found.observed, found.gated, found.gated_share) == (2, 1, 0.5)
    assert (found.superseded, found.outdated, found.stale) == (1, 1, 2)
    assert dict(found.states)[State.ACTIVE] == found.memories - 1


def test_the_forgetting_curve_is_the_recipes(where: str, scope: Scope) -> None:
    """From formation to the days ahead, with its accesses; an episode has none."""
    with open_at(where, recipe="v9") as engine:
        said, fact = taught(engine, scope)
        use(engine, scope, fact.id)
        curve = engine.admin.forgetting_curve(fact.id, scope, days=10)
        assert curve.law == CurveLaw.POWER
        assert curve.accesses == (NOW,)
        assert curve.points[-1].at - NOW == timedelta(days=10)
        assert curve.now == 1.0
        assert curve.points[-1].retrievability < 1.0
        assert engine.admin.forgetting_curve(said, scope).points == ()
        with pytest.raises(NotFound):
            engine.admin.forgetting_curve("nobody", scope)
        for days in (-1, float("nan"), 1e9):
            with pytest.raises(InvalidInput, match="days"):
                engine.admin.forgetting_curve(fact.id, scope, days=days)


def test_by_default_no_memory_has_a_curve(engine: Reverie, scope: Scope) -> None:
    """Which recipes have one is said; what is not there is not found, whatever the recipe."""
    _, fact = taught(engine, scope)
    with pytest.raises(InvalidInput, match="In the recipe reverie no memory fades by a curve") as found:
        engine.admin.forgetting_curve(fact.id, scope)
    assert "v9 and openclaw" in found.value.mend
    with pytest.raises(NotFound):
        engine.admin.forgetting_curve("nobody", scope)


def test_a_reader_of_the_journal_needs_no_model(where: str, scope: Scope) -> None:
    """History, dreams and health are told by text alone."""
    with open_at(where, None) as engine:
        said = engine.remember(SISTER, scope).id
        assert len(engine.admin.history(said, scope)) == 1
        assert engine.admin.health(scope).memories == 1


def test_a_memorys_provenance_leads_to_what_was_said(scope: Scope) -> None:
    """A correction, the fact it corrected and the message of that, each with its event."""
    with Reverie.open(
        ":memory:", embedder=None, clock=FixedClock(NOW), ids=RandomIds(seed=1), background=False
    ) as engine:
        said = engine.observe("My sister Zeynep lives in Izmir.", scope)
        fact = said.formed[0]
        right = engine.correct(fact, "My sister Zeynep lives in Ankara.", scope, why="she moved")
        found = engine.admin.provenance(right.id, scope)
        assert [(one.memory.id, one.depth) for one in found] == [(right.id, 0), (fact, 1), (said.id, 2)]
        assert [one.sources for one in found] == [(fact,), (said.id,), ()]
        assert [one.action for one in found] == ["form", "form", "remember"]
        assert found[0].why == f"corrects {fact}"
        assert [one.seq for one in found] == sorted((one.seq for one in found), reverse=True)
        with pytest.raises(NotFound):
            engine.admin.provenance("nobody", scope)
        with pytest.raises(NotFound):
            engine.admin.provenance(right.id, Scope("helper", "grace", "home"))
