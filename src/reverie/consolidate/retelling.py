"""Past dreams retold from the journal: a store and a scope in, what each dream did step by step out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reverie.consolidate.cycles import Cycle, by_step, cycles, written
from reverie.consolidate.outcome import TOLD, Outcome
from reverie.consolidate.report import DreamSummary, StepReport
from reverie.consolidate.settings import StepName
from reverie.events import Action, Changed, Event, Formed, Related
from reverie.ports import Store
from reverie.types import Scope


def newest(store: Store, scope: Scope, most: int) -> tuple[list[Cycle], int]:
    """The last dreams of a scope, the newest first, and the number of its last erasure."""
    known = cycles(store, scope)
    erased = max((event.seq for event in store.events(scope, actions={Action.ERASE})), default=0)
    return known[: -most - 1 : -1] if most else [], erased


def retold(store: Store, scope: Scope, cycle: Cycle) -> DreamSummary:
    """One dream as its events tell it."""
    steps = by_step(written(store, scope, cycle))
    told = tuple(_step(store, scope, name, events) for name, events in steps.items())
    ended = None if cycle.ended is None else cycle.ended[1]
    return DreamSummary(cycle.id, cycle.period, cycle.at, ended, cycle.stage, told)


def _step(store: Store, scope: Scope, name: StepName, events: Sequence[Event]) -> StepReport:
    payloads = [event.payload for event in events]
    erased = Counter(payload is None for payload in payloads)[True]
    changes = tuple(c for payload in payloads if isinstance(payload, Changed) for c in payload.changes)
    named = store.named(scope, list(dict.fromkeys(change.memory for change in changes[:TOLD])))
    return StepReport.of(
        name,
        Outcome(
            changes=changes,
            formed=tuple(m for payload in payloads if isinstance(payload, Formed) for m in payload.added),
            related=tuple(r for payload in payloads if isinstance(payload, Related) for r in payload.added),
            notes=(f"{erased} events whose content was erased",) if erased else (),
            texts={memory.id: memory.text for memory in named},
        ),
    )
