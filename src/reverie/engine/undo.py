"""Undo a dream or a single event by writing events that reverse it; history is never deleted.

A single event that a later one depends on is not undone: the error names the later event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from reverie.consolidate.history import Cycle, cycles, written
from reverie.encode.memory_factory import index
from reverie.encode.notes import correction_in
from reverie.engine.requests import actor
from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    DreamStage,
    Dreamt,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Recorded,
    Related,
    changed,
)
from reverie.ports import Clock, Ids, Store, Transaction
from reverie.types import IndexEntry, Kind, Memory, Relation, RelationKind, Scope

BATCH = 2
"""Events undone in one transaction: about a hundred changes, so that others need not wait."""


@dataclass(frozen=True, slots=True)
class UndoReport:
    """Result of an undo: the numbers of reversed changes, memories and edges; ``left`` says what was not, and why.

    For a single event, ``event`` is its number, and ``cycle`` and ``period`` are empty. ``reworded`` are the ids of
    memories whose earlier text was restored.
    """

    cycle: str
    period: str
    changed: int
    unmade: int
    unrelated: int
    left: tuple[str, ...]
    event: int = 0
    reworded: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        what = f"event {self.event}" if self.event else f"dream {self.cycle} of {self.period}"
        head = f"{what} taken back"
        counts = f"{self.changed} changes, {self.unmade} memories unmade, {self.unrelated} edges"
        nothing = not (self.changed or self.unmade or self.unrelated or self.left or self.event)
        empty = ["  it had changed nothing"] if nothing else []
        return [f"{head}: {counts}", *empty, *(f"  left: {what}" for what in self.left)]


def undo(
    store: Store,
    scope: Scope,
    clock: Clock,
    ids: Ids,
    lock: AbstractContextManager[object],
    cycle: str | None = None,
) -> UndoReport:
    """Undo the newest dream that changed something and is not undone, or the dream ``cycle``.

    If no dream changed anything, the newest one is marked as undone, so that its period can be dreamt again.

    Raises:
        NotFound: there is no such dream in this scope, or none at all.
        Conflict: it was undone already, or content it changed was erased, so that the earlier state is unknown.
    """
    with lock:
        known = cycles(store, scope)
        chosen = _newest(store, scope, known) if cycle is None else _named(known, cycle)
        events = list(written(store, scope, chosen))
        if any(event.payload is None for event in events):
            raise Conflict(
                f"Dream {chosen.id} changed what has since been erased, so it cannot be taken back.",
                "What was erased is gone for good; single memories can be revived by hand.",
            )
        undoing = _DreamUndoing(store, scope, clock, ids, chosen, {memory.id: memory for memory in store.formed(scope)})
        edges = {relation.ends: relation for relation in store.relations(scope)}
    undoing.edges = edges
    events.reverse()
    for start in range(0, len(events), BATCH):
        with lock, store.begin(scope, durable=False) as tx:
            for event in events[start : start + BATCH]:
                undoing.take_back(tx, event)
    with lock, store.begin(scope, durable=True) as tx:
        undoing.append(tx, Action.DREAM, Dreamt(chosen.id, chosen.period, DreamStage.UNDONE))
    return UndoReport(
        chosen.id,
        chosen.period,
        undoing.changed,
        undoing.unmade,
        undoing.unrelated,
        left=tuple(dict.fromkeys(undoing.left)),
        reworded=tuple(dict.fromkeys(undoing.reworded)),
    )


def _newest(store: Store, scope: Scope, known: Sequence[Cycle]) -> Cycle:
    """Return the newest dream not undone that changed something; an empty dream must not hide the one before it."""
    standing = [cycle for cycle in reversed(known) if cycle.stage is not DreamStage.UNDONE]
    if not standing:
        raise NotFound("There is no dream to take back in this scope.", "Dream first.")
    did = (cycle for cycle in standing if any(written(store, scope, cycle)))
    return next(did, standing[0])


def _named(known: Sequence[Cycle], wanted: str) -> Cycle:
    found = next((cycle for cycle in known if cycle.id == wanted), None)
    if found is None:
        raise NotFound(f"There is no dream {wanted!r} in this scope.", "Look it up with `reverie dream list`.")
    if found.stage is DreamStage.UNDONE:
        raise Conflict(f"Dream {wanted!r} was taken back already.", "Name another, or none for the newest.")
    return found


@dataclass(slots=True)
class _DreamUndoing:
    """Reverses a dream's events one by one, and tracks the state of memories and edges meanwhile."""

    store: Store
    scope: Scope
    clock: Clock
    ids: Ids
    cycle: Cycle
    held: dict[str, Memory]
    edges: dict[tuple[str, str, RelationKind], Relation] = field(default_factory=dict)
    changed: int = 0
    unmade: int = 0
    unrelated: int = 0
    left: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)

    def take_back(self, tx: Transaction, event: Event) -> None:
        """Write the event that reverses another."""
        match event.payload:
            case Changed(changes):
                self._restore(tx, changes)
            case Formed(added):
                self._unmake(tx, added)
            case Related(added, removed):
                self._unrelate(tx, added, removed)
            case _:
                pass

    def append(self, tx: Transaction, action: Action, payload: Payload, entries: Sequence[IndexEntry] = ()) -> None:
        """Write an event of the undo."""
        why = f"dream {self.cycle.id} taken back"
        draft = Draft(self.scope, self.clock.now(), actor(self.scope), action, why, payload, self.ids.salt())
        tx.append(draft, entries)

    def _restore(self, tx: Transaction, changes: Sequence[Change]) -> None:
        reverse = tuple(self._reversals(changes))
        if not reverse:
            return
        self.changed += len(reverse)
        reworded = [change.memory for change in reverse if change.rewords]
        self.reworded += reworded
        entries = [index(self.held[name]) for name in reworded]
        self.append(tx, Action.CHANGE, Changed(reverse, self.cycle.id), entries)

    def _reversals(self, changes: Sequence[Change]) -> Iterator[Change]:
        for change in reversed(changes):
            memory = self.held.get(change.memory) or self._episode(change.memory)
            if memory is None:
                self.left.append(f"{change.memory} is gone")
                continue
            fields = tuple(self._fields(memory, change))
            if fields:
                back = Change(memory.id, fields, "taken back")
                self.held[memory.id] = changed(memory, back)
                yield back

    def _episode(self, memory_id: str) -> Memory | None:
        """Return an episode that the dream made dormant: ``held`` has formed memories only."""
        found = self.store.memory(self.scope, memory_id)
        return found if found is not None and found.kind is Kind.EPISODE else None

    def _fields(self, memory: Memory, change: Change) -> Iterator[FieldChange]:
        for one in change.fields:
            stands = field_of(memory, one.name)
            if stands == one.after:
                yield FieldChange(one.name, one.after, one.before)
            elif stands != one.before:  # else an interrupted undo has reversed it already
                self.left.append(f"{one.name} of {memory.id} was changed later")

    def _unmake(self, tx: Transaction, added: Sequence[Memory]) -> None:
        for memory in added:
            stands = self.held.get(memory.id)
            if stands is None:
                continue
            if _is_taken_on(memory, stands):
                self.left.append(f"{memory.id} was changed later")
                continue
            del self.held[memory.id]
            self.unmade += 1
            self.append(tx, Action.FORM, Formed((), (stands,), self.cycle.id))

    def _unrelate(self, tx: Transaction, added: Sequence[Relation], removed: Sequence[Relation]) -> None:
        gone = tuple(relation for relation in added if self.edges.get(relation.ends) == relation)
        back = tuple(relation for relation in removed if relation.ends not in self.edges)
        if gone or back:
            self.unrelated += len(gone) + len(back)
            self.append(tx, Action.RELATE, Related(back, gone, self.cycle.id))
        if len(gone) < len(added):
            left = [relation for relation in added if relation not in gone and relation.ends in self.edges]
            self.left += [f"the edge {one.source} {one.kind} {one.target} was changed later" for one in left]


