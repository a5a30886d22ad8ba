"""Where a store lies and what lies beside it: ops logs that may hold its texts, and work not to be left half done."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.durable import OWNER_ONLY, is_alive, is_left, replace, state_folder, unwritable
from reverie.errors import InvalidScope

if TYPE_CHECKING:
    from reverie.types import Scope

# Where a store lies: the names by which it is given, and the one file that each of them means.


STORE_FILE = "reverie.db"
"""The store in a folder that is given as one."""
IN_MEMORY = ":memory:"
LANCE = "lance:"
"""May stand before a store that is OpenClaw's own table."""


def file_of(store: str | Path) -> Path:
    """The store's file, without links: by any of its names it is the same one."""
    named = str(Path(str(store).removeprefix(LANCE)))
    is_folder = os.path.isdir(named)  # noqa: PTH112 - at each opening, and a Path takes three times as long
    return Path(os.path.realpath(os.path.join(named, STORE_FILE) if is_folder else named))  # noqa: PTH118 - as above


# The logs of a store: in, the store's path; out, every ops log that may hold a text of it, whoever wrote it.


LOG_FILE = "ops-log.jsonl"
_LOGS, _OF, _ELSEWHERE, _ERASING, _COPIES = "logs", "store", "elsewhere", "erasing-", "copies"
"""The folder of all logs; in each one's folder the store it is of, its logs elsewhere, and what is to be emptied."""
_NAME_MAX = 40
_NUMBERS = count()


def log_folder(store: str | Path) -> Path | None:
    """Return the folder of a store's logs; None if the store has no file or there is no home folder."""
    state = state_folder(os.environ)
    if str(store) == IN_MEMORY or state is None:
        return None
    return _folder_of(str(file_of(store)), state)


@lru_cache(8)
def _folder_of(file: str, state: Path) -> Path:
    """Each opening asks some times over, as for the state folder itself."""
    digits = sha256(os.fsencode(file)).hexdigest()[:16]
    return state / _LOGS / f"{Path(file).parent.name[:_NAME_MAX] or 'root'}-{digits}"


def sign(store: str | Path, log: Path) -> None:
    """Write down which store a log is of. Where it cannot be written, neither can the log, and that counts so."""
    folder = log_folder(store)
    if folder is None:
        return
    with suppress(OSError):
        if not (folder / _OF).exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace(folder / _OF, os.fsencode(file_of(store)), mode=OWNER_ONLY)
        known = _lines(folder / _ELSEWHERE)
        if log.parent != folder and log.absolute() not in known:
            replace(folder / _ELSEWHERE, _text((*known, log.absolute())), mode=OWNER_ONLY)


def logs_of(store: str | Path) -> Iterator[Path]:
    """Every log that may hold a text of a store: its own, those elsewhere, and those of stores that are gone.

    An earlier Reverie wrote the log beside the store. One that was moved has a new log; its old one names a path where
    there is none any more.
    """
    folder = log_folder(store)
    if folder is None:
        return
    yield folder / LOG_FILE
    yield file_of(store).with_name(LOG_FILE)
    with suppress(OSError, ValueError):
        yield from _lines(folder / _ELSEWHERE)
    yield from _orphans(folder)


def _orphans(folder: Path) -> Iterator[Path]:
    for of in sorted(folder.parent.glob(f"*/{_OF}")):
        with suppress(OSError, ValueError):
            if of.parent != folder and not Path(os.fsdecode(of.read_bytes())).exists():
                yield of.with_name(LOG_FILE)
                yield from _lines(of.with_name(_ELSEWHERE))


@contextmanager
def emptied(store: str | Path, logs: Iterable[Path]) -> Iterator[None]:
    """Run the block, then remove the texts from the logs; after a kill, the next opening of the store does it.

    Raises:
        StoreError: a log cannot be read or written. It is told, not left: the next opening tries again.
    """
    files = [path for path in dict.fromkeys(logs) if path.parent.is_dir()]
    note = _note(store, files)
    try:
        yield
    except BaseException:
        if note is not None:
            note.unlink(missing_ok=True)
        raise
    for path in files:
        try:
            _empty(path)
        except OSError as error:
            told = unwritable(error, path)
            raise type(told)(
                f"The memories are erased, but not their texts in the log. {told.message}", told.mend
            ) from error
    if note is not None:
        note.unlink(missing_ok=True)


