"""Maintain the SQLite file: check it against its journal, back it up, hash it, shrink it, scrub erased bytes."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from reverie.answers import Fault
from reverie.durable import create, drafted
from reverie.errors import ReverieError, StoreBusy, StoreCorrupt, StoreFull
from reverie.events import Action, Change, Changed, Event, FieldChange, Forgotten, Formed, Recalled, Remembered, changed
from reverie.stores import codec
from reverie.stores.digest import digest
from reverie.stores.digest import digest_of_all as digest_over
from reverie.stores.sqlite import file, journal, journal_end, reads, schema, terms, writes
from reverie.stores.sqlite.cipher import Key
from reverie.stores.sqlite.connection import Connection, kept_out, locked
from reverie.stores.vectors import unpack
from reverie.types import Memory, Scope

Later: TypeAlias = dict[tuple[Scope, str], list[tuple[int, Change | datetime]]]
"""What happened to each memory after it was written, in order: event number, and a change or the time of a recall."""

_MOST = 20
_CHANGING = frozenset({Action.FORGET, Action.CHANGE, Action.RECALL, Action.FORM})
_COUNTS = {
    "scope's memories": """SELECT s.id FROM scope s
        WHERE memories <> (SELECT count(*) FROM memory WHERE key > s.id << 32 AND key < s.id + 1 << 32)""",
    "scope's events": """SELECT s.id FROM scope s LEFT JOIN (SELECT scope, count(*) AS n FROM event GROUP BY scope) e
        ON e.scope = s.id WHERE events <> coalesce(n, 0)""",
    "model's vectors": """SELECT scope FROM (SELECT scope, model, count FROM coverage
        UNION ALL SELECT key >> 32 & 16777215, key >> 56, -count(*) FROM vector GROUP BY 1, 2)
        GROUP BY scope, model HAVING sum(count) <> 0""",
}
_STRAYS = {
    "memories without an event": """SELECT key FROM memory WHERE event NOT IN
        (SELECT event FROM episode UNION ALL
         SELECT position FROM event WHERE action = 'form' AND payload IS NOT NULL)""",
    "standings without a memory": "SELECT memory FROM standing WHERE memory NOT IN (SELECT key FROM memory)",
    "sources without a memory": "SELECT memory FROM source WHERE memory NOT IN (SELECT key FROM memory)",
    "relations without a memory": """SELECT source FROM relation
        WHERE source NOT IN (SELECT key FROM memory) OR target NOT IN (SELECT key FROM memory)""",
    "vectors without a memory": "SELECT key FROM vector WHERE key & ((1 << 56) - 1) NOT IN (SELECT key FROM memory)",
    "access counts without a memory": "SELECT memory FROM access WHERE memory NOT IN (SELECT key FROM memory)",
    "touches without a memory": "SELECT memory FROM touch WHERE memory NOT IN (SELECT key FROM memory)",
    "records without an event": """SELECT event FROM record
        WHERE event NOT IN (SELECT position FROM event WHERE action = 'record' AND payload IS NOT NULL)""",
    "episodes without an event": """SELECT event FROM episode
        WHERE event NOT IN (SELECT position FROM event WHERE action = 'remember' AND payload IS NOT NULL)""",
}


def broken_chain(connection: Connection) -> Iterator[str]:
    """Yield a description of the first break of the journal's chain, if there is one."""
    lost = connection.rows("SELECT position FROM event NOT INDEXED WHERE scope NOT IN (SELECT id FROM scope)")
    if lost:  # the other checks do not see these events
        yield f"The scope of {len(lost)} events is gone, from event {lost[0][0]} of the file on."
        return
    if was_broken := _broken_before(connection):
        yield f"The chain was broken before this file was brought to its present form: {was_broken}."
        return
    last, chains = 0, codec.Chains()
    for position, event, raw in _pages(connection, decoded=False):
        wrong = chains.break_in(event, raw)
        if not wrong and position != last + 1:
            wrong = f"event {last + 1} of the file is missing"
        if wrong:
            yield f"The chain is broken: {wrong}."
            return
        last = position
    if wrong := chains.unvouched():
        yield f"The chain is broken: {wrong}."


def _broken_before(connection: Connection) -> str:
    from reverie.stores.rechain import BROKEN  # to check, and once in a file's life

    try:
        row = connection.row("SELECT value FROM meta WHERE name = ?", (BROKEN,))
    except StoreCorrupt:  # the table is damaged, which is not the journal
        return ""
    return "" if row is None else str(row[0])


def wrong_rows(connection: Connection) -> Iterator[str]:
    """Yield the first differences between the tables and what the events wrote: memories, counts, orphaned rows."""
    yield from islice(_differing(connection), _MOST)
    yield from _miscounted(connection)


def _miscounted(connection: Connection) -> Iterator[str]:
    for what, query in _COUNTS.items():
        for (scope,) in islice(connection.rows(query), _MOST):
            yield f"The count of a {what} is wrong (scope {scope})."
    for what, query in _STRAYS.items():
        found = connection.rows(query)
        if found:
            yield f"There are {len(found)} {what}."