def field_of(memory: Memory, name: str) -> object:
    """Return the value of a field that a change names, from the memory or from its lifecycle state."""
    return getattr(memory if hasattr(memory, name) else memory.standing, name)


def _is_taken_on(made: Memory, stands: Memory) -> bool:
    """Whether a caller has since reworded, pinned, protected or verified a memory that a dream made."""
    life = stands.standing
    return stands.text != made.text or life.pinned or life.immutable or life.verified


COUNTERS = frozenset({"accesses", "last_access"})
"""Fields that every recall changes: an undo keeps their later values, and reports that."""
_GROUP = 3
"""Number of events of a correction: it forms, changes and relates, in one transaction."""

Planned: TypeAlias = tuple[Action, Payload, tuple[IndexEntry, ...]]


@dataclass(slots=True)
class EventUndoing:
    """Plans the undo of one event; the store must not change until the plan is written."""

    store: Store
    event: Event
    planned: list[Planned] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    changed: int = 0
    unmade: int = 0
    unrelated: int = 0

    def plan(self) -> None:
        """Compute the events that undo the event. Raises InvalidInput or Conflict if it cannot be undone."""
        correction = self._correction()
        if correction is not None:
            self._uncorrect(*correction)
            return
        match self.event.payload:
            case Forgotten():
                self._unforget()
            case Changed(changes, ""):
                self._unchange(changes)
            case Related(added, removed, ""):
                self._unrelate(added, removed, self.event.seq)
            case Recorded() as payload:
                self._unrecord(payload)
            case _:
                self._refuse()

    def report(self) -> UndoReport:
        """Return the report of the undo, as planned."""
        left, reworded = tuple(self.left), tuple(self.reworded)
        return UndoReport("", "", self.changed, self.unmade, self.unrelated, left, self.event.seq, reworded)

    def _refuse(self) -> None:
        seq, payload = self.event.seq, self.event.payload
        if payload is None:
            raise Conflict(f"The content of event {seq} was erased.", "What was erased is gone for good.")
        cycle = payload.cycle if isinstance(payload, Dreamt | Formed | Changed | Related) else ""
        if cycle:
            raise InvalidInput(
                f"Event {seq} belongs to dream {cycle}.", f"Take that back whole: undo(cycle={cycle!r})."
            )
        raise InvalidInput(
            f"A {self.event.action} event cannot be taken back.",
            "Accesses stay counted; what was said or formed can be forgotten or erased.",
        )

    def _unrecord(self, payload: Recorded) -> None:
        held = self.store.records(payload.record.sort, scope=self.event.scope)
        stands = next((one for one in held if one.name == payload.record.name), None)
        if stands != payload.after:
            what = f"The {payload.record.sort} {payload.record.name} was changed after event {self.event.seq}."
            raise Conflict(what, "Take the later change back first.")
        self.planned.append((Action.RECORD, Recorded(payload.after, payload.before), ()))
        self.changed += 1

    def _unforget(self) -> None:
        changes = [self._reopened(event) for event in self._forgotten_together()]
        self._write_changes(tuple(changes))

    def _reopened(self, event: Event) -> Change:
        payload = event.payload
        assert isinstance(payload, Forgotten)
        end = FieldChange("valid_until", payload.before, payload.after)
        return self._reverse(Change(payload.memory, (end,)), event.seq)

    def _forgotten_together(self) -> Iterator[Event]:
        """Yield the event and, if it forgot a message, the next events that forgot what was formed from it alone."""
        yield self.event
        payload, scope = self.event.payload, self.event.scope
        assert isinstance(payload, Forgotten)
        alone = {one.id for one in self.store.made_from(scope, payload.memory) if set(one.sources) == {payload.memory}}
        after = islice(self.store.events(scope, after=self.event.seq), len(alone))
        for number, event in enumerate(after, self.event.seq + 1):
            later = event.payload
            same = (event.seq, event.at, event.why) == (number, self.event.at, self.event.why)
            if not same or not isinstance(later, Forgotten) or later.memory not in alone:
                return
            yield event

    def _unchange(self, changes: Sequence[Change]) -> None:
        self._write_changes(tuple(self._reverse(change, self.event.seq) for change in reversed(changes)))
        for change in changes:
            self._unlink(change)

    def _unlink(self, change: Change) -> None:
        """Remove the supersession that a reversed change records: the newer memory's ``supersedes``, and the edge."""
        newer_id = next((f.after for f in change.fields if f.name == "superseded_by" and f.after), None)
        newer = None if newer_id is None else self.store.memory(self.event.scope, str(newer_id))
        if newer is None:
            return
        if newer.standing.supersedes == change.memory:
            own = Change(newer.id, (FieldChange("supersedes", change.memory, ""),), self._why)
            self.planned.append((Action.CHANGE, Changed((own,)), ()))
            self.changed += 1
        edges = self.store.relations(self.event.scope, [newer.id])
        drawn = (newer.id, change.memory, RelationKind.SUPERSEDES)
        gone = tuple(edge for edge in edges if edge.ends == drawn)
        if gone:
            self.planned.append((Action.RELATE, Related((), gone), ()))
            self.unrelated += len(gone)

    def _reverse(self, change: Change, seq: int) -> Change:
        memory = self.store.memory(self.event.scope, change.memory)
        if memory is None:
            raise Conflict(f"Memory {change.memory} is gone.", "What was erased is gone for good.")
        return Change(memory.id, tuple(self._fields(memory, change, seq)), self._why)

    def _fields(self, memory: Memory, change: Change, seq: int) -> Iterator[FieldChange]:
        for one in change.fields:
            stands = field_of(memory, one.name)
            if stands == one.after:
                yield FieldChange(one.name, one.after, one.before)
            elif one.name in COUNTERS:
                self.left.append(f"{one.name} of {memory.id} moved on")
            else:
                raise self._stands_on(memory.id, one.name, seq)

    def _write_changes(self, changes: tuple[Change, ...]) -> None:
        kept = tuple(change for change in changes if change.fields)
        self.changed += len(kept)
        for change in kept:
            if change.rewords:
                memory = self.store.memory(self.event.scope, change.memory)
                assert memory is not None
                self.reworded.append(change.memory)
                self.planned.append((Action.CHANGE, Changed((change,)), (index(changed(memory, change)),)))
        rest = tuple(change for change in kept if not change.rewords)
        if rest:
            self.planned.append((Action.CHANGE, Changed(rest), ()))

    def _stands_on(self, memory_id: str, name: str, seq: int) -> Conflict:
        """Make the error that names the last event that changed a field after this one."""
        later = [
            e for e in self.store.history(self.event.scope, memory_id) if e.seq > seq and _sets(e, memory_id, name)
        ]
        return self._conflict(f"{name} of {memory_id}", later)

    def _conflict(self, what: str, later: Sequence[Event]) -> Conflict:
        seq = self.event.seq
        if not later:
            return Conflict(f"Event {seq} cannot be taken back: {what} was changed later.", "Look at its history.")
        last = later[-1]
        cycle = last.payload.cycle if isinstance(last.payload, Formed | Changed | Related) else ""
        mend = f"Take back dream {cycle} first." if cycle else f"Take back event {last.seq} first."
        told = f"event {last.seq} ({last.why or last.action}) changed {what} after it"
        return Conflict(f"Event {seq} cannot be taken back: {told}.", mend)

    @property
    def _why(self) -> str:
        return f"event {self.event.seq} taken back"

    def _unrelate(self, added: Sequence[Relation], removed: Sequence[Relation], seq: int) -> None:
        scope = self.event.scope
        ends = list(dict.fromkeys(edge.source for edge in (*added, *removed)))
        held = {edge.ends: edge for edge in self.store.relations(scope, ends)}
        back: list[Relation] = []
        for edge in added:
            if held.get(edge.ends) != edge:
                raise self._drawn_anew(edge, seq)
            before = self._before(edge, seq)
            back += [] if before is None else [before]
        for edge in removed:
            if edge.ends in held or not self._has_ends(edge):
                raise self._drawn_anew(edge, seq)
            back.append(edge)
        self.unrelated += len(added) + len(removed)
        self.planned.append((Action.RELATE, Related(tuple(back), tuple(added)), ()))

    def _before(self, edge: Relation, seq: int) -> Relation | None:
        """Return the earlier edge of the same ends and kind that this edge replaced, if any."""
        found: Relation | None = None
        for event in self.store.history(self.event.scope, edge.source):
            if event.seq >= seq:
                break
            if isinstance(event.payload, Related):
                gone = any(one.ends == edge.ends for one in event.payload.removed)
                drawn = [one for one in event.payload.added if one.ends == edge.ends]
                found = drawn[-1] if drawn else None if gone else found
        return found

    def _has_ends(self, edge: Relation) -> bool:
        return len(self.store.named(self.event.scope, [edge.source, edge.target])) == len({edge.source, edge.target})

    def _drawn_anew(self, edge: Relation, seq: int) -> Conflict:
        later = [
            event
            for event in self.store.history(self.event.scope, edge.source)
            if event.seq > seq and isinstance(event.payload, Related)
            if any(one.ends == edge.ends for one in (*event.payload.added, *event.payload.removed))
        ]
        return self._conflict(f"the edge {edge.source} {edge.kind} {edge.target}", later)

    def _correction(self) -> tuple[Memory, Sequence[Event]] | None:
        """If the event belongs to a correction, return the memory that this made, and its three events."""
        first = max(self.event.seq - _GROUP + 1, 1)
        near = list(islice(self.store.events(self.event.scope, after=first - 1), 2 * _GROUP - 1))
        for start, event in enumerate(near):
            made = correction_in(event.payload)
            group = near[start : start + _GROUP] if made is not None else []
            if made is not None and self.event.seq in [one.seq for one in group] and _is_correction(made, group):
                return made, group
        return None

    def _uncorrect(self, made: Memory, group: Sequence[Event]) -> None:
        scope = self.event.scope
        stands = self.store.memory(scope, made.id)
        if stands is None:
            raise Conflict(f"Memory {made.id} is gone: taken back already, or erased.", "Look at its history.")
        last = group[-1].seq
        later = [event for event in self.store.history(scope, made.id) if event.seq > last and _is_owed(event)]
        if later:
            raise self._conflict(f"memory {made.id}", later)
        changes, edges = group[1].payload, group[2].payload
        assert isinstance(changes, Changed)
        assert isinstance(edges, Related)
        self._unrelate(edges.added, (), last)
        self._write_changes(tuple(self._reverse(change, group[1].seq) for change in reversed(changes.changes)))
        self.planned.append((Action.FORM, Formed((), (stands,)), ()))
        self.unmade += 1


def _is_correction(made: Memory, group: Sequence[Event]) -> bool:
    """Whether three events are those of one correction: form, change, relate."""
    if len(group) < _GROUP or [event.seq for event in group] != list(range(group[0].seq, group[0].seq + _GROUP)):
        return False
    _, closing, linking = (event.payload for event in group)
    if not isinstance(closing, Changed) or not isinstance(linking, Related):
        return False
    closed = any(f.name == "superseded_by" and f.after == made.id for c in closing.changes for f in c.fields)
    return closed and all(edge.source == made.id for edge in linking.added)


def _is_owed(event: Event) -> bool:
    """Whether an event changed a memory in a way that must not be lost with it: no access, no part of a dream."""
    payload = event.payload
    return not isinstance(payload, Recalled) and not getattr(payload, "cycle", "")


def _sets(event: Event, memory_id: str, name: str) -> bool:
    """Whether an event set a field of a memory."""
    match event.payload:
        case Forgotten():
            return name == "valid_until"
        case Changed(changes) | Recalled(_, changes):
            return any(one.name == name for change in changes if change.memory == memory_id for one in change.fields)
        case _:
            return False
