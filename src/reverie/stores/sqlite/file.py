"""Open a store's file, making it if allowed; a file that cannot be written is opened for reading."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reverie.durable import create as make
from reverie.durable import is_there, unwritable
from reverie.errors import ReverieError, StoreCorrupt, StoreError, StoreMissing, StoreReadOnly
from reverie.stores.sqlite import schema
from reverie.stores.sqlite.agreements import require_own_log
from reverie.stores.sqlite.cipher import Key, is_hidden, require_encrypted
from reverie.stores.sqlite.connection import Connection, sides, unreadable
from reverie.stores.sqlite.journal_end import log_size

_FORMAT = b"SQLite format 3\0"
_OTHER_FILES = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a rollback journal that names a journal over several files, which SQLite would delete."""
_JOURNAL = "-journal"
_HEAD = 72
"""Bytes of a database's header, of which the last four are the application id."""

_TRIES, _BETWEEN_S = 3, 0.02
"""How often a key is tried on a store that others write, and the seconds between."""

OLDEST = (3, 35, 0)
"""The first SQLite version with RETURNING."""


def connect(
    path: Path,
    *,
    create: bool,
    busy_timeout_s: float,
    clock: Callable[[], float] = time.monotonic,
    state: Path | None = None,
    key: Key | None = None,
) -> Connection:
    """Open the store at ``path``, making it if ``create``. ``state``: folder of the stores the user agreed to.

    ``key``: that of an encrypted store.

    Raises:
        StoreMissing: nothing is at the path and ``create`` is False, or its folder is missing, or it is no file.
        StoreReadOnly, StoreFull: the file cannot be made there.
        StoreCorrupt: the file, or a log beside it, is damaged or not ours.
        StoreUntrusted: with the log beside it, it is not the store that the user agreed to.
        StoreError: this Python's SQLite is too old, or the path cannot be accessed.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old: {needed} is needed.", "Use a Python with a newer SQLite."
        )
    if is_there(path):
        _require_file(path, key)
    else:
        if not create:
            raise StoreMissing(
                f"There is no store at {path}.",
                "Check the path, or bring the file or its backup back; `reverie setup python` makes a new one.",
            )
        if not path.parent.is_dir():
            raise StoreMissing(f"There is no folder {path.parent}.", "Make it first, or check the path.")
        _make(path)
    real = os.path.realpath(path)
    _require_own_sides(real)
    if log_size(real):
        _require_key(Path(real), busy_timeout_s, key)
    require_own_log(real, state, key)
    _unlock(path, real, key)
    try:
        return _with_log(_opened(path, f"mode={'rwc' if create else 'rw'}", busy_timeout_s, clock, real, key))
    except (StoreMissing, StoreReadOnly):
        if not path.exists():
            raise
    return read_only(path, busy_timeout_s, clock, key)


def _with_log(connection: Connection) -> Connection:
    """Write to a log again where an encryption was killed, which merges and removes the log (``conversion``)."""
    if connection.row("PRAGMA journal_mode") == ("delete",):
        with suppress(ReverieError):  # others use it just now, or it cannot be written: it works without, too
            connection.run("PRAGMA journal_mode = WAL")
    return connection


def _require_key(path: Path, busy_timeout_s: float, key: Key | None) -> None:
    """Raise StoreError for a wrong or missing key before the log is touched: SQLite merges it when the file is closed.

    Another process may just be writing the first page, which then looks as if under another key.
    """
    if key is None:
        if is_hidden(path, Path(f"{path}-wal")):
            raise unreadable()
        return
    for attempt in range(_TRIES):
        connection = Connection(path, mode="mode=ro&immutable=1", busy_timeout_s=busy_timeout_s, key=key)
        try:
            connection.row("PRAGMA schema_version")
        except StoreError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_BETWEEN_S)
        else:
            return
        finally:
            connection.close()


_UNCHANGING = "mode=ro&immutable=1"
"""For a file that nobody writes: SQLite then makes no log or index beside it."""


def unchanging(path: Path, busy_timeout_s: float, key: Key | None = None) -> Connection:
    """Open a file that nobody writes, as a backup is, for reading; without a log, no file is made beside it."""
    if _has_log(path):
        return read_only(path, busy_timeout_s, key=key)
    return _opened(path, _UNCHANGING, busy_timeout_s, time.monotonic, key=key)


def read_only(
    path: Path, busy_timeout_s: float, clock: Callable[[], float] = time.monotonic, key: Key | None = None
) -> Connection:
    """Open for reading; if the log's index cannot be made beside the file, as an immutable file without a log."""
    try:
        return _opened(path, "mode=ro", busy_timeout_s, clock, key=key)
    except (StoreMissing, StoreReadOnly):
        if _has_log(path):
            raise StoreReadOnly(
                f"{path} has a log that was not yet merged, and its folder cannot be written.",
                "Open it once where the folder can be written, or copy it and its -wal file elsewhere.",
            ) from None
        return _opened(path, _UNCHANGING, busy_timeout_s, clock, key=key)


