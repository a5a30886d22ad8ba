"""Replaying: a journal, told again from its first event, gives the same store."""

from __future__ import annotations

from collections.abc import Callable

from reverie.encode.index import index
from reverie.errors import Conflict, StoreCorrupt
from reverie.events import Change, Changed, Event, Formed, Payload, Remembered, changed
from reverie.language import analyzer
from reverie.ports import Store
from reverie.types import IndexEntry, Scope

BATCH = 500


def replay(source: Store, target: Store, progress: Callable[[int], None] | None = None) -> str:
    """Tell the journal of ``source`` to the empty ``target``; the target's digest.

    Vectors are not in the journal; they are made anew from the texts (see ``catch_up``).

    Raises:
        Conflict: the target holds something already.
        StoreCorrupt: the chain is broken at some event, or some cannot be read.
    """
    if target.head()[0]:
        raise Conflict("The target of a replay holds a journal already.", "Choose a path where nothing is yet.")
    last = source.head()[0]
    target.reindex(analyzer.version(), iter(()))
    batch: list[Event] = []
    for event in source.events():
        batch.append(event)
        if len(batch) == BATCH:
            tell(target, batch, progress)
            batch = []
    tell(target, batch, progress)
    if target.head()[0] < last:
        raise StoreCorrupt(f"Of {last} events only {target.head()[0]} can be read.", "Restore the last backup.")
    return target.digest()


def tell(target: Store, batch: list[Event], progress: Callable[[int], None] | None) -> None:
    """Adopt events that continue the target's journal, in one transaction."""
    with target.begin(durable=True) as tx:
        for event in batch:
            tx.adopt(event, index_of(target, event.scope, event.payload))
    if progress and batch:
        progress(len(batch))


def index_of(target: Store, scope: Scope, payload: Payload | None) -> tuple[IndexEntry, ...]:
    """The index entries an event's payload calls for; a memory that is reworded is the target's, with its new words."""
    match payload:
        case Remembered():
            return tuple(index(memory) for memory in payload.memories)
        case Formed():
            return tuple(index(memory) for memory in payload.added)
        case Changed():
            return tuple(_reworded(target, scope, change) for change in payload.changes if change.rewords)
    return ()


def _reworded(target: Store, scope: Scope, change: Change) -> IndexEntry:
    memory = target.memory(scope, change.memory)
    return IndexEntry((), 0) if memory is None else index(changed(memory, change))
