"""Files that belong to a store: its path, the ops logs that may contain its texts, and notes of unfinished work."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from reverie.durable import OWNER_ONLY, is_alive, is_left, replace, state_folder, unwritable
from reverie.errors import InvalidInput, InvalidScope

if TYPE_CHECKING:
    from reverie.types import Scope

STORE_FILE = "reverie.db"
"""Name of the store's file in a folder."""
IN_MEMORY = ":memory:"
LANCE = "lance:"
"""Optional prefix of the path of OpenClaw's own table."""
SERVERS = ("postgresql://", "postgres://")
"""Prefixes of a database's address."""
CIPHER = "sqlcipher:"
"""Prefix of the path of an encrypted store."""
_LIST = ".toml"
"""Ends the path of the list of a store's several databases."""


def is_encrypted(store: str | Path) -> bool:
    """Whether a store is named as an encrypted one. Raises InvalidInput for a value that is neither true nor false."""
    if not is_address(store):
        return str(store).startswith(CIPHER)
    said = parse_qs(urlsplit(str(store)).query, keep_blank_values=True).get("encrypted", ["false"])[-1]
    if said not in ("true", "false"):
        raise InvalidInput(f"encrypted={said} in an address means nothing.", "Write encrypted=true, or leave it out.")
    return said == "true"


def plain_path(store: str | Path) -> str:
    """Return a store's path without the prefix of encrypted ones."""
    return str(store).removeprefix(CIPHER)


def is_address(store: str | Path) -> bool:
    """Whether a store is named by the address of a database server, not by a path."""
    return str(store).startswith(SERVERS)


def is_list(store: str | Path) -> bool:
    """Whether a store is named by a list of its several databases."""
    return str(store).endswith(_LIST) and not is_address(store)


def has_own_file(store: str | Path) -> bool:
    """Whether a store is a file of Reverie's own: no database or list of them, not OpenClaw's table, not in memory."""
    name = plain_path(store)
    if is_address(name) or is_list(name) or name == IN_MEMORY or name.startswith(LANCE):
        return False
    return not (Path(name) / "memories.lance").is_dir()


def place_of(store: str | Path, tenant: str = "") -> str:
    """Return what a store is called in logs and notes: its path; an address without password and options."""
    if not is_address(store):
        return plain_path(store) + (f"#{tenant}" if tenant else "")
    parts = urlsplit(str(store))
    host = parts.netloc.rpartition("@")[2]
    asked = parse_qs(parts.query)
    host = host or next(iter(asked.get("host", [""])))
    named = tenant or parts.fragment or next(iter(asked.get("tenant", ["default"])))
    return f"postgresql://{host}{parts.path}#{named}"


def file_of(store: str | Path) -> Path:
    """Return the real path of the store's file, the same for every path that names the store."""
    if is_address(store):
        return Path(os.sep, "postgresql", sha256(place_of(store).encode()).hexdigest()[:16])
    named = str(Path(plain_path(store).removeprefix(LANCE)))
    is_folder = os.path.isdir(named)  # noqa: PTH112 - at each opening, and a Path takes three times as long
    return Path(os.path.realpath(os.path.join(named, STORE_FILE) if is_folder else named))  # noqa: PTH118 - as above


LOG_FILE = "ops-log.jsonl"
_LOGS, _OF, _ELSEWHERE, _ERASING, _COPIES = "logs", "store", "elsewhere", "erasing-", "copies"
"""The folder of all logs; and in a store's log folder: its path, its logs elsewhere, logs to empty, its copies."""
_NAME_MAX = 40
_NUMBERS = count()


def log_folder(store: str | Path) -> Path | None:
    """Return the folder of a store's logs; None for a store without a file, or without a home folder."""
    state = state_folder(os.environ)
    if str(store) == IN_MEMORY or state is None:
        return None
    return _folder_of(str(file_of(store)), state)


@lru_cache(8)
def _folder_of(file: str, state: Path) -> Path:
    """Compute ``log_folder`` of a file; cached, because opening a store calls it several times."""
    digits = sha256(os.fsencode(file)).hexdigest()[:16]
    return state / _LOGS / f"{Path(file).parent.name[:_NAME_MAX] or 'root'}-{digits}"


