"""File locks between processes: one Reverie process at a time changes what a lock file protects."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from reverie.durable import open_plain, unwritable
from reverie.errors import StoreBusy

WAIT_S = 60.0
_STEP_S = 0.02


@contextmanager
def locked(path: Path, wait_s: float = WAIT_S, mode: int = 0o666) -> Iterator[None]:
    """Hold the exclusive lock of a file within the block; the system releases it if the process dies.

    ``wait_s`` may be infinite. ``mode``: the file's permissions, less the umask. Raises StoreBusy, StoreError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(open_plain(path, os.O_RDWR | os.O_CREAT, mode), "r+b")
    except OSError as error:
        raise unwritable(error, path) from None
    with file:
        end = time.monotonic() + wait_s
        while not _taken(file):
            if time.monotonic() >= end:
                raise StoreBusy(f"Another process has held {path} for {wait_s:.0f} s.", "Wait for it, or end it.")
            time.sleep(_STEP_S)
        yield


def _taken(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # pragma: no cover - the tests run where fcntl is
        return _taken_on_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise
    return True


def _taken_on_windows(file: IO[bytes]) -> bool:  # pragma: no cover - the tests run where fcntl is
    import msvcrt

    file.seek(0)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # is there on Windows only
    except OSError:
        return False
    return True