def bad_vectors(connection: Connection) -> Iterator[str]:
    """Yield the first vector of wrong length or with a value that is not finite; wrong values cannot be detected."""
    dims: dict[int, int] = dict(connection.rows("SELECT id, dims FROM model"))
    for block in connection.blocks("SELECT key, data FROM vector"):
        for key, data in block:
            try:
                whole = len(unpack(data, dims[key >> reads.VECTOR_BITS])) == 1
            except (ValueError, TypeError, KeyError):
                whole = False
            if not whole:
                yield f"The vector of memory {key & reads.MEMORY_MASK} is damaged."
                return


def _pages(
    connection: Connection, *, decoded: bool, only: frozenset[Action] | None = None
) -> Iterator[tuple[int, Event, bytes | None]]:
    after = 0
    while found := journal.any_page(connection, after, decoded=decoded, actions=only):
        yield from found
        after = found[-1][0]


def _differing(connection: Connection) -> Iterator[str]:
    numbers = {scope: number for number, scope in reads.scopes(connection).items()}
    later, unmade = _later(connection)
    for position, event, _ in _pages(connection, decoded=True):
        match event.payload:
            case Remembered() as payload:
                yield from _remembered(connection, position, event.seq, payload)
                written = payload.memories
            case Formed() as payload:
                written = payload.added
            case _:
                continue
        kept = tuple(memory for memory in written if unmade.get((event.scope, memory.id), 0) < event.seq)
        yield from _memories(connection, numbers[event.scope], event.seq, kept, later)


def _remembered(connection: Connection, position: int, seq: int, payload: Remembered) -> Iterator[str]:
    row = connection.row(f"{reads.EPISODE} WHERE event = ?", (position,))
    if row is None or reads.episode(payload.episode.scope, row) != payload.episode:
        yield f"Episode {payload.episode.id} of event {seq} is missing or was changed."


def _memories(
    connection: Connection, number: int, seq: int, memories: tuple[Memory, ...], later: Later
) -> Iterator[str]:
    for memory in memories:
        expected = memory
        for after, what in later.get((memory.scope, memory.id), ()):
            if after > seq:
                expected = changed(expected, what) if isinstance(what, Change) else _recalled(expected, what)
        found = reads.by_id(connection, memory.scope, number, memory.id)
        if found is None or _uncounted(found) != _uncounted(expected):
            yield f"Memory {memory.id} of event {seq} is missing or was changed."
        elif found != expected:
            yield f"The access counts of memory {memory.id} are not those of the journal."


def _recalled(memory: Memory, at: datetime) -> Memory:
    return replace(memory, accesses=memory.accesses + 1, last_access=at)


def _uncounted(memory: Memory) -> Memory:
    return replace(memory, accesses=0, last_access=None)


def _later(connection: Connection) -> tuple[Later, dict[tuple[Scope, str], int]]:
    """Return what was changed in each memory after it was written, and the last event that took a memory back."""
    later: Later = defaultdict(list)
    unmade: dict[tuple[Scope, str], int] = {}
    for _, event, _ in _pages(connection, decoded=True, only=_CHANGING):
        match event.payload:
            case Forgotten(memory, before, after):
                change = Change(memory, (FieldChange("valid_until", before, after),))
                later[event.scope, memory].append((event.seq, change))
            case Changed() | Recalled() as payload:
                for at, memories in payload.each(event.at) if isinstance(payload, Recalled) else ():
                    for recalled in memories:
                        later[event.scope, recalled].append((event.seq, at))
                for change in payload.changes:
                    later[event.scope, change.memory].append((event.seq, change))
            case Formed() as payload:
                unmade.update(((event.scope, memory.id), event.seq) for memory in payload.removed)
    return later, unmade


_REPAIR = "`reverie doctor --repair`"
_RESTORE = f"Restore the last backup, or rebuild the store from its journal ({_REPAIR})."
_REBUILD = f"Rebuild it from the journal ({_REPAIR})."
_WHOLE = f"Every word is still there: rebuild it from the journal ({_REPAIR})."
RESCUE = (
    "Restore the last backup. Without one, take out what can be read (`reverie export`) and import it into a new store."
)
"""From a broken journal nothing can be rebuilt, so this remedy replaces every other."""
_LEAST_FREE = 1 << 20
"""Bytes: a message takes some ten thousand in the log, a dream's changes some hundred thousand."""


def check(connection: Connection, *, replay: bool = True) -> list[Fault]:
    """Return every fault found, the most basic first; a damaged file raises no error here.

    Without ``replay`` the journal's chain is not followed, nor the memories and the search index compared with it.
    """
    faults: list[Fault] = []
    for name, look, mend in _LOOKS if replay else _GLANCES:
        try:
            faults += [Fault(name, what, mend) for what in look(connection)]
        except StoreCorrupt as error:  # its own remedy is to run this check
            faults.append(Fault(name, error.message, _RESTORE if look is _unscrubbed else mend))
        except ReverieError as error:
            faults.append(Fault(name, error.message, error.mend))
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            faults.append(Fault(name, f"A value is not of its column's kind ({error}).", mend))
    if all(fault.name != "journal" for fault in faults):
        return faults
    return [replace(fault, mend=RESCUE) if _REPAIR in fault.mend else fault for fault in faults]


