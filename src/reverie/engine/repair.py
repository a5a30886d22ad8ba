"""Repair of a store: replay its journal into a draft, take over its vectors, copy the store, put the draft in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import count, islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from reverie.answers import Fault, Repaired
from reverie.durable import is_there, new_draft, taken
from reverie.engine.context import Context
from reverie.engine.factories import lance_folder, open_beside
from reverie.engine.logs import file_of, note_copy
from reverie.engine.replication import BATCH, adopt_batch
from reverie.errors import InvalidInput, ReverieError, StoreBusy, StoreCorrupt, StoreFull
from reverie.events import Event
from reverie.language.text import analyzer
from reverie.ports import Store, Transaction

ATTEMPTS = 20
"""How often the draft is brought up to date with what others write meanwhile, before a repair gives up."""
_ROOM = "Make room for two more copies of the store, or let `--backup FILE` name a file on another disk."


class Rebuild(Protocol):
    """A draft of a store that can be put in the store's place (``stores.sqlite.repair.Rebuild``)."""

    def keep_vectors(self) -> int:
        """Take over the vectors of unchanged memories; return how many."""

    def differences(self) -> list[str]:
        """Name what the store holds differently from the draft."""

    def put(self) -> bool:
        """Replace the store's content; False if the journal has grown meanwhile."""


@runtime_checkable
class Rebuildable(Protocol):
    """A store in one file, which can be rebuilt from its journal."""

    def alone_in_file(self) -> AbstractContextManager[None]:
        """Lock the whole store against dreams and other repairs."""

    def in_order(self, after: int) -> Iterator[Event]:
        """Yield the events of all scopes after a position in the file, in order of writing."""

    def begin_anywhere(self, *, durable: bool) -> AbstractContextManager[Transaction]:
        """Open a write transaction that is not bound to a scope."""

    def mark(self) -> int:
        """Return the position of the last event."""

    def rebuilding(self, draft: Path) -> AbstractContextManager[Rebuild]:
        """Lay out an empty store in a file, and yield its ``Rebuild``."""


def repair(context: Context, backup: Path | None, progress: Callable[[int], None] | None) -> Repaired:
    """Rebuild the store of a context from its journal; missing vectors are left for the caller to make.

    Raises:
        StoreCorrupt, Conflict, StoreReadOnly, StoreFull, StoreBusy, InvalidInput: as ``Maintenance.repair``.
    """
    store, place = context.store, context.parts.place
    if not isinstance(store, Rebuildable) or lance_folder(place) is not None:
        raise InvalidInput(
            f"{place} has no file of Reverie's own to repair.",
            "Name a store's file. Of OpenClaw's table, `reverie store replay FILE` makes a store anew.",
        )
    copy = backup or _beside(file_of(place), context.clock.now())
    if is_there(copy) or copy.is_symlink():
        raise taken(copy)
    with context.locks.whole, store.alone_in_file():
        found = list(dict.fromkeys(fault.name for fault in store.check() if fault.name != "erasure"))
        try:
            with new_draft(copy) as draft, store.rebuilding(draft) as rebuild:
                return _rebuilt(context, (rebuild, draft, copy), found, progress)
        except StoreFull as error:
            raise StoreFull(f"{error.message} Nothing was changed.", _ROOM) from error


def _rebuilt(
    context: Context, work: tuple[Rebuild, Path, Path], found: list[str], progress: Callable[[int], None] | None
) -> Repaired:
    """Fill the draft and, if the store differs from it, copy the store and put the draft in its place."""
    rebuild, draft, copy = work
    target = open_beside(context.store, draft, create=False)
    try:
        target.reindexed(analyzer.version())
        _follow(context.store, target, progress)
        digest = target.digest()
        kept = rebuild.keep_vectors()
        other = rebuild.differences()
        if not found and not other:
            return Repaired("", (), kept, 0, digest, ())
        note_copy(context.parts.place, copy)
        context.store.backup(copy)
        for _ in range(ATTEMPTS):
            if rebuild.put():
                break
            _follow(context.store, target, progress)
            digest, kept = target.digest(), rebuild.keep_vectors()
        else:
            raise StoreBusy("Others kept writing to the store. Nothing was changed.", "Repair it when less is written.")
    finally:
        target.close()
    faults = _differing(context.store, digest)
    return Repaired(str(copy), tuple(other or found), kept, 0, digest, faults)


def _follow(source: Store, target: Store, progress: Callable[[int], None] | None) -> None:
    """Adopt the events that the draft lacks, in the order in which they lie in the file, which says where it ends."""
    assert isinstance(source, Rebuildable)
    assert isinstance(target, Rebuildable)
    rest = source.in_order(target.mark())
    while batch := list(islice(rest, BATCH)):
        with target.begin_anywhere(durable=True) as tx:
            adopt_batch(tx, target, batch, progress)
    if target.mark() < source.mark():
        raise StoreCorrupt(f"Of {source.mark()} events only {target.mark()} can be read.", "Restore the last backup.")


def _differing(store: Store, digest: str) -> tuple[Fault, ...]:
    """Compare the repaired store's digest with the replay's."""
    try:
        own = store.digest()
    except ReverieError as error:
        own = error.message
    if own == digest:
        return ()
    what = f"After the repair the store's digest is {own}, and that of a replay of the journal {digest}."
    return (Fault("repair-differs", what, "Repair it once more, or use what `reverie store replay` makes."),)


def _beside(store: Path, now: datetime) -> Path:
    """Return an unused path beside the store that says what the copy is and when it was made."""
    name = f"{store.stem}.before-repair-{now:%Y%m%dT%H%M%S}Z"
    names = (f"{name}-{number}" if number else name for number in count())
    return next(path for one in names if not is_there(path := store.with_name(one + store.suffix)))
