"""What every store demands of what is handed to it: drafts and index entries in, checked ones out."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.errors import Conflict, InvalidInput
from reverie.types import IndexEntry, Payload, Remembered

NO_ENTRY = IndexEntry(terms=(), words=0)
"""Stands beside a memory that is to be indexed later."""


def entries_for(payload: Payload | None, index: Sequence[IndexEntry]) -> Sequence[IndexEntry]:
    """One entry for each memory of the payload; none at all means: indexed later.

    Raises:
        InvalidInput: there are neither none nor as many as memories, or an entry's vector names no model.
    """
    count = len(payload.memories) if isinstance(payload, Remembered) else 0
    if not index:
        return [NO_ENTRY] * count
    if len(index) != count:
        raise InvalidInput(
            f"{len(index)} index entries stand beside {count} memories.", "Hand in one for each memory, or none."
        )
    if any(entry.vector is not None and entry.model is None for entry in index):
        raise InvalidInput("A vector without its model cannot be stored.", "Name the model in the index entry.")
    return index


def require_storable(payload: Payload | None) -> None:
    """Raise InvalidInput if a number in the payload is too large for a file."""
    if isinstance(payload, Remembered):
        for place in (payload.episode.seq, *(memory.seq for memory in payload.memories)):
            if not -(2**63) <= place < 2**63:
                raise InvalidInput(f"No session has a place {place}.", "Count a session's messages from 0.")


def taken(what: str, name: str) -> Conflict:
    """The error for an id that is there already."""
    return Conflict(f"The {what} {name!r} is there already in this scope.", "Use a fresh id, or look the first one up.")