def begun(store: str | Path, prefix: str) -> list[Path]:
    """What processes noted beside a store's log of work that they had begun, by what such notes are called.

    In the order of their names; nothing where there is no folder, or it cannot be read.
    """
    folder = log_folder(store)
    try:
        names = [] if folder is None else os.listdir(folder)  # noqa: PTH208 - at each opening, as a rule of no folder
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name.startswith(prefix)] if folder is not None else []


def finish(store: str | Path) -> None:
    """Empty the logs that a process was killed over. What cannot be written now is tried again at the next opening."""
    for note in begun(store, _ERASING):
        with suppress(OSError, ValueError):
            for path in _lines(note):
                _empty(path)
            note.unlink()


def _empty(log: Path) -> None:
    """Take the texts out of a log. Raises OSError."""
    from reverie.ops.log import erase_texts  # it loads the ports, which help and completion do without

    erase_texts(log)


def note_copy(store: str | Path, copy: Path) -> None:
    """Write down that a copy of a store is about to be made, so that an erasure can name it."""
    folder = log_folder(store)
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = (*_lines(folder / _COPIES), copy.absolute())
        replace(folder / _COPIES, _text(dict.fromkeys(known)), mode=OWNER_ONLY)


def copies_of(store: str | Path) -> list[Path]:
    """The backups, replays and exports of a store that this user made on this machine, and that are still there."""
    folder = log_folder(store)
    try:
        return [] if folder is None else [path for path in _lines(folder / _COPIES) if path.exists()]
    except (OSError, ValueError):
        return []


def halves_of(store: str | Path) -> list[Path]:
    """What copying left, where it was killed: hidden files beside the store and where copies of it were made."""
    folder = log_folder(store)
    if folder is None:
        return []
    beside = [file_of(store).parent]
    with suppress(OSError, ValueError):
        beside += [path.parent for path in _lines(folder / _COPIES)]
    found = (path for place in dict.fromkeys(beside) for path in sorted(place.glob(".*.reverie*")))
    return [path for path in found if is_left(path)]


def _note(store: str | Path, logs: list[Path]) -> Path | None:
    folder = log_folder(store)
    if folder is None or not logs:
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    note = folder / f"{_ERASING}{os.getpid()}-{next(_NUMBERS)}"
    replace(note, _text(logs), mode=OWNER_ONLY)
    return note


def _lines(file: Path) -> tuple[Path, ...]:
    """The paths that a file names, one after another, each ended by NUL: the one character that none can hold."""
    try:
        written = file.read_bytes()
    except FileNotFoundError:
        return ()
    return tuple(Path(os.fsdecode(one)) for one in written.split(b"\0") if one)


def _text(paths: Iterable[Path]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


# Work of several steps that a kill must not leave half done: noted before it begins, finished at the next opening.


_PREFIX = "unfinished-"
_RUNNING: set[Path] = set()
"""The notes of this process whose work goes on."""


@dataclass(frozen=True, slots=True)
class Work:
    """Pending work: memories to erase, by scope, and the event after which imported memories must be screened."""

    erase: tuple[tuple[Scope, tuple[str, ...]], ...] = ()
    screen_after: int | None = None


@contextmanager
def noted(store: str | Path, work: Work) -> Iterator[None]:
    """Keep a note of pending work while the block runs; if no note can be written, the block runs anyway."""
    note = _write(store, work)
    try:
        yield
    finally:
        _RUNNING.discard(note)
    with suppress(OSError):
        note.unlink(missing_ok=True)


def left(store: str | Path) -> Iterator[tuple[Path, Work]]:
    """Return the notes of abandoned work, each with what to do."""
    for note in begun(store, _PREFIX):
        with suppress(OSError, ValueError, KeyError, TypeError, InvalidScope):
            process = int(note.name.removeprefix(_PREFIX).split("-")[0])
            if note not in _RUNNING and (process == os.getpid() or not is_alive(process)):
                yield note, _read(note)


def _write(store: str | Path, work: Work) -> Path:
    folder = log_folder(store)
    note = (folder or Path()) / f"{_PREFIX}{os.getpid()}-{next(_NUMBERS)}"
    going = [[scope.agent, scope.user, scope.project, *names] for scope, names in work.erase]
    if folder is not None:
        _RUNNING.add(note)
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace(note, json.dumps({"erase": going, "screen_after": work.screen_after}).encode(), mode=OWNER_ONLY)
    return note


def _read(note: Path) -> Work:
    told = json.loads(note.read_bytes())
    from reverie.types import Scope  # only where there is such work: with it comes numpy

    going = tuple((Scope(agent, user, project), tuple(names)) for agent, user, project, *names in told["erase"])
    return Work(going, told["screen_after"])
