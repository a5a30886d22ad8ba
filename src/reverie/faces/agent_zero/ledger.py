"""Counters kept beside a store of Agent Zero's, to survive restarts and a classifier that resets its own.

They lie in a small JSON file in the store's folder, written atomically under a lock; the counts of several processes
are added up. The file may be deleted: counts are then taken from the documents, and cycles begin anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.durable import replace as put
from reverie.errors import InvalidExport
from reverie.faces.agent_zero.records import moment, written
from reverie.locking import locked

FILE = "reverie.json"
VERSION = 1
_WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One memory: its injections and the last of them, the pass in which it was first seen, and its links."""

    accesses: int = 0
    last: datetime | None = None
    since: int = 0
    related: tuple[str, ...] = ()


@dataclass(slots=True)
class Book:
    """A store's counters.

    Attributes:
        loops: monologues that ended.
        passes: passes of maintenance.
        linked_at: the loop in which memories were linked last.
        entries: by memory id.
        flagged: pairs that were reported to a person, by their ids in order.
        brought: ids in the engine beside the store, by the id of the memory that was copied there.
        deprecated: the earlier validity of memories that a pass deprecated, by id.
    """

    loops: int = 0
    passes: int = 0
    linked_at: int = 0
    entries: dict[str, LedgerEntry] = field(default_factory=dict)
    flagged: frozenset[tuple[str, str]] = frozenset()
    brought: dict[str, str] = field(default_factory=dict)
    deprecated: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Book:
        """Return a copy of the counters."""
        return replace(self, entries=dict(self.entries), brought=dict(self.brought), deprecated=dict(self.deprecated))


class Ledger:
    """The file with one store's counters."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._left: tuple[tuple[int, int, int], Book] | None = None

    def read(self) -> Book:
        """Read the counters; empty without a file. Raises InvalidExport if it cannot be read."""
        try:
            said = json.loads(self._path.read_text(encoding="utf-8"))
            return _book(said)
        except FileNotFoundError:
            return Book()
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InvalidExport(f"{self._path} cannot be read.", "Delete it; counters begin anew.") from error

    def write(self, mine: Book, base: Book) -> None:
        """Add what was counted since ``base`` to the file; an unreadable file is replaced.

        Raises:
            ReverieError: another process holds the file.
            OSError: it cannot be written.
        """
        with locked(self._path.with_name(f"{FILE}.lock"), _WAIT_S):
            whole = merged(self._theirs(base), mine, base)
            put(self._path, json.dumps(_said(whole), separators=(",", ":")).encode())
            self._left = self._stamp(), whole

    def _theirs(self, otherwise: Book) -> Book:
        """Return the file's counters, from memory if the file is unchanged since it was written here."""
        if self._left is not None and self._left[0] == self._stamp():
            return self._left[1]
        try:
            return self.read()
        except InvalidExport:
            return otherwise

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return 0, 0, 0
        return found.st_ino, found.st_mtime_ns, found.st_size


def merged(theirs: Book, mine: Book, base: Book) -> Book:
    """Combine the file's counters with what this process counted, and dropped, since ``base``."""
    dropped = base.entries.keys() - mine.entries.keys()
    entries = {name: entry for name, entry in theirs.entries.items() if name not in dropped}
    for name, entry in mine.entries.items():
        if entry is not base.entries.get(name) or name not in entries:
            entries[name] = _one(entries.get(name), entry, base.entries.get(name))
    return Book(
        loops=theirs.loops + mine.loops - base.loops,
        passes=theirs.passes + mine.passes - base.passes,
        linked_at=max(theirs.linked_at, mine.linked_at),
        entries=entries,
        flagged=(theirs.flagged | mine.flagged) - (base.flagged - mine.flagged),
        brought={name: here for name, here in theirs.brought.items() if name not in base.brought} | mine.brought,
        deprecated={name: was for name, was in theirs.deprecated.items() if name not in base.deprecated}
        | mine.deprecated,
    )


def _one(there: LedgerEntry | None, mine: LedgerEntry, base: LedgerEntry | None) -> LedgerEntry:
    if there is None:
        return mine
    counted = there.accesses + mine.accesses - base.accesses if base else max(there.accesses, mine.accesses)
    times = [at for at in (there.last, mine.last) if at is not None]
    return replace(mine, accesses=counted, last=max(times) if times else None, since=min(there.since, mine.since))


def _said(book: Book) -> dict[str, object]:
    return {
        "version": VERSION,
        "loops": book.loops,
        "passes": book.passes,
        "linked_at": book.linked_at,
        "flagged": sorted(book.flagged),
        "brought": book.brought,
        "deprecated": book.deprecated,
        "memories": {
            name: [entry.accesses, written(entry.last) if entry.last else None, entry.since, list(entry.related)]
            for name, entry in book.entries.items()
        },
    }


def _book(said: Mapping[str, Any]) -> Book:
    return Book(
        loops=int(said["loops"]),
        passes=int(said["passes"]),
        linked_at=int(said["linked_at"]),
        entries={
            str(name): LedgerEntry(int(count), moment(last), int(since), tuple(map(str, related)))
            for name, (count, last, since, related) in said["memories"].items()
        },
        flagged=frozenset((str(one), str(other)) for one, other in said["flagged"]),
        brought={str(name): str(here) for name, here in said.get("brought", {}).items()},
        deprecated={str(name): str(was) for name, was in said.get("deprecated", {}).items()},
    )
