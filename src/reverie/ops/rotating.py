"""A file that only grows at its end and is put aside when it is full, by any number of processes.

In: lines. Out: whether they are in the file. Whoever writes holds the file's lock; a file that was renamed while one
waited for it is let go and the new one taken.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path

from reverie.durable import OWNER_ONLY, open_own, replace
from reverie.ports import Clock

MAX_BYTES = 10 * 1024 * 1024
"""Size at which a log is put aside: 10 MB, as document D has it."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
_OWNER_ONLY_FOLDER = 0o700


class RotatingFile:
    """The file at ``path``, which is this user's and no link.

    Full ones are called ``STEM-YYYY-MM-DD.SUFFIX``, later ones of a day ``…-2``, ``…-3``.
    """

    def __init__(self, path: Path, clock: Clock, max_bytes: int = MAX_BYTES) -> None:
        self._path = path
        self._clock = clock
        self._max_bytes = max_bytes

    def append(self, line: bytes) -> None:
        """Write one whole line, or nothing.

        Raises:
            OSError: the folder or file cannot be written, is not ours to write, or the disk is full.
        """
        self._path.parent.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
        while True:
            with _locked(self._path) as file:
                size = os.fstat(file).st_size
                if not _is_at(self._path, file):
                    continue
                if size and size + len(line) > self._max_bytes:
                    self._path.rename(self._put_aside())
                    continue
                _write(file, line, size)
                return

    def _put_aside(self) -> Path:
        """The first name of today that is free."""
        day: datetime = self._clock.now()
        stem = f"{self._path.stem}-{day:%Y-%m-%d}"
        free = self._path.with_name(stem + self._path.suffix)
        number = 2
        while free.exists():
            free = self._path.with_name(f"{stem}-{number}{self._path.suffix}")
            number += 1
        return free


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The open file, locked against other processes and other threads of this one."""
    file = open_own(path, _FLAGS)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _is_at(path: Path, file: int) -> bool:
    """Whether the open file is still the one at the path: another process may have put it aside."""
    try:
        there, opened = path.lstat(), os.fstat(file)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino)


def _write(file: int, line: bytes, size: int) -> None:
    """The line after whatever is there; what a full disk leaves of it is taken back."""
    torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"  # a process died here while it wrote
    whole = b"\n" + line if torn else line
    try:
        done = os.write(file, whole)
    except OSError:
        os.ftruncate(file, size)
        raise
    if done != len(whole):
        os.ftruncate(file, size)
        raise OSError("The disk is full.")


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> int:
    """Put each line of a file through ``change``; how many lines there are. Whoever writes meanwhile waits.

    Raises:
        OSError: the file cannot be read or written; it is then as it was.
    """
    while True:
        with _locked(path) as file:
            if not _is_at(path, file):
                continue
            with os.fdopen(os.dup(file), "rb") as held:
                held.seek(0)
                lines = held.read().splitlines(keepends=True)
            # who waited for the old file sees that it is no longer at the path
            replace(path, b"".join(map(change, lines)), mode=OWNER_ONLY)
            return len(lines)


def family(path: Path) -> list[Path]:
    """The files put aside, oldest first, then the one being written; those that are there, whatever they are."""
    pattern = f"{path.stem}-????-??-??*{path.suffix}"
    aside = sorted(path.parent.glob(pattern), key=_age(path)) if path.parent.is_dir() else []
    return [*aside, *([path] if os.path.lexists(path) else [])]


def is_before(path: Path, aside: Path, day: date) -> bool:
    """Whether a file was put aside before a day: then it holds nothing of it."""
    return _age(path)(aside)[0] < day.isoformat()


def _age(path: Path) -> Callable[[Path], tuple[str, int]]:
    """Orders files by day and number."""
    start = len(path.stem) + 1

    def of(aside: Path) -> tuple[str, int]:
        day, number = aside.stem[start : start + 10], aside.stem[start + 11 :]
        return day, int(number) if number.isdecimal() else 1

    return of
