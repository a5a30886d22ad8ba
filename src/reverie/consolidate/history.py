"""Reports on dreams, from the journal: step by step with samples; and resuming an interrupted step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TypeAlias

from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import TOLD, Gathering, Night, Outcome
from reverie.events import (
    Action,
    Change,
    Changed,
    DreamStage,
    Dreamt,
    Event,
    FieldChange,
    Formed,
    Related,
    Value,
    changed,
)
from reverie.ports import Store
from reverie.types import EPOCH, Memory, Relation, RelationKind, Scope

# Dreams in the journal (begun, done, undone), and the events that each one wrote.


WRITTEN = frozenset({Action.FORM, Action.CHANGE, Action.RELATE})
_WHY = "dream"


@dataclass(frozen=True, slots=True)
class Cycle:
    """One dream: its id and period, number and time of the event that began it, and its stage.

    ``ended``: number and time of the event that ended it; None while it is interrupted.
    """

    id: str
    period: str
    seq: int
    at: datetime
    stage: DreamStage
    ended: tuple[int, datetime] | None = None


def cycles(store: Store, scope: Scope) -> list[Cycle]:
    """Return every dream of the scope, in the order in which they began."""
    found: dict[str, Cycle] = {}
    for event in store.events(scope, actions={Action.DREAM}):
        if isinstance(event.payload, Dreamt):
            dreamt = event.payload
            begun = found.setdefault(
                dreamt.cycle, Cycle(dreamt.cycle, dreamt.period, event.seq, event.at, DreamStage.BEGUN)
            )
            ended = begun.ended if dreamt.stage is DreamStage.BEGUN else begun.ended or (event.seq, event.at)
            found[dreamt.cycle] = replace(begun, stage=dreamt.stage, ended=ended)
    return list(found.values())


def written(store: Store, scope: Scope, cycle: Cycle) -> Iterator[Event]:
    """Yield the events that a dream wrote, in order, found by their reason, which survives erasure.

    Events that undid the dream are not included.
    """
    found = store.events(scope, after=cycle.seq, actions=WRITTEN)
    if cycle.ended is not None:
        last = cycle.ended[0]
        found = takewhile(lambda event: event.seq < last, found)
    return (event for event in found if event.why.startswith(f"{_WHY} {cycle.id}: "))


def reason(cycle: str, step: StepName) -> str:
    """Return the reason written into an event of a dream."""
    return f"{_WHY} {cycle}: {step.value}"


def step_of(event: Event) -> StepName:
    """Return the step that wrote an event of a dream."""
    return StepName(event.why.partition(": ")[2])


def by_step(events: Iterable[Event]) -> dict[StepName, list[Event]]:
    """Group a dream's events by the step that wrote them."""
    found: dict[StepName, list[Event]] = {}
    for event in events:
        found.setdefault(step_of(event), []).append(event)
    return found


