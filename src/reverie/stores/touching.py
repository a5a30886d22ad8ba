"""Whose history an event belongs to: a payload in, the ids of the memories it touches out."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.events import Changed, Forgotten, Formed, Payload, Recalled, Related, Remembered


def touched(payload: Payload | None) -> tuple[str, ...]:
    """The memories an event touches, each once, in the order it names them; none for dreams and erasures."""
    return tuple(dict.fromkeys(_named(payload)))


def _named(payload: Payload | None) -> Iterator[str]:
    match payload:
        case Remembered(_, memories):
            yield from (memory.id for memory in memories)
        case Formed(added, removed):
            yield from (memory.id for memory in (*added, *removed))
        case Recalled(memories, changes):
            yield from memories
            yield from (change.memory for change in changes)
        case Changed(changes):
            yield from (change.memory for change in changes)
        case Related(added, removed):
            yield from (end for relation in (*added, *removed) for end in (relation.source, relation.target))
        case Forgotten(memory):
            yield memory
