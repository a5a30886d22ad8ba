"""This process's state for each of Agent Zero's stores, and file work done in a thread beside the event loop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from reverie.errors import InvalidExport
from reverie.faces.agent_zero.ledger import Book, Ledger, LedgerEntry
from reverie.faces.agent_zero.maintenance import PassOutcome, tags
from reverie.faces.agent_zero.records import (
    CLASSIFICATION,
    DEPRECATED,
    LINEAGE,
    UNCLASSIFIED,
    Metadata,
    accesses,
    deprecate,
    embedded,
    is_knowledge,
    lineage_of,
    moment,
    part,
    related,
    take_back,
    written,
)
from reverie.types import FloatArray

T = TypeVar("T")

_running: set[asyncio.Task[None]] = set()
"""Running tasks; held here because an event loop holds its tasks only weakly."""


def start(work: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    """Run ``work`` in a thread, then ``then`` on the event loop; an error in either goes to ``failed``."""
    keep(asyncio.get_running_loop().create_task(_chore(work, then, failed)))


def keep(task: asyncio.Task[None]) -> None:
    """Keep a reference to a task until it is done."""
    _running.add(task)
    task.add_done_callback(_running.discard)


@cache
def worker() -> ThreadPoolExecutor:
    """Return the single thread in which this process does such work."""
    return ThreadPoolExecutor(1, "memory-chores")


async def settled(first: Callable[[], None] = lambda: None) -> None:
    """Wait until all such work of this loop is done, and what it started; ``first`` ends waits within it."""
    loop = asyncio.get_running_loop()
    while waiting := [task for task in _running if task.get_loop() is loop]:
        first()
        await asyncio.wait(waiting)
        await asyncio.sleep(0)  # done tasks leave the set by a call of their own


async def _chore(work: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    future = asyncio.get_running_loop().run_in_executor(worker(), work)
    try:
        await asyncio.wait({future})
    except asyncio.CancelledError:
        await asyncio.wait({future})
        _end(future, then, failed)
        raise
    _end(future, then, failed)


def _end(future: asyncio.Future[T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    try:
        then(future.result())
    except Exception as error:  # noqa: BLE001 - a host's edge: nothing of ours may break the agent's loop (A13)
        failed(error)


_TEXTS_KEPT = 64
_TRIES = 3
_JUST_NOW = timedelta(seconds=5)
"""A count this recent that is not ours was for the same injection, by another extension of the hook."""


class StoreShelf:
    """State of one store: counters, vectors of recent queries, and whether it must be saved.

    ``book`` are the counters, ``owed`` the passes of maintenance that are due or running.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ledger = Ledger(folder)
        self.book, self._complaint = _opened(self._ledger)
        self._base = self.book.copy()
        self._vectors: OrderedDict[str, FloatArray] = OrderedDict()
        self._tags: dict[str, tuple[str, frozenset[str]]] = {}
        self._told: tuple[tuple[str, ...], ...] = ()
        self.owed = 0
        self._changed = False
        self._due: asyncio.Event | None = None
        self._keeper: asyncio.Task[None] | None = None

    def complaints(self, *kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return what could not be read; each complaint once, until it changes."""
        own, self._complaint = self._complaint, ""
        new = () if kinds == self._told else tuple(one for kind in kinds for one in kind)
        self._told = kinds
        return (own, *new) if own else new

    async def vectors(self, store: Any, texts: Sequence[str]) -> FloatArray:
        """Return (q, d) vectors of texts; recent ones are cached."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, await embedded(store, missing), strict=True))
        rows = np.stack([self._vectors[text] for text in texts])
        for text in texts:
            self._vectors.move_to_end(text)
        while len(self._vectors) > _TEXTS_KEPT:
            self._vectors.popitem(last=False)
        return rows

    def notice(self, docs: Mapping[str, Any], now: datetime) -> None:
        """Note new memories, and restore counts and links to a lineage that was written anew."""
        for name, document in docs.items():
            if is_knowledge(document.metadata):
                continue
            lineage = part(document.metadata, LINEAGE)
            known = self.book.entries.get(name)
            if known is None:
                self.book.entries[name] = self._first(lineage, now)
            elif accesses(lineage) < known.accesses or not set(known.related) <= set(related(lineage)):
                self._give_back(document.metadata, known, now)

    def count(self, name: str, metadata: Metadata, now: datetime) -> None:
        """Count one injection of a memory, in its lineage and in the ledger."""
        lineage = lineage_of(metadata, now)
        known = self.book.entries.get(name) or self._first(lineage, now)
        last, there = moment(lineage.get("last_accessed")), accesses(lineage)
        if there and last != known.last and _is_just(last, now):
            there -= 1
        entry = replace(known, accesses=max(there, known.accesses) + 1, last=now)
        self.book.entries[name] = entry
        lineage["access_count"], lineage["last_accessed"] = entry.accesses, written(now)
        self._changed = True

    def touched(self) -> None:
        """Note that documents' metadata has changed."""
        self._changed = True

    def begin_pass(self, docs: Mapping[str, Any]) -> None:
        """Begin a pass of maintenance: drop what is known of documents that no longer exist."""
        self.book.passes += 1
        for name in self.book.entries.keys() - docs.keys():
            del self.book.entries[name]
        self.book.deprecated = {name: was for name, was in self.book.deprecated.items() if name in docs}
        self.book.flagged = frozenset(pair for pair in self.book.flagged if docs.keys() >= set(pair))

    def carry_out(self, outcome: PassOutcome, docs: Mapping[str, Any], now: datetime) -> None:
        """Write a pass's findings into the documents' metadata; skip documents that no longer exist."""
        for pair in outcome.pairs:
            if {pair.goes, pair.stays} <= docs.keys():
                self.book.deprecated[pair.goes] = _validity(docs[pair.goes].metadata)
                deprecate(docs[pair.goes].metadata, pair.stays, now)
                lineage_of(docs[pair.stays].metadata, now)["supersedes"] = pair.goes
                self._changed = True
        self.book.flagged |= {pair.ids for pair in outcome.pairs if not pair.goes}
        for name in outcome.looked_at or ():
            if name in docs and "related_memory_ids" not in part(docs[name].metadata, LINEAGE):
                lineage_of(docs[name].metadata, now)
                self._changed = True
        if outcome.looked_at is not None:
            self.book.linked_at = self.book.loops
        for name, ids in outcome.related.items():
            if name in docs:
                lineage_of(docs[name].metadata, now)["related_memory_ids"] = list(ids)
                self.book.entries[name] = replace(self.book.entries.get(name, LedgerEntry()), related=ids)
                self._changed = True

    def take_back(self, names: Collection[str], docs: Mapping[str, Any], now: datetime) -> tuple[str, ...]:
        """Undo deprecations and return the ids undone. Their pairs are not deprecated again."""
        done = []
        for name in sorted(names):
            if name not in docs or _validity(docs[name].metadata) != DEPRECATED:
                continue
            was = self.book.deprecated.pop(name, UNCLASSIFIED["validity"])
            by = take_back(docs[name].metadata, was, now)
            if by in docs and part(docs[by].metadata, LINEAGE).get("supersedes") == name:
                lineage_of(docs[by].metadata, now)["supersedes"] = None
            if by:
                self.book.flagged |= {(name, by) if name < by else (by, name)}
            done.append(name)
        self._changed = self._changed or bool(done)
        return tuple(done)

    def tags_of(self, name: str, text: str) -> frozenset[str]:
        """Return a memory's topics, cached as long as its text is unchanged."""
        known = self._tags.get(name)
        if known is None or known[0] != text:
            known = self._tags[name] = text, tags(text)
        return known[1]

    def writing(self) -> Callable[[], None]:
        """Return a function that writes the counters as they are now; call it in a thread."""
        mine = self.book.copy()

        def write() -> None:
            base, self._base = self._base, mine
            try:
                self._ledger.write(mine, base)
            except BaseException:
                self._base = base
                raise

        return write

    def save_later(self, memory: Any, failed: Callable[[Exception], None]) -> None:
        """Save the store, if anything changed, when it is released or the loop ends."""
        loop = asyncio.get_running_loop()
        if self._keeper is None or self._keeper.done() or self._keeper.get_loop() is not loop:
            self._due = asyncio.Event()
            self._keeper = loop.create_task(self._keep(self._due, memory, failed))
            keep(self._keeper)

    def release(self) -> None:
        """Save what changed as soon as the loop has time, because the turn has ended."""
        if self._due is not None:
            self._due.set()

    async def _keep(self, due: asyncio.Event, memory: Any, failed: Callable[[Exception], None]) -> None:
        try:
            await due.wait()
        finally:
            try:
                self._save(memory)
            except Exception as error:  # noqa: BLE001 - a host's edge: nothing of ours may break the loop (A13)
                failed(error)

    def _save(self, memory: Any) -> None:
        """Save the metadata; no document is embedded again.

        The host writes its files in place, so an interrupted save is repeated at once.
        """
        for left in reversed(range(_TRIES)):
            if not self._changed:
                return
            self._changed = False
            try:
                memory._save_db()
            except Exception:
                self._changed = True
                if not left:
                    raise

    def _first(self, lineage: Mapping[str, Any], now: datetime) -> LedgerEntry:
        """Make the entry of a memory not seen before, from its lineage."""
        last, there = moment(lineage.get("last_accessed")), accesses(lineage)
        if there and _is_just(last, now):
            there, last = there - 1, None
        return LedgerEntry(there, last, self.book.passes, related(lineage))

    def _give_back(self, metadata: Metadata, known: LedgerEntry, now: datetime) -> None:
        lineage = lineage_of(metadata, now)
        if accesses(lineage) < known.accesses:
            lineage["access_count"] = known.accesses
            if known.last is not None:
                lineage["last_accessed"] = written(known.last)
        lineage["related_memory_ids"] = list(dict.fromkeys([*related(lineage), *known.related]))
        self._changed = True


_shelves: WeakKeyDictionary[Any, StoreShelf] = WeakKeyDictionary()


def shelf(store: Any, folder: Path) -> StoreShelf:
    """Return the state of a store, created on first use."""
    found = _shelves.get(store)
    if found is None:
        found = _shelves[store] = StoreShelf(folder)
    return found


def release_all() -> None:
    """Save what waits for the end of a turn, in every store."""
    for one in list(_shelves.values()):
        one.release()


def _is_just(at: datetime | None, now: datetime) -> bool:
    """Whether another extension of the same hook may have counted the same injection at that time."""
    return at is not None and abs(now - at) < _JUST_NOW


def _validity(metadata: Metadata) -> str:
    said = part(metadata, CLASSIFICATION).get("validity")
    return said if isinstance(said, str) else UNCLASSIFIED["validity"]


def _opened(ledger: Ledger) -> tuple[Book, str]:
    try:
        return ledger.read(), ""
    except InvalidExport:
        return Book(), "its own counters could not be read and begin anew"
