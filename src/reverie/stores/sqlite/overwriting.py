"""Overwrite what SQLite leaves of erased rows in the file's pages, without rewriting the file.

``secure_delete`` overwrites a deleted row where it lies and every page that is freed. What it misses are copies in the
unused middle of a page, left when rows moved to a neighbouring page. They are found by reading the header of each page,
and overwritten in the file itself, which is safe while nobody can write and the log is empty: nothing ever reads them.
SQLite documents the header of a page in its file format, section 1.6.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from reverie.errors import ReverieError, StoreBusy, StoreFull, StoreReadOnly
from reverie.stores.sqlite.connection import Connection

MARK = "overwriting"
"""Name of the row in ``meta`` of a file whose unused bytes were either never written or overwritten."""
_MAGIC = b"SQLite format 3\0"
_PAGES = 256
"""Pages read at a time: 1 MB, which stays in a processor's cache."""
_MOST_PAGES = 1 << 24
"""From here on the first byte of an overflow page could be taken for the kind of a page of rows."""
_FIRST = 100
"""Bytes of the file's header, in front of that of the first page."""
_HEADS = np.zeros(256, np.int64)
"""Bytes of a page's header by its first byte: of pages with rows (10, 13), and of those above them (2, 5); else 0."""
_HEADS[[2, 5]], _HEADS[[10, 13]] = 12, 8


def is_possible(connection: Connection) -> bool:
    """Whether ``overwrite`` suffices: the file was always written so, and its pages can be read as they lie."""
    if connection.key is not None or not hasattr(os, "preadv"):  # pages that are encrypted cannot be read as they lie
        return False
    if connection.row(f"SELECT 1 FROM meta WHERE name = '{MARK}'") is None:
        return False
    if connection.row("PRAGMA secure_delete") != (1,):  # SQLite was built without it
        return False
    size, pages = connection.row("PRAGMA page_size"), connection.row("PRAGMA page_count")
    with suppress(OSError):
        head = os.pread(connection.handle(), _FIRST, 0)
        plain = head.startswith(_MAGIC) and head[20] == 0  # no bytes of each page are set apart, as for encryption
        return plain and size is not None and size[0] < 1 << 16 and pages is not None and pages[0] < _MOST_PAGES
    return False


def overwrite(connection: Connection, done: str) -> None:
    """Empty the log, overwrite the unused middle of every page, and execute the statement ``done``.

    A connection of its own does it, because every other one has to forget the pages it keeps, and does when it sees
    that another wrote.

    Raises:
        StoreBusy: another process reads the log or writes for too long.
        StoreFull, StoreReadOnly: the file cannot be written.
    """
    own = Connection(connection.path, mode="mode=rw", busy_timeout_s=connection.busy_timeout_s)
    try:
        with own.turn():
            _begin(own)
            try:
                _sweep(own)
                own.run(done)
                own.commit()
            finally:
                own.rollback()
        with suppress(ReverieError):  # nothing erased is in it
            own.run("PRAGMA wal_checkpoint (TRUNCATE)")
    finally:
        own.close()


def _begin(own: Connection) -> None:
    """Begin a write transaction while the log is empty."""
    until = time.monotonic() + own.busy_timeout_s
    while True:
        row = own.row("PRAGMA wal_checkpoint (TRUNCATE)")
        if row is None or row[0]:
            raise StoreBusy("Another process is reading the log.", "Close it.")
        own.begin(durable=True)
        if not _log_size(own.real):
            return
        own.rollback()
        if time.monotonic() > until:
            raise StoreBusy("Other processes write all the time.", "Close them.")


def _log_size(real: str) -> int:
    try:
        return os.stat(real + "-wal").st_size  # noqa: PTH116 - a path as text, as everywhere here
    except OSError:
        return 0


def _sweep(own: Connection) -> None:
    row = own.row("PRAGMA page_size")
    assert row is not None
    try:
        file, wrote = own.handle(), False
        for at, length in _residues(file, row[0]):
            os.pwrite(file, bytes(length), at)
            wrote = True
        if wrote:
            os.fsync(file)
    except PermissionError as error:
        raise StoreReadOnly(
            f"The file cannot be written ({error}).", "Give this user the right to write it."
        ) from error
    except OSError as error:
        raise StoreFull(f"The disk failed to write ({error}).", "Make room.") from error


def _residues(file: int, page: int) -> Iterator[tuple[int, int]]:
    """Yield where in the file an unused middle of a page holds anything, and its length."""
    buffer, zeros, size = bytearray(_PAGES * page), bytes(page), os.fstat(file).st_size
    pages = np.frombuffer(buffer, np.uint8).reshape(-1, page)
    for start in range(0, size, len(buffer)):
        whole = os.preadv(file, [buffer], start) // page
        for at, end in zip(*_middles(pages[:whole], start == 0), strict=True):
            if buffer[at:end] != zeros[: end - at]:
                yield start + at, end - at


def _middles(pages: npt.NDArray[np.uint8], with_first: bool) -> tuple[list[int], list[int]]:
    """Return begin and end of the unused middle of each page of rows in a stretch of the file."""
    page = pages.shape[1]
    kind, head = pages[:, 0].copy(), pages[:, 3:7].astype(np.int64)
    if with_first:
        kind[0], head[0] = pages[0, _FIRST], pages[0, _FIRST + 3 : _FIRST + 7]
    begin = _HEADS[kind] + 2 * (head[:, 0] << 8 | head[:, 1])
    begin[:1] += _FIRST if with_first else 0
    end = head[:, 2] << 8 | head[:, 3]
    number = np.flatnonzero((_HEADS[kind] > 0) & (begin < end) & (end <= page))
    return (number * page + begin[number]).tolist(), (number * page + end[number]).tolist()
