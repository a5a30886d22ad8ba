"""Work of several steps that a kill must not leave half done: noted before it begins, finished at the next opening.

In: which memories of which scopes are to go, or after which event the screen has to look. The notes lie beside the
store's log, in the user's own state folder, and hold ids and numbers alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from reverie.durable import OWNER_ONLY, is_alive, replace
from reverie.engine.logs import begun, log_folder
from reverie.errors import InvalidScope
from reverie.types import Scope

_PREFIX = "unfinished-"
_NUMBERS = count()
_RUNNING: set[Path] = set()
"""The notes of this process whose work goes on."""


@dataclass(frozen=True, slots=True)
class Work:
    """Memories that are to be erased, by scope; and the event after which what came in is to be screened."""

    erase: tuple[tuple[Scope, tuple[str, ...]], ...] = ()
    screen_after: int | None = None


@contextmanager
def noted(store: str | Path, work: Work) -> Iterator[None]:
    """What is done inside is noted until it has ended; where nothing can be noted, it is done all the same."""
    note = _write(store, work)
    try:
        yield
    finally:
        _RUNNING.discard(note)
    with suppress(OSError):
        note.unlink(missing_ok=True)


def left(store: str | Path) -> Iterator[tuple[Path, Work]]:
    """The notes of work that nobody goes on with, each with what is to be done."""
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
    going = tuple((Scope(agent, user, project), tuple(names)) for agent, user, project, *names in told["erase"])
    return Work(going, told["screen_after"])