def period_of(at: datetime, hours: float | None, cycle: str) -> tuple[str, datetime]:
    """Return name and start of the period that contains a time; without ``hours``, each dream is its own period."""
    if hours is None:
        return cycle, at
    start = EPOCH + timedelta(hours=hours) * ((at - EPOCH) // timedelta(hours=hours))
    return start.isoformat(timespec="minutes"), start


# Reports for people: numbers, reasons and samples of each step.


NOTES = 5
TEXT_MAX = 80
WORDS_MAX = 30
"""Longest excerpt of a changed memory's text, and of either side of a change, in characters."""
LINE_MAX = 120
"""Line length from which further fields of a sample are only counted."""
ITEMS_MAX = 3
"""Largest number of added, and of removed, tags, names or sources that are listed."""
_ADDRESS = "entity://"


@dataclass(frozen=True, slots=True)
class StepReport:
    """Report on one step: numbers of changed and formed memories and new edges, reasons, and samples.

    ``left`` counts changes not written because the memory was changed or erased meanwhile; ``took_ms`` is 0 for a past
    dream. ``failed`` says why a failed step did nothing, else "". ``texts``: texts of the samples' memories by id,
    where known.
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
    failed: str = ""
    took_ms: float = field(default=0.0, compare=False)
    texts: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, name: StepName, outcome: Outcome, left: int = 0, took_ms: float = 0.0) -> StepReport:
        """Create the report on an outcome."""
        counted = Counter(change.why for change in outcome.changes)
        return cls(
            name=name,
            changed=len({change.memory for change in outcome.changes}),
            formed=len(outcome.formed),
            related=len(outcome.related),
            reasons=tuple(sorted(counted.items(), key=_frequent)),
            samples=tuple(outcome.changes[:TOLD]),
            made=outcome.formed[:TOLD],
            notes=outcome.notes,
            left=left,
            took_ms=took_ms,
            texts=outcome.texts,
        )

    @classmethod
    def of_failed(cls, name: StepName, why: str, took_ms: float = 0.0) -> StepReport:
        """Create the report on a step that failed and did nothing."""
        return cls(name, 0, 0, 0, (), (), (), (), failed=why, took_ms=took_ms)

    @property
    def done(self) -> int:
        """Total number of changes, formations and edges."""
        return self.changed + self.formed + self.related

    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        if self.failed:
            return [f"{self.name}: failed and did nothing: {_short(self.failed, TEXT_MAX)}"]
        what = [f"{count} {noun}" for count, noun in self._counts() if count]
        head = f"{self.name}: {', '.join(what) or 'nothing to do'}"
        reasons = [f"  {count} × {why}" for why, count in self.reasons[:NOTES]]
        samples = [told for one in self.samples if (told := _told(one, self.texts.get(one.memory, "")))]
        made = [f"  new {memory.id}: {_short(memory.text, TEXT_MAX)}" for memory in self.made]
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


def _told(change: Change, text: str) -> str:
    """Format a change as one line: memory, first words, and changed fields; "" if no field differs visibly.

    Times come last: mostly they only say when a step ran.
    """
    words = _short(text, WORDS_MAX)
    line = f"  {change.memory} “{words}”" if words else f"  {change.memory}"
    fields = [told for one in sorted(change.fields, key=_is_time) if (told := _field(one))]
    for number, told in enumerate(fields):
        if number and len(line) + len(told) > LINE_MAX:
            return f"{line}, and {len(fields) - number} more"
        line += f", {told}" if number else f": {told}"
    return line if fields else ""


def _is_time(one: FieldChange) -> bool:
    return isinstance(one.after or one.before, datetime)


def _field(one: FieldChange) -> str:
    """Format a field with its change; "" if both values read the same."""
    if isinstance(one.before, tuple) and isinstance(one.after, tuple):
        told = _sides(_items(one.before, one.after), _items(one.after, one.before))
    else:
        told = _apart(_value(one.before), _value(one.after))
    return told and f"{one.name} {told}"


def _sides(gone: str, come: str) -> str:
    """Format what was added and removed."""
    return ", ".join(f"{sign} {what}" for sign, what in (("+", come), ("−", gone)) if what)


def _items(those: Sequence[str], others: Sequence[str]) -> str:
    """Format the items that ``others`` lacks: the first few, and the number of the rest."""
    found = [_short(_name(one), WORDS_MAX) for one in dict.fromkeys(those) if one not in others]
    more = len(found) - ITEMS_MAX
    return ", ".join(found[:ITEMS_MAX]) + (f" and {more} more" if more > 0 else "")


def _name(item: str) -> str:
    """Return an entity's address as a name."""
    return item.rpartition("/")[2].replace("-", " ") if item.startswith(_ADDRESS) else item


def _apart(before: str, after: str) -> str:
    """Format before → after; of long texts the part that differs; "" if nothing does."""
    if before == after:
        return ""
    if max(len(before), len(after)) <= WORDS_MAX:
        return f"{before} → {after}"
    was, now = before.split(), after.split()
    start = _alike(was, now)
    end = _alike(was[start:][::-1], now[start:][::-1])
    gone, come = (" ".join(words[start : len(words) - end]) for words in (was, now))
    if not (gone and come):
        return _sides(_short(gone, TEXT_MAX), _short(come, TEXT_MAX))
    same = _alike(gone, come)
    if same >= WORDS_MAX - 1:  # one endless word: leave out the common beginning
        gone, come = f"…{gone[same:]}", f"…{come[same:]}"
    return f"{_short(gone, WORDS_MAX)} → {_short(come, WORDS_MAX)}"


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words, or characters, that two sequences have in common at the start."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (was, now) in enumerate(pairs) if was != now), min(len(one), len(other)))


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return _plain(str(value)) if value is not None and value != "" else "–"


def _plain(text: str) -> str:
    """Return a text as one line, without control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _short(text: str, most: int) -> str:
    line = _plain(text)
    return line if len(line) <= most else line[: most - 1] + "…"


@dataclass(frozen=True, slots=True)
class DreamReport:
    """Report on a whole dream. ``dry_run``: nothing was written; ``resumed``: an interrupted dream was completed.

    ``hot``: ids of the hot tier, most useful first; ``memories``: number of formed memories examined.
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
        """Total number of changes, formations and edges."""
        return sum(step.done for step in self.steps)

    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        how = "would be done" if self.dry_run else "resumed and done" if self.resumed else "done"
        looked = f"{self.memories} formed memories looked at"
        head = f"dream {self.night.cycle} of {self.period}: {looked}, {self.changed} things {how}"
        return [head, *(line for step in self.steps for line in step.lines())]


@dataclass(frozen=True, slots=True)
class Compacted:
    """Report on compaction: the step that finds duplicates, and the bytes freed in the file."""

    report: DreamReport
    freed_bytes: int

    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        return [*self.report.lines(), f"{self.freed_bytes} bytes freed"]


@dataclass(frozen=True, slots=True)
class DreamSummary:
    """Report on a past dream from the journal: when, and per step what changed, why, and samples.

    ``ended`` is None for an interrupted dream. Erased content is missing from the steps.
    """

    cycle: str
    period: str
    at: datetime
    ended: datetime | None
    stage: DreamStage
    steps: tuple[StepReport, ...]

    @property
    def undone(self) -> bool:
        """Whether the dream was undone."""
        return self.stage is DreamStage.UNDONE

    @property
    def changed(self) -> int:
        """Total number of changes, formations and edges."""
        return sum(step.done for step in self.steps)

    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        how = {DreamStage.BEGUN: "interrupted", DreamStage.DONE: "done", DreamStage.UNDONE: "taken back"}[self.stage]
        head = f"dream {self.cycle} of {self.period}, {self.at:%Y-%m-%d %H:%M}: {self.changed} things, {how}"
        return [head, *(line for step in self.steps for line in step.lines())]


# Past dreams, reported from the journal.


def newest(store: Store, scope: Scope, most: int) -> tuple[list[Cycle], int]:
    """Return the last ``most`` dreams of a scope, newest first, and the number of its last erasure event."""
    known = cycles(store, scope)
    erased = max((event.seq for event in store.events(scope, actions={Action.ERASE})), default=0)
    return known[: -most - 1 : -1] if most else [], erased


def retold(store: Store, scope: Scope, cycle: Cycle) -> DreamSummary:
    """Report on a past dream from its events."""
    steps = by_step(written(store, scope, cycle))
    told = tuple(_step(store, scope, name, events) for name, events in steps.items())
    ended = None if cycle.ended is None else cycle.ended[1]
    return DreamSummary(cycle.id, cycle.period, cycle.at, ended, cycle.stage, told)


def _step(store: Store, scope: Scope, name: StepName, events: Sequence[Event]) -> StepReport:
    done = Gathering()
    for event in events:
        match event.payload:
            case Changed(changes):
                done.changes += changes
            case Formed(added):
                done.formed += added
            case Related(added):
                done.related += added
    erased = sum(event.payload is None for event in events)
    if erased:
        done.notes.append(f"{erased} events whose content was erased")
    named = store.named(scope, list(dict.fromkeys(change.memory for change in done.changes[:TOLD])))
    done.texts |= {memory.id: memory.text for memory in named}
    return StepReport.of(name, done.outcome())


# Resuming an interrupted step: restore what it had seen, and skip what it had written.


Mark: TypeAlias = tuple[str, str] | tuple[str, str, RelationKind]
"""Identity of something a step does: a change by memory and reason, a formation by id, an edge by ends and kind."""


def rewound(
    memories: Sequence[Memory], relations: Sequence[Relation], events: Sequence[Event]
) -> tuple[list[Memory], list[Relation]]:
    """Return memories and edges as they were before these events of a dream, given in order."""
    held = {memory.id: memory for memory in memories}
    edges = {relation.ends: relation for relation in relations}
    for event in reversed(events):
        match event.payload:
            case Changed(changes):
                _unchange(held, changes)
            case Formed(added):
                for memory in added:
                    held.pop(memory.id, None)
            case Related(added):
                for relation in added:
                    edges.pop(relation.ends, None)
    return list(held.values()), list(edges.values())


def _unchange(held: dict[str, Memory], changes: Sequence[Change]) -> None:
    for change in reversed(changes):
        if change.memory in held:
            held[change.memory] = changed(held[change.memory], change.reverse(""))


def marks(events: Iterable[Event]) -> frozenset[Mark]:
    """Return what these events have done, as marks."""
    found: set[Mark] = set()
    for event in events:
        match event.payload:
            case Changed(changes):
                found.update((change.memory, change.why) for change in changes)
            case Formed(added):
                found.update((memory.id, "") for memory in added)
            case Related(added):
                found.update(relation.ends for relation in added)
            case _:
                pass
    return frozenset(found)


def made_by(events: Iterable[Event]) -> dict[str, Memory]:
    """Return the memories that these events formed, by id, as they were written."""
    added = (one for event in events if isinstance(event.payload, Formed) for one in event.payload.added)
    return {memory.id: memory for memory in added}


def unwanted(outcome: Outcome, made: Mapping[str, Memory], done: frozenset[Mark]) -> list[Memory]:
    """Return memories an interrupted step formed and its new outcome lacks, because a member has changed since.

    Memories that an edge or a change of the step refers to are not returned.
    """
    named = {end for mark in done if len(mark) == 3 for end in mark[:2]}
    wanted = {memory.id for memory in outcome.formed} | named
    return [memory for name, memory in made.items() if name not in wanted]


def as_made(outcome: Outcome, made: Mapping[str, Memory]) -> Outcome:
    """Replace memories of the outcome by those written before the interruption, whose text may be a model's."""
    return replace(outcome, formed=tuple(made.get(memory.id, memory) for memory in outcome.formed)) if made else outcome


def without(outcome: Outcome, unformed: Sequence[str]) -> Outcome:
    """Remove memories that are not formed after all from an outcome, with everything that refers to them."""
    gone = set(unformed)
    return (
        replace(
            outcome,
            formed=tuple(memory for memory in outcome.formed if memory.id not in gone),
            related=[edge for edge in outcome.related if not {edge.source, edge.target} & gone],
            changes=[one for one in outcome.changes if not any(field.after in gone for field in one.fields)],
        )
        if gone
        else outcome
    )


def left_of(outcome: Outcome, done: frozenset[Mark]) -> Outcome:
    """Return the part of an outcome that is not done yet."""
    if not done:
        return outcome
    return Outcome(
        changes=[change for change in outcome.changes if _mark(change) not in done],
        formed=tuple(memory for memory in outcome.formed if (memory.id, "") not in done),
        related=[relation for relation in outcome.related if relation.ends not in done],
        unrelated=outcome.unrelated,
        texts=outcome.texts,
    )


def _mark(change: Change) -> Mark:
    return change.memory, change.why
