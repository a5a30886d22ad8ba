"""Checks that every store makes before it writes an event, and which memories an event affects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from reverie.errors import Conflict, InvalidInput
from reverie.events import Changed, Draft, Event, Forgotten, Formed, Payload, Recalled, Related, Remembered
from reverie.types import IndexEntry, Scope


def require_scope(what: Draft | Event, scope: Scope) -> None:
    """Raise InvalidInput unless what is to be written belongs to the scope of the transaction."""
    if what.scope != scope:
        raise InvalidInput(
            f"A transaction in the scope {scope} was given an event of {what.scope}.", "Begin one in that scope."
        )


def touched(payload: Payload | None) -> tuple[str, ...]:
    """Return the ids of the memories an event affects, each once, in its order; none for dreams and erasures."""
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


NO_ENTRY = IndexEntry(terms=(), words=0)
"""The index entry of a memory that is to be indexed later."""


def entries_for(payload: Payload | None, index: Sequence[IndexEntry]) -> Sequence[IndexEntry]:
    """Return one index entry for each memory of the payload; without ``index`` all are to be indexed later.

    Raises:
        InvalidInput: the number of entries is not that of the memories, or an entry has a vector but no model.
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
    """Count the index entries a payload needs: one for each memory that is added or reworded."""
    match payload:
        case Remembered():
            return len(payload.memories)
        case Formed():
            return len(payload.added)
        case Changed():
            return sum(change.rewords for change in payload.changes)
    return 0


def require_storable(payload: Payload | None) -> None:
    """Raise InvalidInput if a sequence number exceeds 64 bits or a changed field would not be a finite number."""
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


def sealed_already(number: int) -> Conflict:
    """Make the error for a seal whose number is taken."""
    return Conflict(f"There is a seal {number} already.", "Another process sealed the store just now; seal again.")


def taken(what: str, name: str) -> Conflict:
    """Make the error for an id that already exists in the scope."""
    return Conflict(f"The {what} {name!r} is there already in this scope.", "Use a fresh id, or look the first one up.")
