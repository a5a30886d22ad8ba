"""Compute a memory's retrievability over its whole life, from its journal and the recipe's forgetting curve.

Each access resets retrievability to 1; changes of stability change how fast it falls from there. Episodes have no
curve: they do not fade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

import numpy as np

from reverie.answers import Curve as Told
from reverie.answers import CurvePoint
from reverie.consolidate.settings import CurveLaw, DreamSettings, FadingLaw
from reverie.errors import InvalidInput
from reverie.events import Change, Changed, Event, Formed, Recalled, apart
from reverie.formulas import retention
from reverie.formulas.arrays import Floats, Values
from reverie.types import Memory, Tier

_DAY_S = 86_400.0
_POINTS = 200
"""Approximate number of points per curve, but at least one per day."""
_EBBINGHAUS = FadingLaw(CurveLaw.EXPONENTIAL, episodic=1.0, semantic=1.0, rare_share=0.0, rare_factor=1.0)
_RETENTION: dict[CurveLaw, Callable[[Values, Values], Floats]] = {
    CurveLaw.POWER: retention.power_retention,
    CurveLaw.EXPONENTIAL: retention.exponential_retention,
    CurveLaw.FSRS6: retention.fsrs6_retention,
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time without events: its start, the last access before it, and the stability."""

    start: datetime
    accessed: datetime
    stability_days: float


@dataclass(frozen=True, slots=True)
class Life:
    """History of a memory: its stretches in order, and the times of its accesses."""

    stretches: tuple[Stretch, ...]
    accesses: tuple[datetime, ...]


def law_of(name: str, settings: DreamSettings) -> FadingLaw:
    """Return the forgetting curve of a recipe. Raises InvalidInput if it has none."""
    for step in (settings.tier_decay, settings.rehearsal, settings.forgetting):
        if step is not None:
            return step.law
    if settings.falling is not None:
        return _EBBINGHAUS
    raise InvalidInput(
        f"In the recipe {name} no memory fades by a curve.", "In v9 and openclaw each does: choose one as `recipe`."
    )


def life_of(memory_id: str, events: Iterable[Event], law: FadingLaw) -> Life:
    """Read a memory's history from its events; without stretches if no event formed it."""
    walk: _Walk | None = None
    stretches: list[Stretch] = []
    for event in apart(events):
        born = _born(event, memory_id)
        if born is not None:
            walk = _Walk(born.standing.stability_days, born.standing.tier, event.at, [])
        if walk is None:
            continue
        for name, value in _fields(event, memory_id):
            walk.take(name, value)
        divided = walk.stability_days / (law.semantic if walk.tier is Tier.SEMANTIC else law.episodic)
        stretch = Stretch(event.at, walk.accessed, divided)
        if not stretches or (stretches[-1].accessed, stretches[-1].stability_days) != (walk.accessed, divided):
            stretches.append(stretch)
    return Life(tuple(stretches), tuple(walk.accesses) if walk else ())


@dataclass(slots=True)
class _Walk:
    """State of a memory while its events are read."""

    stability_days: float
    tier: Tier
    accessed: datetime
    accesses: list[datetime]

    def take(self, name: str, value: object) -> None:
        """Apply the new value of a field."""
        if name == "stability_days" and isinstance(value, float | int):
            self.stability_days = float(value)
        elif name == "tier":
            self.tier = Tier(str(value))
        elif name == "last_access" and isinstance(value, datetime):
            self.accessed = value
            self.accesses.append(value)


def _born(event: Event, memory_id: str) -> Memory | None:
    added = event.payload.added if isinstance(event.payload, Formed) else ()
    return next((memory for memory in added if memory.id == memory_id), None)


def _fields(event: Event, memory_id: str) -> Iterator[tuple[str, object]]:
    """Yield the fields of a memory that an event set; a recall sets the last access."""
    changes: tuple[Change, ...] = ()
    match event.payload:
        case Recalled(memories, changes):
            if memory_id in memories:
                yield "last_access", event.at
        case Changed(changes):
            pass
        case _:
            return
    for change in changes:
        if change.memory == memory_id:
            yield from ((field.name, field.after) for field in change.fields)


def curve(life: Life, law: FadingLaw, until: datetime) -> tuple[Floats, Floats]:
    """Compute days since the memory was formed, and its retrievability then, up to ``until``; (n,) each."""
    begin = life.stretches[0].start
    ends = [*(stretch.start for stretch in life.stretches[1:]), until]
    share = max((until - begin).total_seconds(), 1.0)
    days, left = [], []
    for stretch, end in zip(life.stretches, ends, strict=True):
        span = max((end - stretch.start).total_seconds(), 0.0)
        at = np.linspace(0.0, span, max(2, ceil(span / _DAY_S) + 1, round(_POINTS * span / share)))
        before = (stretch.start - stretch.accessed).total_seconds()
        days.append((at + (stretch.start - begin).total_seconds()) / _DAY_S)
        left.append(_RETENTION[law.curve]((at + before) / _DAY_S, stretch.stability_days))
    return np.concatenate(days), np.concatenate(left)


def told(memory: Memory, events: Iterable[Event], law: FadingLaw, now: datetime, days: float) -> Told:
    """Return a memory's retrievability curve from its formation to ``days`` after now, with its accesses."""
    life = life_of(memory.id, events, law)
    if not life.stretches:
        return Told(memory, law.curve.value, now, None, (), ())
    begin = life.stretches[0].start
    gone, left = curve(life, law, now + timedelta(days=days))
    points = tuple(
        CurvePoint(begin + timedelta(days=day), day, retained)
        for day, retained in zip(gone.tolist(), left.tolist(), strict=True)
    )
    today = float(np.interp((now - begin).total_seconds() / _DAY_S, gone, left))
    return Told(memory, law.curve.value, now, today, points, life.accesses)