def sign(store: str | Path, log: Path) -> None:
    """Record which store a log belongs to; errors are ignored, as then the log cannot be written either."""
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
    """Yield every log that may contain texts of a store: its own, those elsewhere, and those of vanished stores.

    Earlier versions wrote the log beside the store. A moved store has a new log, and its old log names a path that no
    longer exists: hence the logs of vanished stores.
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
    """Run the block, then remove all texts from the logs; after a crash in between, opening the store does it.

    Raises:
        StoreError: a log cannot be read or written; opening the store tries again.
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
    """Return the notes of unfinished work in a store's log folder whose names begin with ``prefix``, sorted.

    The list is empty if there is no folder or it cannot be read.
    """
    folder = log_folder(store)
    try:
        names = [] if folder is None else os.listdir(folder)  # noqa: PTH208 - at each opening; mostly no folder
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name.startswith(prefix)] if folder is not None else []


def finish(store: str | Path) -> None:
    """Remove texts from logs where a crash prevented it; what cannot be written is retried at the next opening."""
    for note in begun(store, _ERASING):
        with suppress(OSError, ValueError):
            for path in _lines(note):
                _empty(path)
            note.unlink()


def _empty(log: Path) -> None:
    """Remove the texts from a log. Raises OSError."""
    from reverie.ops.log import erase_texts  # imports the ports, which help and completion do not need

    erase_texts(log)


def note_copy(store: str | Path, copy: Path) -> None:
    """Record the path of a copy of the store about to be made, so that an erasure can point to it."""
    folder = log_folder(store)
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = (*_lines(folder / _COPIES), copy.absolute())
        replace(folder / _COPIES, _text(dict.fromkeys(known)), mode=OWNER_ONLY)


def copies_of(store: str | Path) -> list[Path]:
    """Return the backups, replays and exports of a store that this user made on this machine and that still exist."""
    folder = log_folder(store)
    try:
        return [] if folder is None else [path for path in _lines(folder / _COPIES) if path.exists()]
    except (OSError, ValueError):
        return []


def halves_of(store: str | Path) -> list[Path]:
    """Return hidden files left by interrupted copying, beside the store and in the folders of its copies."""
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
    """Read the paths listed in a file, each ended by NUL, the one character that no path can contain."""
    try:
        written = file.read_bytes()
    except FileNotFoundError:
        return ()
    return tuple(Path(os.fsdecode(one)) for one in written.split(b"\0") if one)


def _text(paths: Iterable[Path]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


_PREFIX = "unfinished-"
_RUNNING: set[Path] = set()
"""Notes of work that this process is doing now."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work to complete after a crash: memories to erase, by scope, and after which events imports are screened.

    The events are given by scope; with no scope, everything is screened.
    """

    erase: tuple[tuple[Scope, tuple[str, ...]], ...] = ()
    screen_after: Mapping[Scope, int] | None = None


@contextmanager
def noted(store: str | Path, work: Work) -> Iterator[None]:
    """Keep a note of the work until the block succeeds; if no note can be written, the block runs without one."""
    note = _write(store, work)
    try:
        yield
    finally:
        _RUNNING.discard(note)
    with suppress(OSError):
        note.unlink(missing_ok=True)


def left(store: str | Path) -> Iterator[tuple[Path, Work]]:
    """Yield the notes of work that no running process is doing, each with the work to complete."""
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
            after = work.screen_after
            screened = (
                None if after is None else [[one.agent, one.user, one.project, seq] for one, seq in after.items()]
            )
            replace(note, json.dumps({"erase": going, "screen_after": screened}).encode(), mode=OWNER_ONLY)
    return note


def _read(note: Path) -> Work:
    told = json.loads(note.read_bytes())
    from reverie.types import Scope  # imported only if there is such work, as it imports numpy

    going = tuple((Scope(agent, user, project), tuple(names)) for agent, user, project, *names in told["erase"])
    after = told["screen_after"]
    if not isinstance(after, list | None):  # the number of an event of a journal over all scopes, as there was before
        after = []
    return Work(going, None if after is None else {Scope(*names): int(seq) for *names, seq in after})
