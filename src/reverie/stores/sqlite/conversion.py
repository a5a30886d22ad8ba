"""Encrypt or decrypt a store: write the other form beside it, compare, and put it in the old file's place in one step.

Nobody else may have the store open. A process that is killed leaves the old store or the new one, whole.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from reverie.durable import new_draft, unwritable
from reverie.errors import ReverieError, StoreBusy, StoreCorrupt
from reverie.stores.exclusive import alone
from reverie.stores.sqlite import file, journal, maintenance, schema
from reverie.stores.sqlite.cipher import UNENCRYPTED, Key, attachment, is_plain
from reverie.stores.sqlite.connection import Connection

BUSY_S = 2.0
"""Seconds to wait for others to close the store."""
_BLOCK = 1 << 20
_OPEN_ELSEWHERE = StoreBusy(
    "Another process has the store open. Nothing was changed.",
    "End what uses it: sessions of your coding agent with Reverie's hooks, `reverie mcp`, `reverie serve`.",
)


def convert(path: Path, old: Key | None, new: Key | None, state: Path | None) -> str:
    """Rewrite the store at a path, encrypted with ``new`` or plain; return its digest. ``state``: as ``file.connect``.

    The old file's bytes are overwritten, and those of its log, as far as the disk lets a program do that.

    Raises:
        StoreBusy: another process has the store open, or reworks it (Conflict).
        StoreCorrupt: the new file is not what the old one was; the old one stays.
        StoreFull, StoreReadOnly, StoreError: it cannot be read or written.
    """
    real = Path(os.path.realpath(path))
    with ExitStack() as at_end:
        at_end.enter_context(alone(path))
        log = _opened(real.with_name(real.name + "-wal"), at_end)
        file.connect(path, create=False, busy_timeout_s=BUSY_S, state=state, key=old).close()
        with held(real, old):  # by the module that this process may have it open with, see ``held``
            pass
        source = at_end.enter_context(held(real, old or UNENCRYPTED))
        draft = at_end.enter_context(new_draft(real))
        digest = _written(source, draft, new)
        try:
            old_file = _opened(real, at_end)  # kept open to the end: closing it frees SQLite's locks
            _like(draft, real)
            draft.replace(real)
        except OSError as error:
            raise unwritable(error, real) from error
        synced(real.parent)
        for one in (log, old_file):
            _overwrite(one)
    return digest


def convert_small(path: Path, old: Key | None, new: Key | None) -> None:
    """Rewrite a small file beside a store, encrypted with ``new`` or plain, if it is there and of the other form.

    Raises:
        StoreBusy: another process has it open.
        StoreFull, StoreReadOnly, StoreError: it cannot be read or written.
    """
    if not path.exists() or is_plain(path) is not (old is None):
        return
    with ExitStack() as at_end:
        log = _opened(path.with_name(path.name + "-wal"), at_end)
        source = at_end.enter_context(held(path, old or UNENCRYPTED))
        draft = at_end.enter_context(new_draft(path))
        source.run(*attachment(f"file:{quote(str(draft.absolute()))}", "other", new or UNENCRYPTED))
        source.row("SELECT sqlcipher_export('other')")
        version = source.row("PRAGMA user_version")
        source.run(f"PRAGMA other.user_version = {int(version[0]) if version else 0}")
        source.run("DETACH other")
        try:
            old_file = _opened(path, at_end)
            _like(draft, path)
            draft.replace(path)
        except OSError as error:
            raise unwritable(error, path) from error
        synced(path.parent)
        for one in (log, old_file):
            _overwrite(one)


@contextmanager
def held(real: Path, key: Key | None) -> Iterator[Connection]:
    """Yield a connection that nobody else reads or writes beside, its log merged and removed.

    Locks of one process count within one module only, and closing a file frees those of the other module: so a plain
    file is first held by Python's own, then copied by SQLCipher's, which opens plain files too.
    """
    source = Connection(real, mode="mode=rw", busy_timeout_s=BUSY_S, key=key)
    try:
        try:
            if source.row("PRAGMA journal_mode = DELETE") != ("delete",):
                raise _OPEN_ELSEWHERE
            source.run("PRAGMA main.locking_mode = EXCLUSIVE")
            source.run("BEGIN EXCLUSIVE")
            source.run("COMMIT")
        except StoreBusy:
            raise _OPEN_ELSEWHERE from None
        try:
            yield source
        except BaseException:
            with suppress(ReverieError):
                source.run("PRAGMA journal_mode = WAL")
            raise
    finally:
        source.close()


def _written(source: Connection, draft: Path, key: Key | None) -> str:
    """Copy all tables and indexes into the draft, and return its digest. Raises StoreCorrupt if it differs."""
    source.run(*attachment(f"file:{quote(str(draft.absolute()))}", "other", key or UNENCRYPTED))
    source.row("SELECT sqlcipher_export('other')")
    source.run(f"PRAGMA other.application_id = {schema.APPLICATION_ID}")
    source.run(f"PRAGMA other.user_version = {schema.VERSION}")
    source.run("DETACH other")
    made = Connection(draft, mode="mode=rw", busy_timeout_s=BUSY_S, key=key)
    try:
        made.run("PRAGMA journal_mode = WAL")
        schema.require_ours(made)
        digest = maintenance.digest_of_all(made)
        faults = [one for one in maintenance.check(made) if one.name != "erasure"]
        is_same = digest == maintenance.digest_of_all(source) and journal.heads(made) == journal.heads(source)
    finally:
        made.close()
    if faults or not is_same:
        what = faults[0].what if faults else "Its digest is another."
        raise StoreCorrupt(f"The new file is not sound: {what} Nothing was changed.", "Run `reverie doctor` first.")
    return digest


def _opened(path: Path, at_end: ExitStack) -> int | None:
    """Open a file for writing until the end; None if there is none."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    at_end.callback(os.close, handle)
    return handle


def _overwrite(handle: int | None) -> None:
    """Replace the bytes of a file that has no name any more; never empty it, for that would pass for a new store."""
    if handle is None or not stat.S_ISREG(os.fstat(handle).st_mode) or os.fstat(handle).st_nlink:
        return
    with suppress(OSError):  # a full copy-on-write disk: the bytes are free in any case
        size = max(os.fstat(handle).st_size, 1)
        os.lseek(handle, 0, os.SEEK_SET)
        for start in range(0, size, _BLOCK):
            os.write(handle, b"\xff" * min(_BLOCK, size - start))
        os.fsync(handle)


def _like(draft: Path, real: Path) -> None:
    """Give the draft the old file's permissions and, where allowed, its owner, and write it to disk. Raises OSError."""
    known = real.stat()
    handle = os.open(draft, os.O_RDWR)
    try:
        if hasattr(os, "fchown"):
            with suppress(PermissionError):
                os.fchown(handle, known.st_uid, known.st_gid)
            os.fchmod(handle, stat.S_IMODE(known.st_mode))
        os.fsync(handle)
    finally:
        os.close(handle)


def synced(folder: Path) -> None:
    """Write a folder's changed names to disk, where the system allows that."""
    with suppress(OSError):  # Windows opens no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
