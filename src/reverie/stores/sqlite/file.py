"""A path in, a connection to a store of the current version out; what cannot be written is opened for reading."""

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
from reverie.stores.sqlite.connection import Connection, sides

_FORMAT = b"SQLite format 3\0"
_OTHER_FILES = bytes.fromhex("d9d505f920a163d7")
"""What a rollback journal ends with that names a journal over several files, which SQLite would delete."""
_JOURNAL = "-journal"
_HEAD = 72
"""Bytes at a database's beginning, of which the last four are the number of the program it belongs to."""

OLDEST = (3, 35, 0)
"""RETURNING came with it."""


def connect(
    path: Path,
    *,
    create: bool,
    busy_timeout_s: float,
    clock: Callable[[], float] = time.monotonic,
    state: Path | None = None,
) -> Connection:
    """Open the store at ``path``, making it if need be and allowed. ``state``: the user's state folder.

    Raises:
        StoreMissing: there is nothing at the path and ``create`` is False, or no folder, or a folder or a device.
        StoreReadOnly, StoreFull: the file cannot be made there.
        StoreCorrupt: the file, or what is beside it, is damaged or not ours.
        StoreUntrusted: with the log beside it, it is not the store that the user agreed to.
        StoreError: Python was built with an SQLite that is too old, or the path cannot be looked at.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old: {needed} is needed.", "Use a Python with a newer SQLite."
        )
    if is_there(path):
        _require_file(path)
    else:
        if not create:
            raise StoreMissing(
                f"There is no store at {path}.",
                "Check the path, or bring the file or its backup back; `reverie init` makes a new one where no"
                " reverie.toml names one.",
            )
        if not path.parent.is_dir():
            raise StoreMissing(f"There is no folder {path.parent}.", "Make it first, or check the path.")
        _make(path)
    real = os.path.realpath(path)
    _require_own_sides(real)
    require_own_log(real, state)
    _unlock(path, real)
    try:
        return _opened(path, f"mode={'rwc' if create else 'rw'}", busy_timeout_s, clock, real)
    except (StoreMissing, StoreReadOnly):
        if not path.exists():
            raise
    return read_only(path, busy_timeout_s, clock)


def read_only(path: Path, busy_timeout_s: float, clock: Callable[[], float] = time.monotonic) -> Connection:
    """Open for reading; where SQLite may not even lay its index of the log beside the file, as if nobody ever wrote."""
    try:
        return _opened(path, "mode=ro", busy_timeout_s, clock)
    except (StoreMissing, StoreReadOnly):
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise StoreReadOnly(
                f"{path} has a log that was not yet merged, and its folder cannot be written.",
                "Open it once where the folder can be written, or copy it and its -wal file elsewhere.",
            ) from None
        return _opened(path, "mode=ro&immutable=1", busy_timeout_s, clock)


def size_of(path: Path) -> int:
    """Bytes on the disk: the file and its log."""
    return sum(part.stat().st_size for part in (path, *sides(path)) if part.exists())


def _require_file(path: Path) -> None:
    """Raise StoreMissing for a folder, a device or a pipe."""
    if os.path.isfile(path):  # noqa: PTH113 - one look, at each opening
        return
    if path.is_dir():
        raise StoreMissing(f"{path} is a folder.", "Name a file in it, for example memory.reverie.")
    raise StoreMissing(f"{path} is no ordinary file.", "Name one, for example memory.reverie.")


def _require_own_sides(real: str) -> None:
    """Raise StoreCorrupt where what SQLite would open beside the file is no ordinary file, or leads to others.

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
    """An empty file, so that the log beside it gets its permissions."""
    try:
        make(path.resolve()).close()
    except (FileExistsError, FileNotFoundError, RuntimeError):
        return  # another process was first, or a link leads nowhere, or to itself, which SQLite tells
    except OSError as error:
        raise unwritable(error, path) from None


def _unlock(path: Path, real: str) -> None:
    """Give what is beside a file that may be written the file's permissions, where we may.

    SQLite makes it with those the file has at that moment: after a read of a locked file it stays locked.
    """
    beside = (real + end for end in ("-wal", "-shm"))
    there = (side for side in beside if os.path.isfile(side) and not os.path.islink(side))  # noqa: PTH113, PTH114 - at each opening
    shut = [Path(side) for side in there if not os.access(side, os.W_OK)]
    if not shut or not os.access(path, os.W_OK) or not _is_ours(path):
        return
    for side in shut:
        with suppress(OSError):  # another user's: writing will name it
            side.chmod(stat.S_IMODE(path.stat().st_mode))


def _is_ours(path: Path) -> bool:
    """Whether the file's head says that it is a store; until its log is merged it says of no program that it is its."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return not head or (head.startswith(_FORMAT) and int.from_bytes(head[-4:]) in (0, schema.APPLICATION_ID))


def _opened(path: Path, mode: str, busy_timeout_s: float, clock: Callable[[], float], real: str = "") -> Connection:
    connection = Connection(path, mode=mode, busy_timeout_s=busy_timeout_s, clock=clock, real=real)
    try:
        schema.prepare(connection, busy_timeout_s=busy_timeout_s)
        connection.guard = schema.require_ours
        connection.tune()
    except ReverieError:
        connection.close()
        raise
    return connection
