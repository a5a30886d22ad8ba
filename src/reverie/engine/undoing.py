"""Undoing a dream: its events, in reverse order, each taken back by an event of its own.

What somebody changed after the dream is theirs: it is left, and told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from reverie.consolidate.cycles import Cycle, cycles, written
from reverie.encode.index import index
from reverie.engine.callers import actor
from reverie.errors import Conflict, NotFound
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    Dreamt,
    Event,
    FieldChange,
    Formed,
    Payload,
    Related,
    Stage,
    changed,
)
from reverie.ports import Clock, Ids, Store, Transaction
from reverie.types import IndexEntry, Kind, Memory, Relation, RelationKind, Scope

BATCH = 2
"""Events taken back in one transaction: a hundred changes, so that others need not wait."""


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What was taken back of a cycle: changes, memories and edges; ``left`` says what was not, and why.

    Where a single event was taken back, ``event`` is its number, and ``cycle`` and ``period`` are empty. ``reworded``
    are the memories whose words went back.
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
        """For people."""
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
    """Take back the newest dream that stands and changed something, or the named one.

    Where none did anything, the newest that did nothing, so that its period can be dreamt anew.

    Raises:
        NotFound: there is no such dream in this scope, or none at all.
        Conflict: it was taken back already, or content it changed was erased, so that nobody knows what was before.
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
        with lock, store.begin(durable=False) as tx:
            for event in events[start : start + BATCH]:
                undoing.take_back(tx, event)
    with lock, store.begin(durable=True) as tx:
        undoing.append(tx, Action.DREAM, Dreamt(chosen.id, chosen.period, Stage.UNDONE))
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
    """The last dream that stands and changed something; one that found nothing to do must not hide the one before."""
    standing = [cycle for cycle in reversed(known) if cycle.stage is not Stage.UNDONE]
    if not standing:
        raise NotFound("There is no dream to take back in this scope.", "Dream first.")
    did = (cycle for cycle in standing if any(written(store, scope, cycle)))
    return next(did, standing[0])


def _named(known: Sequence[Cycle], wanted: str) -> Cycle:
    found = next((cycle for cycle in known if cycle.id == wanted), None)
    if found is None:
        raise NotFound(f"There is no dream {wanted!r} in this scope.", "Look it up with `reverie dreams`.")
    if found.stage is Stage.UNDONE:
        raise Conflict(f"Dream {wanted!r} was taken back already.", "Name another, or none for the newest.")
    return found


@dataclass(slots=True)
class _DreamUndoing:
    """Takes events back one by one; knows how everything stands meanwhile."""

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
        """Write the event that takes another back."""
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
        """Write an event of the undoing."""
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
        """Words that the dream laid to rest: ``held`` has formed memories alone."""
        found = self.store.memory(self.scope, memory_id)
        return found if found is not None and found.kind is Kind.EPISODE else None

    def _fields(self, memory: Memory, change: Change) -> Iterator[FieldChange]:
        for one in change.fields:
            stands = field_of(memory, one.name)
            if stands == one.after:
                yield FieldChange(one.name, one.after, one.before)
            elif stands != one.before:  # else it was taken back by an undoing that was interrupted
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
    """How a field that a change names stands: the memory's own, or its standing's."""
    return getattr(memory if hasattr(memory, name) else memory.standing, name)


def _is_taken_on(made: Memory, stands: Memory) -> bool:
    """Whether somebody made a dream's memory their own: other words, pinned, protected or verified."""
    life = stands.standing
    return stands.text != made.text or life.pinned or life.immutable or life.verified
