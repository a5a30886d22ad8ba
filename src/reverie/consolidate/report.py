"""What a dream did, to be read: step by step what, how many, why, and samples before → after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from reverie.consolidate.outcome import Outcome
from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import Night
from reverie.events import Change, FieldChange, Stage, Value
from reverie.types import Memory

SAMPLES = 3
NOTES = 5
TEXT_MAX = 80


@dataclass(frozen=True, slots=True)
class StepReport:
    """One step: how many memories it changed and formed, how many edges it drew, why, and a few of each.

    ``left`` counts changes that were not written because somebody else changed the memory meanwhile; ``took_ms`` is 0
    where a past dream is retold.
    """

    name: StepName
    changed: int
    formed: int
    related: int
    reasons: tuple[tuple[str, int], ...]
    samples: tuple[Change, ...]
    made: tuple[Memory, ...]
    notes: tuple[str, ...]
    left: int = 0
    took_ms: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, name: StepName, outcome: Outcome, left: int = 0, took_ms: float = 0.0) -> StepReport:
        """The report on an outcome."""
        counted = Counter(change.why for change in outcome.changes)
        return cls(
            name=name,
            changed=len({change.memory for change in outcome.changes}),
            formed=len(outcome.formed),
            related=len(outcome.related),
            reasons=tuple(sorted(counted.items(), key=_frequent)),
            samples=tuple(outcome.changes[:SAMPLES]),
            made=outcome.formed[:SAMPLES],
            notes=outcome.notes,
            left=left,
            took_ms=took_ms,
        )

    def lines(self) -> list[str]:
        """For people."""
        what = [f"{count} {noun}" for count, noun in self._counts() if count]
        head = f"{self.name}: {', '.join(what) or 'nothing to do'}"
        reasons = [f"  {count} × {why}" for why, count in self.reasons[:NOTES]]
        samples = [f"  {change.memory}: {told}" for change in self.samples if (told := _told(change))]
        made = [f"  new {memory.id}: {_short(memory.text)}" for memory in self.made]
        more = len(self.notes) - NOTES
        notes = [f"  {note}" for note in self.notes[:NOTES]] + ([f"  … and {more} more"] if more > 0 else [])
        return [head, *reasons, *samples, *made, *notes]

    def _counts(self) -> Sequence[tuple[int, str]]:
        return (
            (self.changed, "changed"),
            (self.formed, "formed"),
            (self.related, "linked"),
            (self.left, "left, changed meanwhile"),
        )


def _frequent(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _told(change: Change) -> str:
    """The fields as they changed, but for numbers that read as before; "" where nothing is left to tell."""
    return ", ".join(_field(one) for one in change.fields if not _reads_alike(one))


def _reads_alike(one: FieldChange) -> bool:
    return isinstance(one.before, float) and _value(one.before) == _value(one.after)


def _field(one: FieldChange) -> str:
    return f"{one.name} {_value(one.before)} → {_value(one.after)}"


def _value(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return "–" if value is None else _short(str(value))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TEXT_MAX else line[: TEXT_MAX - 1] + "…"


@dataclass(frozen=True, slots=True)
class DreamReport:
    """A whole dream. ``dry_run``: nothing was written; ``resumed``: an interrupted cycle was brought to its end.

    ``hot`` are the ids of the hot tier, most useful first; ``memories`` how many formed ones were looked at.
    """

    night: Night
    period: str
    memories: int
    steps: tuple[StepReport, ...]
    hot: tuple[str, ...] = ()
    dry_run: bool = False
    resumed: bool = False

    @property
    def changed(self) -> int:
        """Changes, formations and edges in all."""
        return sum(step.changed + step.formed + step.related for step in self.steps)

    def lines(self) -> list[str]:
        """For people."""
        how = "would be done" if self.dry_run else "resumed and done" if self.resumed else "done"
        looked = f"{self.memories} formed memories looked at"
        head = f"dream {self.night.cycle} of {self.period}: {looked}, {self.changed} things {how}"
        return [head, *(line for step in self.steps for line in step.lines())]


@dataclass(frozen=True, slots=True)
class DreamSummary:
    """A past dream as the journal tells it: when, and step by step what it changed, why, and samples before → after.

    ``ended`` None: it was interrupted. What was erased since is missing from the steps.
    """

    cycle: str
    period: str
    at: datetime
    ended: datetime | None
    stage: Stage
    steps: tuple[StepReport, ...]

    @property
    def undone(self) -> bool:
        """Whether it was taken back."""
        return self.stage is Stage.UNDONE

    @property
    def changed(self) -> int:
        """Changes, formations and edges in all."""
        return sum(step.changed + step.formed + step.related for step in self.steps)

    def lines(self) -> list[str]:
        """For people."""
        how = {Stage.BEGUN: "interrupted", Stage.DONE: "done", Stage.UNDONE: "taken back"}[self.stage]
        head = f"dream {self.cycle} of {self.period}, {self.at:%Y-%m-%d %H:%M}: {self.changed} things, {how}"
        return [head, *(line for step in self.steps for line in step.lines())]
