from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie.consolidate.history import by_step, cycles, period_of, reason, step_of, written
from reverie.consolidate.settings import StepName
from reverie.events import Action, Changed, DreamStage, Dreamt, Related
from reverie.recipes.published.v9.dream import DREAM
from reverie.stores.ram import RamStore
from tests.stores.making import ADA, Writer, draft


def test_a_cycle_is_as_far_as_its_last_event_says() -> None:
    """Begun, done, taken back; in the order they began."""
    writer = Writer(RamStore())
    for cycle, stage in (("one", "begun"), ("one", "done"), ("two", "begun"), ("one", "undone")):
        writer.event(ADA, Action.DREAM, Dreamt(cycle, "today", DreamStage(stage)))
    found = cycles(writer.store, ADA)
    assert [(one.id, one.stage, one.seq) for one in found] == [
        ("one", DreamStage.UNDONE, 1),
        ("two", DreamStage.BEGUN, 3),
    ]


def test_a_cycles_events_are_told_by_their_reason() -> None:
    """Not those of others, nor those that took it back."""
    store = RamStore()
    with store.begin(durable=True) as tx:
        tx.append(draft(ADA, Action.DREAM, Dreamt("one", "today", DreamStage.BEGUN)))
        for number, why in enumerate(
            (reason("one", StepName.DRIFT), "dream one taken back", reason("two", StepName.DRIFT))
        ):
            made = draft(ADA, Action.CHANGE, Changed((), "one"), number=number)
            tx.append(type(made)(made.scope, made.at, made.actor, made.action, why, made.payload, made.salt))
        made = draft(ADA, Action.RELATE, Related((), (), "one"), number=9)
        why = reason("one", StepName.LINKS)
        tx.append(type(made)(made.scope, made.at, made.actor, made.action, why, made.payload, made.salt))
    (cycle,) = cycles(store, ADA)
    found = list(written(store, ADA, cycle))
    assert [step_of(event) for event in found] == [StepName.DRIFT, StepName.LINKS]
    assert list(by_step(found)) == [StepName.DRIFT, StepName.LINKS]


@pytest.mark.req("D33")
def test_a_period_is_a_day_from_midnight() -> None:
    """Moments of one day have one period; without a period each cycle has its own."""
    night = datetime(2026, 6, 15, 3, tzinfo=UTC)
    name, start = period_of(night, DREAM.period_hours, "cycle")
    assert (name, start) == ("2026-06-15T00:00+00:00", datetime(2026, 6, 15, tzinfo=UTC))
    assert period_of(night + timedelta(hours=20), DREAM.period_hours, "other")[0] == name
    assert period_of(night + timedelta(hours=21), DREAM.period_hours, "other")[0] != name
    assert period_of(night, None, "cycle") == ("cycle", night)
