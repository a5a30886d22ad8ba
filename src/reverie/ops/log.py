"""The ops log: one JSON line for each operation, written beside the work and never in its way.

In: entries. Out: lines in a file, in the order they came. ``write`` neither waits nor fails: what cannot be written, or
comes faster than it can be, is dropped and counted. The texts of memories appear as a short masked head.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from queue import Full, Queue
from threading import Event, Lock, Thread
from typing import NamedTuple, TypeAlias

from reverie.errors import InvalidSetting
from reverie.ops.entry import MASK_WINDOW, OpsEntry, head, line_of
from reverie.ops.erasing import erase_texts
from reverie.ops.rotating import MAX_BYTES, RotatingFile
from reverie.ports import Clock


@dataclass(frozen=True, slots=True)
class OpsLogSettings:
    """How the log is kept. ``head_chars``: how much of a text is shown (None: all of it); ``queue_size``: how many
    entries may wait; ``max_bytes``: when the file is put aside.

    Raises:
        InvalidSetting: a number is out of range.
    """

    head_chars: int | None = 80
    queue_size: int = 1_000
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        if min(self.queue_size, self.max_bytes) <= 0 or (self.head_chars or 0) < 0:
            raise InvalidSetting("The ops log's sizes must be positive, and head_chars not negative.")


class OpsCounts(NamedTuple):
    """How many entries were written and how many dropped."""

    written: int
    dropped: int


_Waiting: TypeAlias = tuple[OpsEntry, datetime] | Event | None
"""An entry and its time; a mark to be set when all before it is done; None: the end."""


class OpsLog:
    """The log at ``path``. ``mask`` takes secrets out of a text; it is called in the log's own thread.

    One process may have many; many processes may share a path. ``close`` writes what waits; so does the end of the
    process. ``older`` tells, when a memory is erased, of further logs that may hold its text.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        mask: Callable[[str], str] = str,
        settings: OpsLogSettings | None = None,
        older: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._settings = settings or OpsLogSettings()
        self._clock = clock
        self._mask = mask
        self._path = path
        self._older = older
        self._file = RotatingFile(path, clock, self._settings.max_bytes)
        self._written = self._dropped = 0
        self._closed = False
        self._start()
        atexit.register(self.close)

    @property
    def counts(self) -> OpsCounts:
        """How it fared so far."""
        with self._counting:
            return OpsCounts(self._written, self._dropped)

    def write(self, entry: OpsEntry) -> None:
        """Hand over an entry. Never waits for the disk, never raises for it."""
        if self._process != os.getpid():
            self._start()  # a fork has neither our thread nor a queue that is safe to touch
        if self._closed:
            return self._drop()
        try:
            self._queue.put_nowait((self._shortened(entry), self._clock.now()))
        except Full:
            self._drop()

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until everything handed over so far is written or dropped; False if that took too long."""
        if self._closed:
            return not self._thread.is_alive()
        done = Event()
        try:
            self._queue.put(done, timeout=timeout_s)
        except Full:
            return False
        return done.wait(timeout_s)

    def erase_texts(self) -> int:
        """Take the texts out of every line written so far, also by other processes, and out of the ``older`` logs.

        Returns how many lines there are.

        Raises:
            OSError: a file cannot be read or written. Unlike a line that is lost, text that stays must be told.
        """
        self.flush()
        return sum(map(erase_texts, self.files))

    @property
    def files(self) -> tuple[Path, ...]:
        """The log and the older ones, each once."""
        return tuple(dict.fromkeys((self._path, *self._older())))

    def close(self, timeout_s: float = 2.0) -> bool:
        """Write what waits and stop; False if that took too long. What comes later is dropped."""
        atexit.unregister(self.close)
        if not self._closed and self._process == os.getpid():
            self._closed = True
            try:
                self._queue.put(None, timeout=timeout_s)
            except Full:
                return False
            self._thread.join(timeout_s)
        return self._process != os.getpid() or not self._thread.is_alive()

    def _start(self) -> None:
        self._process = os.getpid()
        self._counting = Lock()
        self._queue: Queue[_Waiting] = Queue(self._settings.queue_size)
        self._thread = Thread(target=self._work, args=(self._queue,), name="reverie-ops-log", daemon=True)
        self._thread.start()

    def _shortened(self, entry: OpsEntry) -> OpsEntry:
        """The entry without what would be cut anyway: a queue of megabytes must not hold them."""
        chars = self._settings.head_chars
        if chars is None or max(len(entry.input), len(entry.output)) <= chars + MASK_WINDOW:
            return entry
        keep = chars + MASK_WINDOW + 1  # one more, so that the cut still shows
        return replace(entry, input=entry.input[:keep], output=entry.output[:keep])

    def _work(self, queue: Queue[_Waiting]) -> None:
        while (waiting := queue.get()) is not None:
            if isinstance(waiting, Event):
                waiting.set()
            else:
                self._append(*waiting)

    def _append(self, entry: OpsEntry, at: datetime) -> None:
        try:
            self._file.append(line_of(entry, at, self._shown))
        except Exception:  # noqa: BLE001 -- a full disk, a mask that fails: the log goes on, and the count tells
            return self._drop()
        with self._counting:
            self._written += 1

    def _shown(self, text: str) -> str:
        return head(text, self._settings.head_chars, self._mask)

    def _drop(self) -> None:
        with self._counting:
            self._dropped += 1