def _has_log(path: Path) -> bool:
    """Whether there is a log beside the file that was not yet merged."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and bool(log.stat().st_size)


def size_of(path: Path) -> int:
    """Return the bytes on disk of the file and its log."""
    return sum(part.stat().st_size for part in (path, *sides(path)) if part.exists())


def _require_file(path: Path, key: Key | None) -> None:
    """Raise StoreMissing for a folder, a device or a pipe, and StoreError for a plain file that should be encrypted."""
    if os.path.isfile(path):  # noqa: PTH113 - one look, at each opening
        if key is not None:
            require_encrypted(path)
        return
    if path.is_dir():
        raise StoreMissing(f"{path} is a folder.", "Name a file in it, for example memory.reverie.")
    raise StoreMissing(f"{path} is no ordinary file.", "Name one, for example memory.reverie.")


def _require_own_sides(real: str) -> None:
    """Raise StoreCorrupt if a log or journal beside the store is no ordinary file, or would have another file deleted.

    SQLite waits for ever to read a pipe, and deletes the file that a rollback journal names as its superior.
    """
    for end in ("-wal", "-shm", _JOURNAL):
        side = real + end
        try:
            mode = os.lstat(side).st_mode
        except OSError:  # as a rule there is none
            continue
        if not stat.S_ISREG(mode):
            raise StoreCorrupt(f"{side} is no ordinary file.", "Take it away: it is none of Reverie's.")
        if end == _JOURNAL and _end_of(Path(side)) == _OTHER_FILES:
            raise StoreCorrupt(f"{side} names another file to be deleted.", "Take it away: it is none of Reverie's.")


def _end_of(journal: Path) -> bytes:
    try:
        with journal.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - len(_OTHER_FILES)))
            return file.read()
    except OSError:
        return b""


def _make(path: Path) -> None:
    """Make an empty file first, so that the log beside it gets its permissions."""
    try:
        make(path.resolve()).close()
    except (FileExistsError, FileNotFoundError, RuntimeError):
        return  # another process was first, or a link leads nowhere or to itself, which SQLite reports
    except OSError as error:
        raise unwritable(error, path) from None


def _unlock(path: Path, real: str, key: Key | None) -> None:
    """Give the log and its index the permissions of the file, if they are locked and the file may be written.

    SQLite makes them with the permissions the file has at that moment: after a read of a locked file they stay locked.
    """
    beside = (real + end for end in ("-wal", "-shm"))
    there = (side for side in beside if os.path.isfile(side) and not os.path.islink(side))  # noqa: PTH113, PTH114 - at each opening
    shut = [Path(side) for side in there if not os.access(side, os.W_OK)]
    if not shut or not os.access(path, os.W_OK) or not (key is not None or _is_ours(path)):
        return
    for side in shut:
        with suppress(OSError):  # another user's: writing reports it
            side.chmod(stat.S_IMODE(path.stat().st_mode))


def _is_ours(path: Path) -> bool:
    """Whether the file's header names Reverie, or no program, as before its first log is merged."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return not head or (head.startswith(_FORMAT) and int.from_bytes(head[-4:]) in (0, schema.APPLICATION_ID))


def _opened(
    path: Path, mode: str, busy_timeout_s: float, clock: Callable[[], float], real: str = "", key: Key | None = None
) -> Connection:
    connection = Connection(path, mode=mode, busy_timeout_s=busy_timeout_s, clock=clock, real=real, key=key)
    try:
        schema.prepare(connection, busy_timeout_s=busy_timeout_s)
        connection.guard = schema.require_ours
        connection.tune()
    except ReverieError:
        connection.close()
        raise
    return connection
