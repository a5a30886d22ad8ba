"""Exit codes of the commands, and checks of the paths that commands may write to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from reverie import errors
from reverie.durable import unreadable
from reverie.errors import Conflict, ReverieError, StoreError
from reverie.wire.errors import CODES, code

if TYPE_CHECKING:
    from reverie.config import Settings


DONE = 0
UNEXPECTED = 1
FAULTS = 6
PARTLY = 7
UNCONFIRMED = 8
INTERRUPTED = 130
PIPE_CLOSED = 141

ERRORS = {kind: code.exit for kind, code in CODES.items()}
"""Exit code of every error class."""

OUTCOMES: dict[int, str] = {
    DONE: "done",
    UNEXPECTED: "a fault of Reverie's own",
    FAULTS: "`store verify`, `store replay` or `doctor` found a fault",
    PARTLY: "`import`, `observe` or `vault` did what it could; what was broken, or changed on both sides, is named",
    UNCONFIRMED: "a command that asks (`install`, `memory erase`, `setup` …) was not confirmed; nothing was changed",
    INTERRUPTED: "interrupted (Ctrl-C); what was written stays; `import` and `store embed` go on where they stopped",
    PIPE_CLOSED: "whoever read the output stopped reading",
}
"""Exit codes that belong to no error class, and their meanings."""


def exit_code(error: errors.ReverieError) -> int:
    """Return the exit code of an error."""
    return code(error).exit


def failure(kind: str, message: str, mend: str, number: int) -> dict[str, object]:
    """Return a failure that is no error of the tree, in the JSON form of errors."""
    return {"error": {"kind": kind, "message": message, "mend": mend, "exit_code": number}}


UNDONE = failure(
    "Unconfirmed", "Not confirmed; nothing was erased.", "Give --yes where nobody can be asked.", UNCONFIRMED
)
"""JSON answer of an unconfirmed `memory erase`; `install` and `dream schedule` show what they would write."""


def table() -> str:
    """Return every exit code and its meaning as a Markdown table, for the documentation."""
    rows = {number: [meaning] for number, meaning in OUTCOMES.items()}
    for kind, number in ERRORS.items():
        rows.setdefault(number, []).append(f"`{kind.__name__}`: {_meaning(kind)}")
    lines = [f"| {number} | {'; '.join(meanings)} |" for number, meanings in sorted(rows.items())]
    return "\n".join(["| code | meaning |", "| --- | --- |", *lines])


def _meaning(kind: type[errors.ReverieError]) -> str:
    if kind is errors.ReverieError:
        return "any other error"
    first = (kind.__doc__ or "").split("\n", 1)[0].rstrip(".")
    return first[:1].lower() + first[1:]


_DATABASE = b"SQLite format 3\0"
_OTHER = "Choose another name."


def place_for(file: Path, settings: Settings, *, force: bool) -> Path:
    """Return where a file is to be written: the target of its links, so that a link stays a link.

    Raises:
        Conflict: what exists must not be overwritten: without ``force`` anything; with it a store, the ops log, a pipe,
            a
          device or a folder. Nor may a file take the name of a settings file.
    """
    place = Path(os.path.realpath(file))
    if _is_settings(file, place):
        raise Conflict(f"{file} is a file that Reverie reads its settings from.", _OTHER)
    if place in _in_use(settings):
        raise Conflict(f"{file} is the store, or one of the files it keeps beside it.", _OTHER)
    if not place.exists():
        return place
    if not place.is_file():
        raise Conflict(f"{file} is there, and is no ordinary file.", _OTHER)
    if not force:
        raise Conflict(f"{file} exists already.", "Choose another name, or give --force.")
    if _is_database(place):
        raise Conflict(f"{file} is a store or another database, and those are not written over.", _OTHER)
    return place


def _is_settings(file: Path, place: Path) -> bool:
    """Whether settings are, or would be, read from a file: any folder's, or the user's own."""
    from reverie.config import PROJECT_FILE, user_file

    own = user_file(os.environ)
    return PROJECT_FILE in (file.name, place.name) or (own is not None and place == Path(os.path.realpath(own)))


def _in_use(settings: Settings) -> set[Path]:
    """Return the store's file, SQLite's files beside it, and the ops logs."""
    from reverie.engine.logs import STORE_FILE
    from reverie.wire.logs import log_path, older_logs

    store = Path(settings.store)
    named = str(store / STORE_FILE if store.is_dir() else store)
    used = [os.path.realpath(named) + suffix for suffix in ("", "-wal", "-shm", "-journal", "-dream", "-head")]
    log = log_path(settings)
    logs = [*older_logs(settings), *([] if log is None else [log])]
    return {Path(one) for one in (*used, *map(os.path.realpath, logs))}


def _is_database(place: Path) -> bool:
    try:
        with place.open("rb") as stream:
            return stream.read(len(_DATABASE)) == _DATABASE
    except OSError as error:
        raise unreadable(error, place) from None


def refused(error: OSError) -> ReverieError:
    """Convert a system error about a path to a StoreError: no permission, too long a name, a folder that is gone."""
    if error.filename is None:
        return StoreError("The folder that you are in is gone.", "Change to another folder.")
    what = f"{os.fsdecode(error.filename)} cannot be used: {error.strerror or error}."
    return StoreError(what, "Check the path and its permissions.")
