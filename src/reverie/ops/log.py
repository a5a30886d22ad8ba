"""The ops log: write one JSON line for each operation in a background thread, read the lines back, erase their texts.

Any number of processes may append to the file; a full file is renamed and a new one begun.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from queue import Full, Queue
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from reverie.durable import OWNER_ONLY, open_own
from reverie.durable import replace as replace_file
from reverie.errors import InvalidScope, InvalidSetting, ReverieError
from reverie.locking import hold
from reverie.ports import Clock
from reverie.types import Scope

MAX_BYTES = 10 * 1024 * 1024
"""Size in bytes (10 MB) at which a log file is rotated."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
_OWNER_ONLY_FOLDER = 0o700


class RotatingFile:
    """An append-only log file that is renamed when full; it must belong to this user and not be a link.

    Full files are called ``STEM-YYYY-MM-DD.SUFFIX``, later ones of the same day ``…-2``, ``…-3``.
    """

    def __init__(self, path: Path, clock: Clock, max_bytes: int = MAX_BYTES) -> None:
        self._path = path
        self._clock = clock
        self._max_bytes = max_bytes

    def append(self, line: bytes) -> None:
        """Write one line whole, or nothing.

        Raises:
            OSError: the folder or file cannot be written, belongs to somebody else, or the disk is full.
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
        """Return the first unused name for a full file of today."""
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
    """Yield the open file, locked against other processes and other threads of this one."""
    file = open_own(path, _FLAGS)
    try:
        hold(file)
        yield file
    finally:
        os.close(file)


def _is_at(path: Path, file: int) -> bool:
    """Whether the open file is still the one at the path: another process may have renamed it."""
    try:
        there, opened = path.lstat(), os.fstat(file)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino)


def _write(file: int, line: bytes, size: int) -> None:
    """Append the line to the open file; if the disk is full, remove the part that was written."""
    torn = size > 0 and _last(file, size) != b"\n"  # a process died here while it wrote
    whole = b"\n" + line if torn else line
    try:
        done = os.write(file, whole)
    except OSError:
        os.ftruncate(file, size)
        raise
    if done != len(whole):
        os.ftruncate(file, size)
        raise OSError("The disk is full.")


def _last(file: int, size: int) -> bytes:
    """Return the last byte of a file that is opened for appending."""
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1)


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> int:
    """Replace each line of a file by ``change`` of it, and return the number of lines. Other writers wait meanwhile.

    Raises:
        OSError: the file cannot be read or written; it is then unchanged.
    """
    while True:
        with _locked(path) as file:
            if not _is_at(path, file):
                continue
            with os.fdopen(os.dup(file), "rb") as held:
                held.seek(0)
                lines = held.read().splitlines(keepends=True)
            # a process that waited for the old file sees that it is no longer at the path
            replace_file(path, b"".join(map(change, lines)), mode=OWNER_ONLY)
            return len(lines)


def family(path: Path) -> list[Path]:
    """Return the existing log files: the full ones, oldest first, then the one being written."""
    pattern = f"{path.stem}-????-??-??*{path.suffix}"
    aside = sorted(path.parent.glob(pattern), key=_age(path)) if path.parent.is_dir() else []
    return [*aside, *([path] if os.path.lexists(path) else [])]


def is_before(path: Path, aside: Path, day: date) -> bool:
    """Whether a full file was renamed before a day, so that it holds no line of that day."""
    return _age(path)(aside)[0] < day.isoformat()


def _age(path: Path) -> Callable[[Path], tuple[str, int]]:
    """Return a sort key for full files: day, then number."""
    start = len(path.stem) + 1

    def of(aside: Path) -> tuple[str, int]:
        day, number = aside.stem[start : start + 10], aside.stem[start + 11 :]
        return day, int(number) if number.isdecimal() else 1

    return of


MASK_WINDOW = 4_096
"""Characters masked beyond the ones shown, so that a secret across the cut is seen whole."""
_TRUNCATED = "…"


@dataclass(frozen=True, slots=True)
class OpsEntry:
    """One operation. ``fallback``: a heuristic did a model's work; a field that does not apply is None.

    ``who`` names the caller of a change or an administrative operation; empty (the line then lacks the field) for the
    others. ``scope`` names the memory it was done in; None (no field either) if it concerns no single scope.
    """

    op: str
    input: str = ""
    output: str = ""
    model: str | None = None
    latency_ms: float | None = None
    success: bool = True
    fallback: bool = False
    intent: str | None = None
    avg_relevance: float | None = None
    result_count: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    who: str = ""
    scope: Scope | None = None


@dataclass(slots=True)
class LogLine:
    """Entry of the ops log for a running operation: a description that quotes no memory, and the number of changes."""

    what: str = ""
    changed: int | None = None

    def did(self, what: str, changed: int) -> None:
        """Set the description and the number of changes."""
        self.what, self.changed = what, changed


@contextmanager
def operation(write: Callable[[OpsEntry], None], entry: OpsEntry) -> Iterator[LogLine]:
    """Write the block as one line: ``entry``, how long it took, whether it failed, and what the block set of it."""
    line, started, success = LogLine(), perf_counter(), False
    try:
        yield line
        success = True
    except ReverieError as error:
        line.what = line.what or type(error).__name__
        raise
    finally:
        took = (perf_counter() - started) * 1000.0
        write(replace(entry, output=line.what, latency_ms=took, success=success, result_count=line.changed))


def line_of(entry: OpsEntry, at: datetime, shown: Callable[[str], str]) -> bytes:
    """Return the entry as one line of JSON; ``shown`` shortens and masks a text."""
    record: dict[str, Any] = {
        "ts": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "op": entry.op,
        "input": shown(entry.input),
        "output": shown(entry.output),
        "model": entry.model,
        "latencyMs": _rounded(entry.latency_ms, 1),
        "success": entry.success,
        "fallback": entry.fallback,
        "intent": entry.intent,
        "avgRelevance": _rounded(entry.avg_relevance, 4),
        "resultCount": entry.result_count,
        "tokensIn": entry.tokens_in,
        "tokensOut": entry.tokens_out,
    }
    if entry.who:
        record["who"] = entry.who
    if isinstance(entry.scope, Scope):  # a caller may have passed an invalid scope, and got an error for it
        record["scope"] = {"agent": entry.scope.agent, "user": entry.scope.user, "project": entry.scope.project}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _rounded(value: float | None, digits: int) -> float | None:
    """Round a value to ``digits`` places; None for NaN and infinity, which JSON cannot carry."""
    if value is None or value != value or value in (float("inf"), float("-inf")):
        return None
    return round(value, digits)


def head(text: str, chars: int | None, mask: Callable[[str], str]) -> str:
    """Return the masked text on one line, cut to ``chars`` characters; None keeps it whole.

    It is masked before it is cut, because no detector recognises half a secret.
    """
    masked = mask(text if chars is None else text[: chars + MASK_WINDOW])
    if chars is None or (len(text) <= chars and len(masked) <= chars):
        return masked
    return " ".join(masked[:chars].split()) + _TRUNCATED


ERASED = "[erased]"


def erase_texts(path: Path) -> int:
    """Erase ``input`` and ``output`` in every line of the log's files, and return the number of lines.

    Raises:
        OSError: a file cannot be read or written.
    """
    return sum(rewrite(part, _without_texts) for part in family(path))


def _without_texts(line: bytes) -> bytes:
    """Return the line with its texts erased; empty for a line that is not a record, since it may hold text too."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return b""
    if not isinstance(fields, dict):
        return b""
    emptied = {name: ERASED for name in ("input", "output") if fields.get(name)}
    return json.dumps(fields | emptied, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


@dataclass(frozen=True, slots=True)
class OpsLogSettings:
    """Settings of the ops log: ``head_chars`` of a text are shown (None: all), ``queue_size`` entries may wait, and a
    file is renamed at ``max_bytes``.

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
    """How many entries were written and how many were dropped."""

    written: int
    dropped: int


_Waiting: TypeAlias = tuple[OpsEntry, datetime] | Event | None
"""An item of the queue: an entry with its time, an event to set once all before it is done, or None for the end."""


class OpsLog:
    """The ops log at ``path``. ``mask`` masks secrets in a text; it is called in the log's own thread.

    A process may have many logs, and many processes may share a path. ``close`` and the end of the process write the
    entries that wait. ``older`` names further log files that may hold the text of an erased memory.
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
        """How many entries were written and dropped so far."""
        with self._counting:
            return OpsCounts(self._written, self._dropped)

    def write(self, entry: OpsEntry) -> None:
        """Queue an entry for writing. Never waits for the disk; an entry that cannot be kept is dropped."""
        if self._process != os.getpid():
            self._start()  # a fork has neither our thread nor a queue that is safe to touch
        if self._closed:
            return self._drop()
        try:
            self._queue.put_nowait((self._shortened(entry), self._clock.now()))
        except Full:
            self._drop()

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until every queued entry is written or dropped; False if that took too long."""
        if self._closed:
            return not self._thread.is_alive()
        done = Event()
        try:
            self._queue.put(done, timeout=timeout_s)
        except Full:
            return False
        return done.wait(timeout_s)

    def erase_texts(self) -> int:
        """Erase the texts of every line written so far, also by other processes and in the ``older`` logs.

        Returns the number of lines.

        Raises:
            OSError: a file cannot be read or written, so that its texts remain.
        """
        self.flush()
        return sum(map(erase_texts, self.files))

    @property
    def files(self) -> tuple[Path, ...]:
        """The paths of the log and of the older ones, each once."""
        return tuple(dict.fromkeys((self._path, *self._older())))

    def close(self, timeout_s: float = 2.0) -> bool:
        """Write the entries that wait and stop; False if that took too long. Later entries are dropped."""
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
        """Return the entry with its texts shortened to what can be shown, so that the queue holds no megabytes."""
        chars = self._settings.head_chars
        if chars is None or max(len(entry.input), len(entry.output)) <= chars + MASK_WINDOW:
            return entry
        keep = chars + MASK_WINDOW + 1  # one more, so that the cut is still visible
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


class LoggedLine(NamedTuple):
    """One line of the log: its main fields, and all fields as logged; ``scope`` is None if the line names none."""

    ts: str
    op: str
    success: bool
    fallback: bool
    tokens: int
    fields: tuple[tuple[str, Any], ...]
    scope: Scope | None = None


def read_log(path: Path) -> Iterator[LoggedLine]:
    """Yield every record of the log's files, in the order of writing.

    Raises:
        OSError: a file exists and cannot be read, or belongs to somebody else.
    """
    return (record for part in family(path) for line in _lines(part) if (record := _record(line)) is not None)


def tokens_on(path: Path, day: date) -> int:
    """Return the tokens that all processes writing to this log used on a day (UTC); older files are not read."""
    stamp = f'"ts": "{day.isoformat()}'
    parts = (part for part in family(path) if part == path or not is_before(path, part, day))
    records = (_record(line) for part in parts for line in _lines(part) if stamp in line)
    return sum(record.tokens for record in records if record is not None)


def _lines(part: Path) -> Iterator[str]:
    with os.fdopen(open_own(part, os.O_RDONLY), encoding="utf-8", errors="replace", newline="\n") as lines:
        yield from lines


def _record(line: str) -> LoggedLine | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):  # not one of our lines: none is nested so deeply
        return None
    if not isinstance(fields, dict):
        return None
    return LoggedLine(
        ts=str(fields.get("ts", "")),
        op=str(fields.get("op", "")),
        success=bool(fields.get("success")),
        fallback=bool(fields.get("fallback")),
        tokens=_count(fields.get("tokensIn")) + _count(fields.get("tokensOut")),
        fields=tuple(fields.items()),
        scope=_scope(fields.get("scope")),
    )


def _scope(value: Any) -> Scope | None:
    """Return the scope that a line names; None if it names no valid one."""
    if not isinstance(value, dict):
        return None
    parts: list[Any] = [value.get(name) for name in ("agent", "user", "project")]
    try:
        return Scope(*parts)
    except InvalidScope:
        return None


def _count(tokens: Any) -> int:
    return tokens if isinstance(tokens, int) else 0
