"""Keep the dream lossless: a memory may replace another only if it holds all that the other says.

In: the outcome of a step. Out: the outcome without violations, and a note on each memory that is kept. This check runs
on every step's outcome before anything is written; ``breaches`` searches the journal for violations. A person's
correction is not checked: it says itself what it replaces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from reverie.consolidate.snapshot import Outcome
from reverie.events import Action, Change, Changed, Event, FieldChange, changed, folded
from reverie.language.digest import lost
from reverie.language.text.coverage import lacks
from reverie.ports import Store
from reverie.types import RECALLED_STATES, Memory, RelationKind, Scope

Known: TypeAlias = Callable[[str], Memory | None]
"""Lookup of a memory by id, as it is before the step; None if there is none."""
DIGEST = "digest"
"""The first tag of a digest that a dream made."""
TOLD_MAX = 3
"""Largest number of lost items named in a message."""


def left_out(heir: Memory, memory: Memory) -> tuple[str, ...]:
    """Return what would be lost if ``heir`` replaced ``memory``; empty if nothing."""
    if heir.speaker != memory.speaker:
        return ("whose words they are",)
    same_day = heir.at.date() == memory.at.date()
    if lacking := lacks(heir.text, memory.text, same_day=same_day):
        return lost(heir.text, memory.text, same_day=same_day) if is_digest(heir) else lacking
    return ()


def is_digest(memory: Memory) -> bool:
    """Whether a dream made this memory as a digest, whose statements leave out words without content."""
    return memory.is_dreamt and DIGEST in memory.standing.tags[:1]


def lawful(outcome: Outcome, known: Known, now: datetime, resting: Callable[[str], Iterable[Memory]]) -> Outcome:
    """Return the outcome without changes that would lose something, and without the edges that belong to them.

    ``resting`` returns the memories that a memory replaces: it must not be reworded to say less.
    """
    heirs = _heirs(outcome, known)
    places = [place for place, change in enumerate(outcome.changes) if heirs[place] or change.rewords]
    if not places:
        return outcome
    court = _Court(outcome, known, now, resting)
    judged = {place: court.objection(outcome.changes[place], heirs[place]) for place in places}
    refused = {place: why for place, why in judged.items() if why}
    if not refused:
        return outcome
    left = _without(outcome, refused, heirs)
    return lawful(left, known, now, resting)  # a memory that stays open must itself hold what it replaces


def _without(outcome: Outcome, refused: Mapping[int, str], heirs: Sequence[str]) -> Outcome:
    """Return the outcome without the refused changes (index → reason) and their edges."""
    pairs = {frozenset((outcome.changes[place].memory, heirs[place])) for place in refused}
    notes = tuple(f"kept {outcome.changes[place].memory}: {why}" for place, why in refused.items())
    return replace(
        outcome,
        changes=[change for place, change in enumerate(outcome.changes) if place not in refused],
        related=[edge for edge in outcome.related if frozenset((edge.source, edge.target)) not in pairs],
        notes=(*outcome.notes, *notes),
    )


def _heirs(outcome: Outcome, known: Known) -> list[str]:
    """Return for each change the id of the memory that replaces the changed one, or ""."""
    edges = (edge for edge in outcome.related if edge.kind is RelationKind.SUPERSEDES)
    superseding = {edge.target: edge.source for edge in edges}
    return [_heir(change, superseding, known) for change in outcome.changes]


def _heir(change: Change, superseding: Mapping[str, str], known: Known) -> str:
    """Return the replacing memory of a change: from its fields, an edge, or the memory's earlier state; else ""."""
    fields = {field.name: field.after for field in change.fields}
    named = fields.get("superseded_by") or superseding.get(change.memory, "")
    if named or "state" not in fields:
        return str(named)
    memory = known(change.memory)
    return "" if memory is None else memory.standing.superseded_by


