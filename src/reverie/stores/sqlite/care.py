"""Looking after the file: checked, copied, hashed, and cleaned of what was erased."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reverie.answers import Fault
from reverie.durable import create, drafted
from reverie.errors import ReverieError, StoreBusy, StoreCorrupt, StoreFull
from reverie.stores.digest import digest
from reverie.stores.sqlite import heads, journal, lexical, opening, reading, schema, verifying, writing
from reverie.stores.sqlite.connection import Connection, kept_out, locked

_RESTORE = "Restore the last backup, or replay the journal into a new store (`reverie replay`)."
_REPLAY = "Replay the journal into a new store (`reverie replay`)."
_WHOLE = f"Every word is still there: {_REPLAY[0].lower()}{_REPLAY[1:]}"
_RESCUE = (
    "Restore the last backup. Without one, take out what can be read (`reverie export`) and import it into a new store."
)
"""A journal that is broken cannot be replayed: whatever else is wrong, that mends nothing."""
_LEAST_FREE = 1 << 20
"""Bytes: a message takes some ten thousand in the log, and a dream's changes hundreds of thousands."""


def check(connection: Connection) -> list[Fault]:
    """Every fault found, the deepest first; a damaged file is no error here."""
    faults: list[Fault] = []
    for name, look, mend in _LOOKS:
        try:
            faults += [Fault(name, what, mend) for what in look(connection)]
        except StoreCorrupt as error:  # its own mend is to look here
            faults.append(Fault(name, error.message, mend))
        except ReverieError as error:
            faults.append(Fault(name, error.message, error.mend))
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            faults.append(Fault(name, f"A value is not of its column's kind ({error}).", mend))
    if all(fault.name != "journal" for fault in faults):
        return faults
    return [replace(fault, mend=_RESCUE) if "`reverie replay`" in fault.mend else fault for fault in faults]


def advice(path: Path) -> list[Fault]:
    """What would keep a write out of a sound file, told without writing: rights that are missing, a full disk."""
    faults: list[Fault] = []
    if parts := locked(path):
        what, names = kept_out(parts)
        faults.append(Fault("store-read-only", what, f"Give this user the right to write {names}."))
    try:
        disk = shutil.disk_usage(path)
    except OSError:  # what cannot be asked for is not known to be full
        return faults
    if disk.total and disk.free < _LEAST_FREE:
        what = f"The disk of {path} is full, or nearly: {disk.free} bytes are free."
        faults.append(Fault("disk-full", what, "Make room; nothing written before is lost."))
    return faults


def digest_of(connection: Connection) -> str:
    """SHA-256 over everything but vectors and terms."""
    numbers = sorted((scope, number) for number, scope in reading.scopes(connection).items())
    memories = ((scope, reading.in_order(connection, scope, number)) for scope, number in numbers)
    return digest(journal.marks(connection), reading.episodes(connection), memories)


def back_up(source: Path, target: Path) -> None:
    """Copy a store as of one moment into a new file, which is whole or not there, whatever is killed when."""
    with drafted(target, "-journal") as draft:
        create(draft).close()
        connection = opening.read_only(source, busy_timeout_s=30.0)
        try:
            connection.copy_to(draft)
        finally:
            connection.close()
        heads.mark_copy(draft, target)


def compact(connection: Connection) -> None:
    """Merge the search index's pages, write the file anew without its unused parts, and empty the log."""
    lexical.merge(connection)
    connection.run("VACUUM")
    connection.run("PRAGMA wal_checkpoint (TRUNCATE)")


def scrub(connection: Connection) -> None:
    """After an erasure: write the file anew without its unused parts, and empty the log.

    SQLite's own ``secure_delete`` is not enough: pages that were rebalanced keep copies of rows that left them.

    Raises:
        StoreFull, StoreBusy: not now; the next erasure or opening tries again, and ``check`` says so until then.
    """
    if connection.row(f"SELECT 1 FROM meta WHERE name = '{writing.UNSCRUBBED}'") is None:
        return
    try:
        connection.run("VACUUM")
        row = connection.row("PRAGMA wal_checkpoint (TRUNCATE)")
        if row is None or row[0]:
            raise StoreBusy("Another process is reading the log.", "Close it.")
    except (StoreBusy, StoreFull) as error:
        raise type(error)(
            f"The memories are erased, but their bytes are not yet out of the file. {error.message}",
            f"{error.mend} Then open the store again: that finishes it.",
        ) from error
    connection.run(f"DELETE FROM meta WHERE name = '{writing.UNSCRUBBED}'")


def _unscrubbed(connection: Connection) -> Iterator[str]:
    if connection.row(f"SELECT 1 FROM meta WHERE name = '{writing.UNSCRUBBED}'") is not None:
        yield "Bytes of erased memories may still lie in unused parts of the file."


def _file(connection: Connection) -> Iterator[str]:
    row = connection.row("PRAGMA page_size")
    if row is not None and connection.path.stat().st_size % row[0]:
        yield "The file is cut off: its last page is not whole."
    yield from (f"The {part} is gone." for part in schema.missing(connection))
    for (what,) in connection.rows("PRAGMA integrity_check (20)"):
        if what != "ok":
            yield str(what)


def _search(connection: Connection) -> Iterator[str]:
    lexical.require_sound(connection)
    yield from ()


_LOOKS = (
    ("file", _file, _RESTORE),
    ("search", _search, _WHOLE),
    ("journal", verifying.broken_chain, _RESCUE),
    ("memories", verifying.wrong_rows, _REPLAY),
    ("vectors", verifying.bad_vectors, _WHOLE),
    ("erasure", _unscrubbed, "Close every other process that uses the store, make room, and open it again."),
)
