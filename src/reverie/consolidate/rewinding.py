"""Going back before a step that was interrupted: memories, edges and the step's events in, what it had seen out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from reverie.consolidate.outcome import Outcome
from reverie.events import Change, Changed, Event, Formed, Related, changed
from reverie.types import Memory, Relation, RelationKind

Mark: TypeAlias = tuple[str, str] | tuple[str, str, RelationKind]
"""Something a step does: a change by memory and reason, a formation by id, an edge by its ends and kind."""


def rewound(
    memories: Sequence[Memory], relations: Sequence[Relation], events: Sequence[Event]
) -> tuple[list[Memory], list[Relation]]:
    """Memories and edges as they were before these events of a dream, which are in order."""
    held = {memory.id: memory for memory in memories}
    edges = {relation.ends: relation for relation in relations}
    for event in reversed(events):
        match event.payload:
            case Changed(changes):
                _unchange(held, changes)
            case Formed(added):
                held = {name: memory for name, memory in held.items() if name not in {one.id for one in added}}
            case Related(added):
                gone = {relation.ends for relation in added}
                edges = {name: relation for name, relation in edges.items() if name not in gone}
            case _:
                pass
    return list(held.values()), list(edges.values())


def _unchange(held: dict[str, Memory], changes: Sequence[Change]) -> None:
    for change in reversed(changes):
        if change.memory in held:
            held[change.memory] = changed(held[change.memory], change.reverse(""))


def marks(events: Iterable[Event]) -> frozenset[Mark]:
    """What these events have done already."""
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


def left_of(outcome: Outcome, done: frozenset[Mark]) -> Outcome:
    """What of an outcome is still to be done."""
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
