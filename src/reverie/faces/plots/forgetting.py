"""The forgetting curve of a memory: in, the memory, its journal and the recipe's law; out, the curve with its accesses.

Each access sets retention back to 1; whatever changed the stability in between changes how fast it falls from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from reverie.consolidate.settings import Curve, DreamSettings, FadingLaw
from reverie.errors import InvalidInput
from reverie.events import Change, Changed, Formed, Recalled
from reverie.faces.plots.canvas import COLOURS, GREY, drawing, label
from reverie.formulas import retention_exponential, retention_fsrs6, retention_power
from reverie.formulas.arrays import Floats, Values
from reverie.types import Tier

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reverie.events import Event
    from reverie.types import Memory

_DAY_S = 86_400.0
_POINTS = 400
_EBBINGHAUS = FadingLaw(Curve.EXPONENTIAL, episodic=1.0, semantic=1.0, rare_share=0.0, rare_factor=1.0)
_RETENTION: dict[Curve, Callable[[Values, Values], Floats]] = {
    Curve.POWER: retention_power.retention,
    Curve.EXPONENTIAL: retention_exponential.retention,
    Curve.FSRS6: retention_fsrs6.retention,
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which nothing happened to a memory: from when on, days since the last access then, its stability."""

    start: datetime
    accessed: datetime
    stability_days: float


@dataclass(frozen=True, slots=True)
class Life:
    """What a memory went through: the stretches in order, and its accesses."""

    stretches: tuple[Stretch, ...]
    accesses: tuple[datetime, ...]


def law_of(name: str, settings: DreamSettings) -> FadingLaw:
    """The forgetting curve of a recipe. Raises InvalidInput for one that has none."""
    for step in (settings.tier_decay, settings.rehearsal, settings.forgetting):
        if step is not None:
            return step.law
    if settings.falling is not None:
        return _EBBINGHAUS
    raise InvalidInput(f"The recipe {name} has no forgetting curve.", "Try --recipe reverie, v9 or openclaw.")


def life_of(memory_id: str, events: Iterable[Event], law: FadingLaw) -> Life:
    """A memory's life by the journal. Without stretches where the journal never formed it."""
    walk: _Walk | None = None
    stretches: list[Stretch] = []
    for event in events:
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
    """How a memory stands while its journal is read."""

    stability_days: float
    tier: Tier
    accessed: datetime
    accesses: list[datetime]

    def take(self, name: str, value: object) -> None:
        """Take in what a field became."""
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
    """The fields of a memory that an event set; a recall sets the last access."""
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
    """Days since the memory was formed, and its retention then, up to ``until``; (n,) each."""
    begin = life.stretches[0].start
    ends = [*(stretch.start for stretch in life.stretches[1:]), until]
    share = max((until - begin).total_seconds(), 1.0)
    days, left = [], []
    for stretch, end in zip(life.stretches, ends, strict=True):
        span = max((end - stretch.start).total_seconds(), 0.0)
        at = np.linspace(0.0, span, max(2, round(_POINTS * span / share)))
        before = (stretch.start - stretch.accessed).total_seconds()
        days.append((at + (stretch.start - begin).total_seconds()) / _DAY_S)
        left.append(_RETENTION[law.curve]((at + before) / _DAY_S, stretch.stability_days))
    return np.concatenate(days), np.concatenate(left)


def draw(memory: Memory, life: Life, law: FadingLaw, now: datetime, ahead_days: float) -> Figure:
    """The picture: the curve so far, its accesses, and how it goes on if nobody asks for the memory."""
    begin = life.stretches[0].start
    lived = (now - begin).total_seconds() / _DAY_S
    days, left = curve(life, law, now + timedelta(days=ahead_days))
    with drawing(8.0, 4.2) as (figure, axes):
        past = days <= lived
        axes.plot(days[past], left[past], color=COLOURS[0], linewidth=1.8, label="retention")
        axes.plot(days[~past], left[~past], color=COLOURS[0], linewidth=1.4, linestyle="--", label="if not recalled")
        at = np.array([(access - begin).total_seconds() / _DAY_S for access in life.accesses])
        axes.plot(at, np.ones_like(at), "v", color=COLOURS[5], markersize=6, label=f"{len(at)} accesses", clip_on=False)
        axes.axvline(lived, color=GREY, linewidth=0.8)
        side = "left" if lived < days[-1] / 2.0 else "right"
        axes.text(lived, 1.06, f" now: {np.interp(lived, days, left):.2f} ", ha=side, color=GREY)
        axes.set_xlabel(f"days since it was formed ({begin:%Y-%m-%d})")
        axes.set_ylabel(f"retention ({law.curve} curve)")
        axes.set_ylim(0.0, 1.02)
        axes.set_xlim(0.0, max(float(days[-1]), 1e-6))
        axes.set_title(f"How “{label(memory.text, 56)}” fades", loc="left", pad=20)
        axes.legend(frameon=False, loc="best")
    return figure
