"""Going back before a step that was interrupted: memories, edges and the step's events in, what it had seen out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from reverie.consolidate.snapshot import Outcome
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


def made_by(events: Iterable[Event]) -> dict[str, Memory]:
    """The memories these events formed, by id, as they were written."""
    added = (one for event in events if isinstance(event.payload, Formed) for one in event.payload.added)
    return {memory.id: memory for memory in added}


def unwanted(outcome: Outcome, made: Mapping[str, Memory], done: frozenset[Mark]) -> list[Memory]:
    """What an interrupted step formed and, worked out anew, would not: somebody changed a member meanwhile.

    What an edge or a change of the step names already is kept.
    """
    named = {end for mark in done if len(mark) == 3 for end in mark[:2]}
    wanted = {memory.id for memory in outcome.formed} | named
    return [memory for name, memory in made.items() if name not in wanted]


def as_made(outcome: Outcome, made: Mapping[str, Memory]) -> Outcome:
    """The outcome, its memories as they were written before the interruption: their words may be a model's."""
    return replace(outcome, formed=tuple(made.get(memory.id, memory) for memory in outcome.formed)) if made else outcome


def without(outcome: Outcome, unformed: Sequence[str]) -> Outcome:
    """The outcome without memories that are not formed after all, and without what names them."""
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