def advice(path: Path) -> list[Fault]:
    """Report what would prevent writing to a sound file (missing permissions, a full disk), without writing to it."""
    faults: list[Fault] = []
    if parts := locked(path):
        what, names = kept_out(parts)
        faults.append(Fault("store-read-only", what, f"Give this user the right to write {names}."))
    try:
        disk = shutil.disk_usage(path)
    except OSError:  # unknown, so not reported as full
        return faults
    if disk.total and disk.free < _LEAST_FREE:
        what = f"The disk of {path} is full, or nearly: {disk.free} bytes are free."
        faults.append(Fault("disk-full", what, "Make room; nothing written before is lost."))
    return faults


def digest_of(connection: Connection, scope: Scope, number: int) -> str:
    """Return the SHA-256 of a scope's journal, episodes and memories, without vectors and terms."""
    records = reads.records(connection, None, scope, None)
    memories = reads.in_order(connection, scope, number)
    return digest(
        scope, journal.marks(connection, number), reads.episodes(connection, scope, number), memories, records
    )


def digest_of_all(connection: Connection) -> str:
    """Return the SHA-256 of the digests of all scopes."""
    numbers = sorted((scope, number) for number, scope in reads.scopes(connection).items())
    return digest_over((scope, digest_of(connection, scope, number)) for scope, number in numbers)


def back_up(source: Path, target: Path, key: Key | None = None) -> None:
    """Copy a snapshot of a store into a new file; if interrupted at any time, the file is either complete or absent."""
    with drafted(target, "-journal") as draft:
        create(draft).close()
        connection = file.read_only(source, busy_timeout_s=30.0, key=key)
        try:
            connection.copy_to(draft)
        finally:
            connection.close()
        with suppress(StoreCorrupt):  # a damaged store is copied as well, before it is repaired
            journal_end.mark_copy(draft, target, key)


def compact(connection: Connection) -> None:
    """Index the memories that have no text index yet, rewrite the file without unused pages, and empty the log."""
    terms.settle_all(connection)
    connection.run("VACUUM")
    connection.run("PRAGMA wal_checkpoint (TRUNCATE)")


def scrub(connection: Connection) -> None:
    """Overwrite what is left of erased memories in the file, and empty the log.

    A file that a version wrote which did not overwrite what it deleted is rewritten whole, once.

    Raises:
        StoreFull, StoreBusy: not possible now; the next erasure or opening tries again, and ``check`` reports it.
    """
    if connection.row(f"SELECT 1 FROM meta WHERE name = '{writes.UNSCRUBBED}'") is None:
        return
    from reverie.stores.sqlite import overwriting  # only an erasure needs it

    done = f"DELETE FROM meta WHERE name = '{writes.UNSCRUBBED}'"
    try:
        if overwriting.is_possible(connection):
            overwriting.overwrite(connection, done)
            return
        connection.run("VACUUM")
        row = connection.row("PRAGMA wal_checkpoint (TRUNCATE)")
        if row is None or row[0]:
            raise StoreBusy("Another process is reading the log.", "Close it.")
    except (StoreBusy, StoreFull) as error:
        raise type(error)(
            f"The memories are erased, but their bytes are not yet out of the file. {error.message}",
            f"{error.mend} Then open the store again: that finishes it.",
        ) from error
    connection.run(done)
    connection.run(f"INSERT OR IGNORE INTO meta VALUES ('{overwriting.MARK}', '')")


def _unscrubbed(connection: Connection) -> Iterator[str]:
    if connection.row(f"SELECT 1 FROM meta WHERE name = '{writes.UNSCRUBBED}'") is not None:
        yield "Bytes of erased memories may still lie in unused parts of the file."


def _file(connection: Connection) -> Iterator[str]:
    row = connection.row("PRAGMA page_size")
    if row is not None and connection.path.stat().st_size % int(row[0]):  # text, with a key
        yield "The file is cut off: its last page is not whole."
    yield from (f"The {part} is gone." for part in schema.missing(connection))
    for (what,) in connection.rows("PRAGMA integrity_check (20)"):
        if what != "ok":
            yield str(what)


def _search(connection: Connection) -> Iterator[str]:
    terms.require_sound(connection)
    yield from ()


_LOOKS = (
    ("file", _file, _RESTORE),
    ("search", _search, _WHOLE),
    ("journal", broken_chain, RESCUE),
    ("memories", wrong_rows, _REBUILD),
    ("vectors", bad_vectors, _WHOLE),
    ("erasure", _unscrubbed, "Close every other process that uses the store, make room, and open it again."),
)
_GLANCES = tuple(
    (name, _miscounted if look is wrong_rows else look, mend)
    for name, look, mend in _LOOKS
    if name not in ("search", "journal")
)
"""The looks that take a second at a hundred thousand messages."""