class _Court:
    """Checks the changes of one outcome against the memories as they are after it."""

    def __init__(
        self, outcome: Outcome, known: Known, now: datetime, resting: Callable[[str], Iterable[Memory]]
    ) -> None:
        self._made: Mapping[str, Memory] = {memory.id: memory for memory in outcome.formed}
        self._known = known
        self._now = now
        self._resting = resting
        self._changes: dict[str, list[Change]] = defaultdict(list)
        for change in outcome.changes:
            self._changes[change.memory].append(change)

    def objection(self, change: Change, heir: str) -> str:
        """Return why a change is not allowed; "" if it is."""
        before = self._before(change.memory)
        if before is None:
            return ""
        after = changed(before, change)
        if change.rewords:
            return self._rewording(after)
        if not (_is_closed(before, after, self._now) or before.standing.superseded_by != heir):
            return ""
        return self._succession(before, heir)

    def _before(self, name: str) -> Memory | None:
        return self._made.get(name) or self._known(name)

    def _after(self, name: str) -> Memory | None:
        memory = self._before(name)
        return None if memory is None else folded(memory, self._changes.get(name, ()))

    def _succession(self, memory: Memory, heir: str) -> str:
        """Return why a memory's final replacement is not allowed; "" if it is."""
        last = self._at_last(memory, heir)
        before = None if last is None else self._before(last.id)
        if last is None or before is None or not _is_open(before, self._now):  # may be dormant only now
            return f"{heir} is not recalled itself"
        if last.valid_until is not None and (memory.valid_until is None or last.valid_until < memory.valid_until):
            return f"{last.id} holds for a shorter time"
        return _told(last, left_out(last, memory))

    def _at_last(self, memory: Memory, heir: str) -> Memory | None:
        """Follow the replacements of a memory to the last one; None if they form a cycle."""
        seen = {memory.id}
        last = self._after(heir)
        while (
            last is not None and last.id not in seen and last.standing.superseded_by and not _is_open(last, self._now)
        ):
            seen.add(last.id)
            last = self._after(last.standing.superseded_by)
        return None if last is None or last.id in seen else last

    def _rewording(self, after: Memory) -> str:
        """Return why a memory may not be reworded so: it replaces others; "" if it may."""
        for one in self._resting(after.id):
            lost = left_out(after, one)
            if lost and not left_out(self._known(after.id) or after, one):
                return f"{one.id} rests in it, " + _told(after, lost)
        return ""


def _is_open(memory: Memory, now: datetime) -> bool:
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def _is_closed(before: Memory, after: Memory, now: datetime) -> bool:
    was, stays = (one.standing.state in RECALLED_STATES for one in (before, after))
    return (was and not stays) or (_is_open(before, now) and not _is_open(after, now))


def _told(heir: Memory, lost: Sequence[str]) -> str:
    shown = ", ".join(lost[:TOLD_MAX])
    return f"{heir.id} does not hold {shown}" if lost else ""


@dataclass(frozen=True, slots=True)
class Breach:
    """A memory that a dream replaced by another, and what the other does not say."""

    memory: Memory
    heir: Memory
    cycle: str
    lost: tuple[str, ...]


def breaches(store: Store, scope: Scope) -> Iterator[Breach]:
    """Yield violations in past dreams of a scope: from before this check existed, or from a defect in it.

    If a person reworded the replacing memory since, its text before that is checked.
    """
    merged, reworded = _merged(store.events(scope, actions={Action.CHANGE}))
    names = dict.fromkeys(end for name, (_, _, heir) in merged.items() for end in (name, heir))
    held = {memory.id: memory for memory in store.named(scope, list(names))}
    for name, (seq, cycle, heir) in merged.items():
        memory, other = held.get(name), held.get(heir)
        if memory is not None and other is not None and _rests(memory, heir):
            text = next((before for later, before in reworded[heir] if later > seq), other.text)
            if lost := left_out(replace(other, text=text), memory):
                yield Breach(memory, other, cycle, lost)


def _merged(
    events: Iterable[Event],
) -> tuple[dict[str, tuple[int, str, str]], Mapping[str, list[tuple[int, str]]]]:
    """Collect the memories that dreams replaced (when, which dream, by which) and others reworded (when, from what)."""
    closed: dict[str, tuple[int, str, str]] = {}
    reworded: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for seq, cycle, name, field in _fields(events):
        if field.name == "superseded_by":
            closed[name] = (seq, cycle, str(field.after or ""))
        elif field.name == "text" and not cycle:
            reworded[name].append((seq, str(field.before)))
    return {name: found for name, found in closed.items() if found[1] and found[2]}, reworded


def _rests(memory: Memory, heir: str) -> bool:
    return memory.standing.superseded_by == heir and memory.standing.state not in RECALLED_STATES


def _fields(events: Iterable[Event]) -> Iterator[tuple[int, str, str, FieldChange]]:
    """Yield changed fields: number of the event, id of the dream ("" if none), memory, field."""
    for event in events:
        if isinstance(event.payload, Changed):
            for change in event.payload.changes:
                yield from ((event.seq, event.payload.cycle, change.memory, field) for field in change.fields)


def is_closed_by_dream(memory_id: str, history: Sequence[Event]) -> bool:
    """Whether a dream replaced this memory: decided by the last event that did."""
    named = [
        cycle for _, cycle, name, f in _fields(history) if (name, f.name) == (memory_id, "superseded_by") and f.after
    ]
    return bool(named and named[-1])
