"""What every store demands of what is handed to it: drafts and index entries in, checked ones out.

And whose history an event belongs to: the ids of the memories that a payload affects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from reverie.errors import Conflict, InvalidInput
from reverie.events import Changed, Forgotten, Formed, Payload, Recalled, Related, Remembered
from reverie.types import IndexEntry

# Whose history an event belongs to: a payload in, the ids of the memories it touches out.


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
            for relation in (*added, *removed):
                yield from (relation.source, relation.target)
        case Forgotten(memory):
            yield memory


# What every store demands of what is handed to it: drafts and index entries in, checked ones out.


NO_ENTRY = IndexEntry(terms=(), words=0)
"""Stands beside a memory that is to be indexed later."""


def entries_for(payload: Payload | None, index: Sequence[IndexEntry]) -> Sequence[IndexEntry]:
    """One entry for each memory of the payload; none at all means: indexed later.

    Raises:
        InvalidInput: there are neither none nor as many as memories, or an entry's vector names no model.
    """
    count = indexed(payload)
    if not index:
        return [NO_ENTRY] * count
    if len(index) != count:
        raise InvalidInput(
            f"{len(index)} index entries stand beside {count} memories.", "Hand in one for each memory, or none."
        )
    if any(entry.vector is not None and entry.model is None for entry in index):
        raise InvalidInput("A vector without its model cannot be stored.", "Name the model in the index entry.")
    return index


def indexed(payload: Payload | None) -> int:
    """How many index entries stand beside a payload: one for each memory that comes or is reworded."""
    match payload:
        case Remembered():
            return len(payload.memories)
        case Formed():
            return len(payload.added)
        case Changed():
            return sum(change.rewords for change in payload.changes)
    return 0


def require_storable(payload: Payload | None) -> None:
    """Raise InvalidInput if a number in the payload is too large for a file, or is none."""
    match payload:
        case Remembered():
            _require_places(payload.episode.seq, *(memory.seq for memory in payload.memories))
        case Formed():
            _require_places(*(memory.seq for memory in payload.added))
        case Changed() | Recalled():
            values = (field.after for change in payload.changes for field in change.fields)
            if any(isinstance(value, float) and not isfinite(value) for value in values):
                raise InvalidInput("A field would become no number.", "Give finite numbers.")


def _require_places(*places: int) -> None:
    for place in places:
        if not -(2**63) <= place < 2**63:
            raise InvalidInput(f"No session has a place {place}.", "Count a session's messages from 0.")


def taken(what: str, name: str) -> Conflict:
    """The error for an id that is there already."""
    return Conflict(f"The {what} {name!r} is there already in this scope.", "Use a fresh id, or look the first one up.")
