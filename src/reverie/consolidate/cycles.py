"""Which dreams there were, read off the journal: begun, done, taken back; and what one of them wrote, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile

from reverie.consolidate.settings import StepName
from reverie.events import Action, Dreamt, Event, Stage
from reverie.ports import Store
from reverie.types import EPOCH, Scope

WRITTEN = frozenset({Action.FORM, Action.CHANGE, Action.RELATE})
_WHY = "dream"


@dataclass(frozen=True, slots=True)
class Cycle:
    """One dream: its id and period, the number and moment of the event it began with, and how far it came.

    ``ended`` are the number and moment of the event it ended with; None while it is interrupted.
    """

    id: str
    period: str
    seq: int
    at: datetime
    stage: Stage
    ended: tuple[int, datetime] | None = None


def cycles(store: Store, scope: Scope) -> list[Cycle]:
    """Every dream of the scope, in the order they began."""
    found: dict[str, Cycle] = {}
    for event in store.events(scope, actions={Action.DREAM}):
        if isinstance(event.payload, Dreamt):
            dreamt = event.payload
            begun = found.setdefault(dreamt.cycle, Cycle(dreamt.cycle, dreamt.period, event.seq, event.at, Stage.BEGUN))
            ended = begun.ended if dreamt.stage is Stage.BEGUN else begun.ended or (event.seq, event.at)
            found[dreamt.cycle] = replace(begun, stage=dreamt.stage, ended=ended)
    return list(found.values())


def written(store: Store, scope: Scope, cycle: Cycle) -> Iterator[Event]:
    """The events a cycle wrote, in order, told by their reason: that stays when content is erased.

    Those that took it back are not among them.
    """
    found = store.events(scope, after=cycle.seq, actions=WRITTEN)
    if cycle.ended is not None:
        last = cycle.ended[0]
        found = takewhile(lambda event: event.seq < last, found)
    return (event for event in found if event.why.startswith(f"{_WHY} {cycle.id}: "))


def reason(cycle: str, step: StepName) -> str:
    """Why an event of a dream was written."""
    return f"{_WHY} {cycle}: {step.value}"


def step_of(event: Event) -> StepName:
    """The step that wrote an event of a dream."""
    return StepName(event.why.partition(": ")[2])


def by_step(events: Iterable[Event]) -> dict[StepName, list[Event]]:
    """A cycle's events by the step that wrote them."""
    found: dict[StepName, list[Event]] = {}
    for event in events:
        found.setdefault(step_of(event), []).append(event)
    return found


def period_of(at: datetime, hours: float | None, cycle: str) -> tuple[str, datetime]:
    """The name of the period a moment lies in, and its beginning; a cycle without one is a period of its own."""
    if hours is None:
        return cycle, at
    start = EPOCH + timedelta(hours=hours) * ((at - EPOCH) // timedelta(hours=hours))
    return start.isoformat(timespec="minutes"), start
