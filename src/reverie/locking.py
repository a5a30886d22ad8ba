"""File locks between processes: one Reverie process at a time changes what a lock file protects."""

from __future__ import annotations

import errno
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
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


def hold(file: int) -> None:
    """Take the exclusive lock of an open file, waiting for it; closing the file lets it go. Raises OSError."""
    try:
        import fcntl
    except ImportError:
        _waited_on_windows(file, math.inf)
    else:
        fcntl.flock(file, fcntl.LOCK_EX)


_FAR = 1 << 30
"""The byte that is locked on Windows, where a lock keeps others from writing what it covers."""


class Queue:
    """Makes processes take turns, in the order in which they ask, by the lock of a file that is there already.

    It is a courtesy: where the file is missing or cannot be locked, or nobody moves on in time, whoever asks goes on
    without a turn, so what must be exclusive needs a lock of its own. The system ends the turn of a process that dies.
    For one thread at a time.
    """

    __slots__ = ("_file", "_path", "_taken")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._taken = 0

    def take(self, wait_s: float) -> None:
        """Wait for a turn, for ``wait_s`` at most; within a turn, begin another that ends with it."""
        self._taken += 1
        if self._taken == 1 and self._is_open() and self._file is not None and not _waited(self._file, wait_s):
            self.close()  # whatever waits for the lock still has the file; the next turn opens it anew

    def leave(self) -> None:
        """End a turn."""
        self._taken = max(0, self._taken - 1)
        if not self._taken and self._file is not None:
            with suppress(OSError):
                _let_go(self._file)

    def close(self) -> None:
        """Close the file, which ends a turn."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _is_open(self) -> bool:
        """Open the file, again where the one that is open was deleted."""
        try:
            if self._file is not None and not os.fstat(self._file).st_nlink:
                self.close()
            if self._file is None:
                self._file = open_plain(self._path, os.O_RDONLY)
        except OSError:
            return False
        return True


def _waited(file: int, wait_s: float) -> bool:
    """Take the lock of an open file; False after ``wait_s``. Where files have no locks, go on at once."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - the tests run where fcntl is; not run on Windows so far
        return _waited_on_windows(file, wait_s)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _Waiter(file).waited(wait_s)
    except OSError:  # a file system without locks
        return True
    return True


class _Waiter:
    """Waits for a file's lock in a thread of its own: the system wakes it at once, but knows no limit of time."""

    def __init__(self, file: int) -> None:
        self._file = os.dup(file)  # of the same opening, so the lock is that of ``file`` too
        self._done = Event()
        self._late = False
        self._guard = Lock()

    def waited(self, wait_s: float) -> bool:
        """Whether the lock was given in time; given later, it is let go at once."""
        Thread(target=self._wait, daemon=True, name="reverie-queue").start()
        try:
            self._done.wait(wait_s)
        finally:
            with self._guard:
                self._late = not self._done.is_set()
        return not self._late

    def _wait(self) -> None:
        import fcntl

        with suppress(OSError):
            fcntl.flock(self._file, fcntl.LOCK_EX)
        with self._guard:
            self._done.set()
            if self._late:
                _let_go(self._file)
        os.close(self._file)


def _let_go(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # pragma: no cover - the tests run where fcntl is; not run on Windows so far
        import msvcrt

        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined] # is there on Windows only
    else:
        fcntl.flock(file, fcntl.LOCK_UN)


def _waited_on_windows(file: int, wait_s: float) -> bool:  # pragma: no cover - not run on Windows so far
    import msvcrt

    end = time.monotonic() + wait_s
    while True:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # is there on Windows only
        except OSError:
            if time.monotonic() >= end:
                return False
            time.sleep(_STEP_S / 4)
        else:
            return True
