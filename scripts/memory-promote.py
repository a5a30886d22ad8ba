#!/usr/bin/env python3
"""Share what earned it with all agents, and bring older copies up to date.

    python3 scripts/memory-promote.py

It needs Python 3.9 or newer, and nothing else. It is a part of Reverie (Apache-2.0), made out of its source by
`python -m tools.vault_scripts`: a change belongs there.
"""
# ruff: noqa: A001, ARG001, B905, D101, D103, E501, UP031, UP036, UP042
# fmt: off

from __future__ import annotations

import sys

if sys.version_info < (3, 9):
    sys.exit("This script needs Python 3.9 or newer; this one is %d.%d." % sys.version_info[:2])
import argparse
import errno
import gc
import hashlib
import json
import math
import os
import re
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from datetime import date, datetime
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

if sys.version_info >= (3, 11):
    from enum import StrEnum
else:
    from enum import Enum

    class StrEnum(str, Enum):
        __str__ = str.__str__

if sys.version_info >= (3, 10):
    from dataclasses import dataclass
else:
    import builtins
    import dataclasses

    def dataclass(**options):
        return dataclasses.dataclass(**{name: value for name, value in options.items() if name != "slots"})

    def zip(*iterables, strict):
        return builtins.zip(*iterables)


# --- reverie.errors

class ReverieError(Exception):
    """Base of the tree: what happened, and in ``mend`` what the reader can do about it."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message} {self.mend}".strip()


class InvalidInput(ReverieError):
    """A value the caller handed in cannot be used."""


class InvalidScope(InvalidInput):
    """A scope part is missing, empty or too long."""


class InvalidSetting(InvalidInput):
    """A setting is unknown, of the wrong type or out of range."""


class InvalidExport(InvalidInput):
    """A file to import is not of the form it claims."""


class NotFound(ReverieError):
    """No memory, session or file of that name in this scope."""


class Conflict(ReverieError):
    """What is there already stands against it: a file, or a message id with other words."""


class StoreError(ReverieError):
    """The store cannot do what was asked."""


class StoreMissing(StoreError):
    """Nothing was initialised at this path."""


class StoreClosed(StoreError):
    """The engine was closed before the call."""


class StoreBusy(StoreError):
    """Another process held the store for too long."""


class StoreFull(StoreError):
    """The disk is full."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreCorrupt(StoreError):
    """The file is damaged, or the journal's chain is broken."""


class StoreTooNew(StoreError):
    """The file was written by a newer Reverie."""


class StoreUntrusted(StoreError):
    """It came with a folder, and the user has not agreed to it."""


class ModelError(ReverieError):
    """An embedding model cannot do what was asked."""


class ModelMissing(ModelError):
    """The package or file of the model is not installed."""


class ModelCorrupt(ModelError):
    """The weights are not the ones that were published."""


class ModelUnavailable(ModelError):
    """The endpoint did not answer."""


class ServerError(ReverieError):
    """A Reverie server cannot do what was asked."""


class AccessRefused(ServerError):
    """The token is missing, unknown, or not for this."""


class ServerUnavailable(ServerError):
    """Nothing answers there, or it wants to be left alone for a while."""


# --- reverie.faces.cli.screen

# Compiled at first use: most starts of the command end without showing a stored text.
_ACTED_ON = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of what follows
    "\u2028\u2029\ufff9-\ufffb"  # line breaks of Unicode's own; annotations
    "\ud800-\udfff]"  # lone surrogates, which no encoding carries
)


def visible(text: str) -> str:
    """The text with every character written out that a terminal would act on; tabs become spaces."""
    return re.sub(_ACTED_ON, _written_out, text).replace("\t", "    ")


def one_line(text: str) -> str:
    """The visible text with its line breaks shown instead of obeyed."""
    return visible(text).replace("\n", " ⏎ ")


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its heading.
        number: it stands to the right.
        style: its colour on a terminal.
        wraps: it takes the width that is left.
        under: on a terminal it stands below the column before it, not beside it, where it has words.
    """

    name: str
    number: bool = False
    style: str = ""
    wraps: bool = False
    under: bool = False


class PlainScreen:
    """Where a command shows its answer: the standard output, and the error stream for everything beside it."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def line(self, text: str = "") -> None:
        """One line of the answer."""
        sys.stdout.write(one_line(text) + "\n")

    def note(self, text: str) -> None:
        """One line beside the answer."""
        sys.stderr.write(one_line(text) + "\n")

    def json(self, shape: Mapping[str, object]) -> None:
        """The answer as JSON, in ASCII: the same bytes in every locale, and nothing for a terminal to obey."""
        import json

        sys.stdout.write(json.dumps(shape, ensure_ascii=True, indent=2) + "\n")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """A table, as plain columns."""
        _plain(columns, [[one_line(cell) for cell in row] for row in rows])


def _plain(columns: Sequence[Column], rows: list[list[str]]) -> None:
    lines = [[column.name for column in columns], *rows]
    # A long text is not padded to the longest: whoever reads this without a terminal has no width to fill.
    widths = [0 if column.wraps else max(len(line[n]) for line in lines) for n, column in enumerate(columns)]
    for line in lines:
        cells = [
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


# --- reverie.formulas.vault

class Happening(StrEnum):
    """What can happen to an observation."""

    REFERENCED = "referenced by the same agent"
    REFERENCED_BY_OTHER = "referenced by another agent"
    GOOD_OUTCOME = "led to a good outcome"
    VERIFIED = "prediction matched reality"
    FLAGGED_IMPORTANT = "a person called it important"
    FLAGGED_WRONG = "a person called it wrong"
    CONTRADICTED = "contradicted by a newer one"


VAULT_DIGITS = 12
"""Places that importance is worked out to: three tenths above .5 are .8, not a hair less, for edges lie at tenths."""


@dataclass(frozen=True, slots=True)
class EventTable:
    """What each event adds (contradiction a negative figure), and what the two flags set importance to."""

    referenced: float
    referenced_by_other: float
    good_outcome: float
    verified: float
    contradicted: float
    flagged_important: float
    flagged_wrong: float


@dataclass(frozen=True, slots=True)
class NeglectLaw:
    """What each full period without a reference takes, and the most that neglect takes in all."""

    per_period: float
    period_days: float
    most: float


def after(importance: float, happening: Happening, table: EventTable) -> float:
    """Importance in [0, 1] after one event; a flag sets it, everything else adds.

    Source: ocean-vault
    """
    if happening is Happening.FLAGGED_IMPORTANT:
        return table.flagged_important
    if happening is Happening.FLAGGED_WRONG:
        return table.flagged_wrong
    added = {
        Happening.REFERENCED: table.referenced,
        Happening.REFERENCED_BY_OTHER: table.referenced_by_other,
        Happening.GOOD_OUTCOME: table.good_outcome,
        Happening.VERIFIED: table.verified,
        Happening.CONTRADICTED: table.contradicted,
    }
    return moved(importance, added[happening])


def moved(importance: float, by: float) -> float:
    """Importance in [0, 1] after something was added to it, or, where ``by`` is negative, taken from it.

    Source: ocean-vault
    """
    return min(1.0, max(0.0, round(importance + by, VAULT_DIGITS)))


def earned(start: float, happenings: Iterable[Happening], table: EventTable) -> float:
    """Importance in [0, 1] after all events in their order, before neglect.

    Source: ocean-vault
    """
    importance = start
    for happening in happenings:
        importance = after(importance, happening, table)
    return importance


def neglected(earned: float, idle_days: float, law: NeglectLaw) -> float:
    """Importance in [0, 1] after neglect, taken from what was ``earned``, never from what neglect left before.

    Args:
        earned: importance before neglect.
        idle_days: since the last reference, else since creation.
        law: what neglect takes.

    Source: ocean-vault
    """
    lost = neglect(idle_days, law)
    return moved(earned, -lost) if lost else earned


def neglect(idle_days: float, law: NeglectLaw) -> float:
    """What neglect takes in all from what was idle for so many days.

    Source: ocean-vault
    """
    periods = max(0.0, idle_days) // law.period_days
    return round(min(law.most, law.per_period * periods), VAULT_DIGITS)


class SharedTruth(StrEnum):
    """Why an observation is shared, or that it is not."""

    BY_PERSON = "a person said so"
    EARNED = "important by use"
    VERIFIED = "verified and important"
    NOT_YET = "not yet"

    @property
    def moves(self) -> bool:
        """Whether the observation is shared."""
        return self is not SharedTruth.NOT_YET


@dataclass(frozen=True, slots=True)
class VaultPromotionEdges:
    """The least importance, and the least of what is verified."""

    importance: float
    verified_importance: float


def sharing_verdict(importance: float, verified: bool, by_person: bool, edges: VaultPromotionEdges) -> SharedTruth:
    """The first reason there is to share an observation.

    Source: ocean-vault
    """
    if by_person:
        return SharedTruth.BY_PERSON
    if importance >= edges.importance:
        return SharedTruth.EARNED
    if verified and importance >= edges.verified_importance:
        return SharedTruth.VERIFIED
    return SharedTruth.NOT_YET


class Sweep(StrEnum):
    """What becomes of an observation."""

    ARCHIVE = "archive"
    REVIEW = "review"
    EXTEND = "extend"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SweepEdges:
    """``floor``: below it archived at any age. Past its age: archived below ``low``, extended from ``high`` on."""

    floor: float
    low: float
    high: float


def sweep_verdict(age_days: float, effective_max_age_days: float, importance: float, edges: SweepEdges) -> Sweep:
    """The verdict on one observation; between ``low`` and ``high`` and past its age, a person looks at it.

    Source: ocean-vault
    """
    if importance < edges.floor:
        return Sweep.ARCHIVE
    if age_days <= effective_max_age_days:
        return Sweep.KEEP
    if importance < edges.low:
        return Sweep.ARCHIVE
    return Sweep.REVIEW if importance < edges.high else Sweep.EXTEND


def extended(max_age_days: float, factor: float) -> float:
    """The declared maximum age after one extension, ``factor`` ≥ 1 times what it was.

    Source: ocean-vault
    """
    return max_age_days * factor


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An observation: ids collide between agents, so the agent is part of its name."""

    agent: str
    id: str


def meant(link: str, agent: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """The observations a backlink of ``agent`` may mean: ``other/obs-…`` names its agent; a bare id the agent's own.

    A bare id that is nobody's own may mean every other agent's of that name.

    Source: ocean-vault
    """
    owner, slash, bare = link.rpartition("/")
    bearers = sorted({name for name in names if name.id == bare and (not slash or name.agent == owner)})
    own = tuple(name for name in bearers if name.agent == agent)
    return own or tuple(bearers)


def resolved(link: str, agent: str, names: Iterable[Name]) -> Name | None:
    """The one observation a backlink of ``agent`` means; None where it may mean none, or several.

    Source: ocean-vault
    """
    found = meant(link, agent, names)
    return found[0] if len(found) == 1 else None


def references(backlinks: Sequence[tuple[Name, Sequence[str]]]) -> dict[Name, tuple[Name, ...]]:
    """For each observation those that refer to it (its ``ref_by``; their number is ``refs``), each once, sorted.

    Nobody refers to themselves.

    Args:
        backlinks: every observation with the backlinks it carries.

    Source: ocean-vault
    """
    by_id: dict[str, list[Name]] = {}
    for name, _ in backlinks:
        by_id.setdefault(name.id, []).append(name)
    found: dict[Name, set[Name]] = {name: set() for name, _ in backlinks}
    for name, links in backlinks:
        for link in links:
            target = resolved(link, name.agent, by_id.get(link.rpartition("/")[2], ()))
            if target is not None and target != name:
                found[target].add(name)
    return {name: tuple(sorted(sources)) for name, sources in found.items()}


# --- reverie.durable

OWNER_ONLY = 0o600
_FULL = (errno.ENOSPC, errno.EDQUOT)
_LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_LINK = (os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "O_NOFOLLOW") else 0


def write_beside(path: Path, content: bytes, *, like: os.stat_result | None = None, mode: int = 0o666) -> Path:
    """The new content on the disk in a hidden file of its own. Raises OSError; nothing is left then."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.reverie")
    beside.unlink(missing_ok=True)  # of a process of that number which was killed
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode if like is None else OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if like is not None:
                _give(file.fileno(), like)
            os.fsync(file.fileno())
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    return beside


def open_plain(path: Path, flags: int, mode: int = OWNER_ONLY) -> int:
    """Open an ordinary file, whoever owns it, without following a link at its path; nobody waits for a pipe.

    Raises:
        OSError: it cannot be opened, or is a link, a folder, a pipe or a device.
    """
    try:
        handle = os.open(path, flags | _NO_LINK, mode)
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise OSError(errno.ELOOP, "it is a link, and links are not followed here", str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    return handle


def unwritable(error: OSError, path: Path) -> ReverieError:
    """What to tell of a file that could not be written."""
    what = f"{path} cannot be written: {error.strerror or error}."
    if error.errno in _FULL:
        return StoreFull(what, "Free some space, then run this again; what was done stays done.")
    if error.errno in _LOCKED:
        return StoreReadOnly(what, "Check the permissions of the file and its folder.")
    return StoreError(what, "Check the path.")


def unreadable(error: OSError, path: Path) -> StoreError:
    """What to tell of a file or folder that is there and cannot be read."""
    return StoreError(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


def _give(handle: int, known: os.stat_result) -> None:
    """Give an open file the permissions, and where one may the owner, of the one it is to replace."""
    if not hasattr(os, "fchown"):
        return
    if (known.st_uid, known.st_gid) != (os.getuid(), os.getgid()):
        with suppress(PermissionError):  # only root gives files away; the permissions hold all the same
            os.fchown(handle, known.st_uid, known.st_gid)
    os.fchmod(handle, stat.S_IMODE(known.st_mode))


# --- reverie.vault.files

_FILES_AT_ONCE = 8
"""Files brought to the disk at the same time: file systems then write them down together, three times as fast."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What a file said when it was read (None: there was none), and what it is to say."""

    path: Path
    before: bytes | None
    after: bytes


def carry_out(edits: Sequence[Edit]) -> list[bool]:
    """For each edit whether it was done; it was not where the file says something else by now. Raises StoreError."""
    besides: list[Path | None] = []
    done: list[bool] = []
    try:
        besides += _all_beside(edits)
        for edit, beside in zip(edits, besides, strict=True):
            done.append(beside is not None and _put(edit, beside))
        for folder in sorted({edit.path.parent for edit in edits}):
            _keep_names(folder)
    except OSError as error:
        raise unwritable(error, edits[len(done)].path if len(done) < len(edits) else edits[0].path) from None
    finally:
        for left in besides:
            if left is not None:
                left.unlink(missing_ok=True)
    return done


def move(path: Path, to: Path, before: bytes) -> bool:
    """Move a file that still says what was read; never over another one. Raises StoreError."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        if contents(path) != before:
            return False
        if contents(to) == before and os.path.samestat(path.stat(), to.stat()):
            path.unlink()  # broken off between the two steps the last time
            return True
        if to.exists():
            return False
        _without_overwriting(path, to)
        _keep_names(to.parent)
        _keep_names(path.parent)
    except OSError as error:
        raise unwritable(error, path) from None
    return True


def contents(path: Path) -> bytes | None:
    """What a file says now; None where there is none."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _all_beside(edits: Sequence[Edit]) -> list[Path | None]:
    """The new contents on the disk, each in a file of its own; none is left where one cannot be written."""
    if len(edits) < _FILES_AT_ONCE:
        tries = [_try_beside(edit) for edit in edits]
    else:
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            tries = list(pool.map(_try_beside, edits))
    failed = next((error for error in tries if isinstance(error, OSError)), None)
    besides = [one for one in tries if not isinstance(one, OSError)]
    if failed is not None:
        for beside in besides:
            if beside is not None:
                beside.unlink(missing_ok=True)
        raise failed
    return besides


def _try_beside(edit: Edit) -> Path | OSError | None:
    try:
        return _written_beside(edit)
    except OSError as error:
        return error


def _written_beside(edit: Edit) -> Path | None:
    """The new content in a file of its own; None where the old one is not what it was."""
    known = None
    if edit.before is not None:
        try:
            known = edit.path.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(known.st_mode):
            return None
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    return write_beside(edit.path, edit.after, like=known)


def _put(edit: Edit, beside: Path) -> bool:
    if edit.before is None:
        if edit.path.is_symlink() or edit.path.exists():
            return False
        try:
            _without_overwriting(beside, edit.path)
        except FileExistsError:
            return False
        return True
    if contents(edit.path) != edit.before:
        return False
    beside.replace(edit.path)
    return True


def _without_overwriting(path: Path, to: Path) -> None:
    """Rename, and fail where the new name is taken."""
    try:
        os.link(path, to)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if to.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to)) from None
        path.rename(to)
    else:
        path.unlink()


def _keep_names(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system lets one open a folder."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
SUFFIX = ".md"


def is_agent(name: str) -> bool:
    """Whether an agent may be called so: letters, digits, dashes and underscores, 64 at most."""
    return bool(_AGENT.match(name))


class Places:
    """The folders of one vault."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.agents_folder = root / "agents"
        self.shared = root / "shared" / "observations"
        self.own = root / ".reverie"
        self.records = self.own / "vault.json"
        self.lock = self.own / "vault.lock"

    @staticmethod
    def above(folder: Path) -> Places:
        """The vault the folder is in. Raises NotFound where it is in none."""
        for root in (folder, *folder.parents):
            places = Places(root)
            if places.is_vault():
                return places
        raise NotFound(
            f"{folder} is in no vault.", "Make one with `reverie vault init`, or name its folder with --vault."
        )

    def is_vault(self) -> bool:
        """Whether the folder is a vault: it has agents, and a place for what they share or the memory of one of them.

        Of a vault whose shared folder is empty, a clone by git may hold the agents' observations alone.
        """
        if not self.agents_folder.is_dir():
            return False
        memories = (self.agents_folder.glob(f"*/memory/{kind}") for kind in ("vault", "archive"))
        return self.shared.is_dir() or any(path.is_dir() for found in memories for path in found)

    def agents(self) -> list[str]:
        """The agents that have a memory here, by name."""
        try:
            with os.scandir(self.agents_folder) as found:
                return sorted(entry.name for entry in found if is_agent(entry.name) and entry.is_dir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unreadable(error, self.agents_folder) from None

    def vault(self, agent: str) -> Path:
        """The folder of an agent's active observations. Raises InvalidInput for what is no agent's name."""
        return self._memory(agent) / "vault"

    def archive(self, agent: str) -> Path:
        """The folder of an agent's decayed observations. Raises InvalidInput for what is no agent's name."""
        return self._memory(agent) / "archive"

    def _memory(self, agent: str) -> Path:
        if not is_agent(agent):
            raise InvalidInput(
                f"{agent!r} cannot be the name of an agent in a vault.",
                "Take letters, digits, - and _, at most 64, the first a letter or digit.",
            )
        return self.agents_folder / agent / "memory"


def notes(folder: Path) -> Iterator[tuple[str, Path]]:
    """The Markdown files of a folder, by name, without those that are hidden or link elsewhere."""
    for name in file_names(folder):
        yield name.removesuffix(SUFFIX), folder / name


def file_names(folder: Path) -> list[str]:
    """What these files are called on the disk, in order. Raises StoreError where the folder cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in found if _is_note(entry))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unreadable(error, folder) from None


def _is_note(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name.endswith(SUFFIX) and not name.startswith(".") and entry.is_file(follow_symlinks=False)


# --- reverie.vault.front

_OPEN = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"""(?:"([^"\\]+)"|'([^']+)'|([^\s"'#\[\]{}&*!|>%@`,?:-][^:]*?))[ \t]*:(?:[ \t]+|$)""")
_PLAIN = re.compile(r"[^\W_][\w./+-]*(?: [\w./+-]+)*\Z")
_SPECIAL = re.compile(r"(?:null|true|false|yes|no|on|off|[-+.\d_eE:xob]+)\Z", re.IGNORECASE)
_SIMPLE_LINE = re.compile(r"([a-z_]\w*): +(?:([A-Za-z0-9][\w.-]*)|\[[\w./+, -]*\])$", re.ASCII)
_SIMPLE = re.compile(r"---\n((?:[a-z_]\w*: (?:[A-Za-z0-9][\w.-]*|\[[\w./+, -]*\])\n)+)---\n", re.ASCII)
"""A whole head of lines that need no second look, as agents write them: read in a third of the time."""
_NOTHING = ("null", "Null", "NULL", "~")


class Malformed(ValueError):
    """A file that is no observation: the line where, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Value(NamedTuple):
    """A value and its place in the text; ``end`` is where a further item of a list would be put.

    Attributes:
        texts: the scalar, or the items of the list.
        start: where what is written begins, after the key's colon and its blanks.
        end: where it ends, comments and blanks after it left out.
        form: ``scalar``, ``flow`` (in brackets), ``block`` (an item a line) or ``none``.
    """

    texts: tuple[str, ...]
    start: int
    end: int
    form: str


class Field(NamedTuple):
    """A field: its line, and where its value may stand, from behind the colon to the end of its last line.

    ``form`` is that of a value which is all there is on its line and needs no second look; else "".
    """

    line: int
    start: int
    end: int
    form: str = ""


@dataclass(frozen=True, slots=True)
class Front:
    """A file's text with its fields; the body begins at ``body``, the line that closes the head at ``close``.

    Attributes:
        simple: each field as it is written, where the whole head is simple lines; else nothing.
        fields: each field with its place, where the head is not simple.
    """

    text: str
    close: int
    body: int
    simple: dict[str, str]
    fields: dict[str, Field]

    def has(self, key: str) -> bool:
        """Whether there is such a field, with a value or without."""
        return key in self.simple or key in self.fields

    def scalar(self, key: str) -> str | None:
        """The value of a field that has one; None where the field or its value is missing. Raises Malformed."""
        said = self.simple.get(key)
        if said is not None and said[0] != "[":
            return None if said in _NOTHING else said
        field = self._field(key)
        if field is None:
            return None
        value = _value(self.text, field, key)
        if value.form == "none":
            return None
        if value.form != "scalar":
            raise Malformed(field.line, f"`{key}` is a list")
        return value.texts[0]

    def items(self, key: str) -> tuple[str, ...]:
        """The items of a list; a single value is a list of one. Raises Malformed."""
        said = self.simple.get(key)
        if said is not None and said[0] == "[":
            return _listed(said)
        field = self._field(key)
        return () if field is None else _value(self.text, field, key).texts

    def line(self, key: str) -> int:
        """The line a field stands in; that of the head where it is missing."""
        field = self._field(key)
        return 1 if field is None else field.line

    def line_of(self, key: str, said: str) -> int:
        """The line in which a field says something; the field's own where it is spelled otherwise there."""
        field = self._field(key)
        if field is None:
            return 1
        place = self.text.find(said, field.start, field.end)
        return field.line + self.text.count("\n", field.start, max(place, field.start))

    def with_scalar(self, key: str, value: str) -> Front:
        """The file with this value in the place of the field's; a missing field comes last in the head."""
        field = self._field(key)
        if field is None:
            return self._with_field(f"{key}: {value}")
        old = _value(self.text, field, key)
        if old.form == "none":
            return self._replaced(old.start, old.end, _after_colon(self.text, old.start, value))
        if old.form != "scalar":
            raise Malformed(field.line, f"`{key}` is a list")
        return self._replaced(old.start, old.end, value)

    def with_items(self, key: str, added: Sequence[str]) -> Front:
        """The file with items added to a list; in the form the list has."""
        if not added:
            return self
        shown = [quoted(item) for item in added]
        field = self._field(key)
        if field is None:
            return self._with_field(f"{key}: [{', '.join(shown)}]")
        old = _value(self.text, field, key)
        if old.form == "block":
            return self._replaced(old.end, old.end, self._lines(old, shown))
        if old.form == "flow" and old.texts:
            inner = self.text[old.start : old.end].rstrip()[:-1].rstrip()
            comma = "" if inner.endswith(",") else ","
            place = old.start + len(inner)
            return self._replaced(place, place, f"{comma} {', '.join(shown)}")
        if old.form == "scalar":
            shown = [quoted(old.texts[0]), *shown]
        listed = f"[{', '.join(shown)}]"
        return self._replaced(
            old.start, old.end, _after_colon(self.text, old.start, listed) if old.form == "none" else listed
        )

    def _field(self, key: str) -> Field | None:
        said = self.simple.get(key)
        if said is None:
            return self.fields.get(key)
        start = self.text.index(f"\n{key}: ") + len(key) + 3
        form = "flow" if said[0] == "[" else "" if said in _NOTHING else "scalar"
        return Field(self.text.count("\n", 0, start) + 1, start, start + len(said), form)

    def _lines(self, old: Value, shown: list[str]) -> str:
        """Further lines of a list that has an item a line, indented like its last one."""
        last = self.text[self.text.rfind("\n", 0, old.end) + 1 : old.end]
        indent = last[: len(last) - len(last.lstrip(" \t"))]
        end = self._line_end()
        return "".join(f"{end}{indent}- {item}" for item in shown)

    def _line_end(self) -> str:
        first = self.text.index("\n")
        return "\r\n" if self.text[first - 1] == "\r" else "\n"

    def _with_field(self, line: str) -> Front:
        return self._replaced(self.close, self.close, line + self._line_end())

    def _replaced(self, start: int, end: int, text: str) -> Front:
        return read(self.text[:start] + text + self.text[end:])


def read(text: str) -> Front:
    """The fields of a file's head. Raises Malformed where there is none, or it cannot be told apart into fields."""
    found = _SIMPLE.match(text)
    if found is not None:
        lines = found[1].split("\n")
        simple = dict([line.split(": ", 1) for line in lines[:-1]])
        if len(simple) == len(lines) - 1:  # no field twice
            return Front(text, found.end(1), found.end(), simple, {})
    opened = _OPEN.match(text)
    if opened is None:
        raise Malformed(1, "no front matter: the first line is not `---`")
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        raise Malformed(1, "the front matter has no end: no line `---` after the first")
    body = text.find("\n", closed.end())
    fields = _fields(text, opened.end(), closed.start())
    return Front(text, closed.start(), len(text) if body < 0 else body + 1, {}, fields)


def quoted(item: str) -> str:
    """A value as it may stand in a list: bare where that says the same, else in quotes."""
    if _PLAIN.match(item) and not _SPECIAL.match(item):
        return item
    return json.dumps(item, ensure_ascii=False)


def _fields(text: str, start: int, end: int) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    key, place, number = "", start, 1
    for line in text[start:end].split("\n"):
        number += 1
        if (simple := _SIMPLE_LINE.match(line)) and (key := simple[1]) not in fields and simple[2] not in _NOTHING:
            form = "scalar" if simple[2] else "flow"
            value = simple.start(2) if simple[2] else line.index("[")
            fields[key] = Field(number, place + value, place + len(line), form)
            place += len(line) + 1
            continue
        bare = line.removesuffix("\r")
        found = None if not bare or bare[0] in " \t#-" else _KEY.match(bare)
        if found is not None:
            key = found[1] or found[2] or found[3]
            if key in fields:
                raise Malformed(number, f"`{key}` is there twice")
            fields[key] = Field(number, place + found.end(), place + len(bare))
        elif _goes_on(text, bare, fields.get(key), number):
            fields[key] = Field(fields[key].line, fields[key].start, place + len(bare))
        place += len(line) + 1
    return fields


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; only line feeds end a line."""
    place = 0
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        yield text[place:end]
        place = end


def _goes_on(text: str, bare: str, field: Field | None, number: int) -> bool:
    """Whether a line that begins no field belongs to the last one; comments and empty lines belong to none."""
    if not bare.strip() or bare.lstrip()[0] == "#":
        return False
    inside = bare[0] in " \t" or bare[0:2] in ("- ", "-")
    if field is not None and (inside or _is_open(text[field.start : field.end])):
        return True
    raise Malformed(number, "neither a field nor the rest of one")


def _is_open(value: str) -> bool:
    return value[:1] in ("[", "{") and value.count(value[0]) > value.count("]" if value[0] == "[" else "}")


def _after_colon(text: str, place: int, value: str) -> str:
    """A value for a field that has none: apart from the colon, and from a comment."""
    before = "" if text[place - 1] in " \t" else " "
    return before + value + (" " if text[place : place + 1] == "#" else "")


def _value(text: str, field: Field, key: str) -> Value:
    start = field.start
    if field.form == "scalar":
        return Value((text[start : field.end],), start, field.end, "scalar")
    if field.form == "flow":
        return Value(_listed(text[start : field.end]), start, field.end, "flow")
    first = text[start : start + 1] if start < field.end else ""
    if first == "[":
        return _flow(text, field, key)
    if first in ("", "\r", "\n", "#", "-") or text[start : field.end].lstrip()[:2] == "- ":
        return _block(text, field, key)
    return _scalar(text, field, key)


def _listed(said: str) -> tuple[str, ...]:
    """The items of a simple list in brackets."""
    return tuple([bare for item in said[1:-1].split(",") if (bare := item.strip())]) if len(said) > 2 else ()


def _scalar(text: str, field: Field, key: str) -> Value:
    start, first = field.start, text[field.start]
    if "\n" in text[start : field.end] or first in "{&*!|>%@`":
        raise Malformed(field.line, f"`{key}` is no simple value")
    if first in "\"'":
        said, end = _quoted(text, start, field, key)
        rest = text[end : field.end].strip()
        if rest and rest[0] != "#":
            raise Malformed(field.line, f"`{key}` goes on after its quotes")
        return Value((said,), start, end, "scalar")
    comment = re.search(r"[ \t]#", text[start : field.end])
    end = start + comment.start() if comment else field.end
    said = text[start:end].rstrip()
    form = "none" if said in _NOTHING else "scalar"
    return Value((said,) if form == "scalar" else (), start, start + len(said), form)


def _quoted(text: str, start: int, field: Field, key: str) -> tuple[str, int]:
    """What stands between quotes, and where they end."""
    pattern = r"'((?:[^'\n]|'')*)'" if text[start] == "'" else r'"((?:[^"\\\n]|\\.)*)"'
    found = re.compile(pattern).match(text, start, field.end)
    if found is None:
        raise Malformed(field.line, f"`{key}` has quotes that do not end")
    if text[start] == "'":
        return found[1].replace("''", "'"), found.end()
    try:
        return str(json.loads(found[0])), found.end()
    except ValueError:
        raise Malformed(field.line, f"`{key}` has a sign after a backslash that means nothing") from None


def _flow(text: str, field: Field, key: str) -> Value:
    """A list in brackets, over several lines too; brackets within it are those of links."""
    items: list[str] = []
    place, depth, bare = field.start, 0, ""
    while place < field.end:
        sign = text[place]
        if sign in "\"'" and not bare.strip():
            said, place = _quoted(text, place, field, key)
            items.append(said)
            bare = ""
            continue
        place += 1
        if sign not in "[],":
            bare += sign
            continue
        if bare.strip():
            items.append(_item(bare.strip(), field, key))
        bare = ""
        depth += {"[": 1, "]": -1, ",": 0}[sign]
        if depth == 0:
            _nothing_after(text[place : field.end], field, key)
            return Value(tuple(items), field.start, place, "flow")
    raise Malformed(field.line, f"`{key}` has a bracket that does not close")


def _item(bare: str, field: Field, key: str) -> str:
    if "\n" in bare or bare[0] == "#":
        raise Malformed(field.line, f"`{key}` has an item that is no simple value")
    return bare


def _nothing_after(rest: str, field: Field, key: str) -> None:
    if rest.strip() and rest.strip()[0] != "#":
        raise Malformed(field.line, f"`{key}` goes on after its bracket")


def _block(text: str, field: Field, key: str) -> Value:
    """A list with an item a line, or nothing at all."""
    items: list[str] = []
    place, end = field.start, field.start
    for number, line in enumerate(_lines(text[field.start : field.end])):
        bare = line.strip()
        if bare.startswith("- ") and number:
            lead = line.index("- ") + 2
            lead += len(line[lead:]) - len(line[lead:].lstrip())
            last = place + len(line.rstrip("\r\n"))
            item = _scalar(text, Field(field.line + number, place + lead, last), key)
            items += item.texts
            end = last
        elif bare and bare[0] != "#":
            raise Malformed(field.line + number, f"`{key}` has a line that is no item")
        place += len(line)
    return Value(tuple(items), field.start, end, "block" if items else "none")


# --- reverie.vault.observation

REQUIRED = ("tags", "importance", "created", "max_age", "source")
PERMANENT = "permanent"
_NUMBER = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)\Z")
_AGE = re.compile(r"(\d{1,6})d\Z")
_COUNT = re.compile(r"\d{1,9}\Z")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?\Z")
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Observation:
    """What a file says; ``front`` is its text with the places of the fields.

    Attributes:
        name: the agent whose folder it lies in, and the file's name without its ending.
        path: where it lies.
        raw: its bytes as they were read.
        importance: in [0, 1].
        max_age_days: inf for what is permanent.
    """

    name: Name
    path: Path
    raw: bytes
    front: Front
    tags: tuple[str, ...]
    importance: float
    created: date
    max_age_days: float
    source: str
    refs: int
    ref_by: tuple[str, ...]
    backlinks: tuple[str, ...]
    verified: bool
    promoted: bool

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return self.front.text[self.front.body :]

    def age_days(self, today: date) -> int:
        """Whole days since it was created; 0 for one of tomorrow."""
        return max(0, (today - self.created).days)


def observation(name: Name, path: Path, raw: bytes) -> Observation:
    """The observation that a file's bytes are. Raises Malformed with line and reason."""
    return of_front(name, path, raw, read(_text(raw)))


def of_front(name: Name, path: Path, raw: bytes, front: Front) -> Observation:
    """The observation of a head that was read. Raises Malformed where a field is missing or says nothing we know."""
    for key in REQUIRED:
        if not front.has(key):
            raise Malformed(1, f"the field `{key}` is missing")
    return Observation(
        name=name,
        path=path,
        raw=raw,
        front=front,
        tags=front.items("tags"),
        importance=_importance(front),
        created=_created(front),
        max_age_days=_max_age(front),
        source=front.scalar("source") or "",
        refs=_refs(front),
        ref_by=tuple(map(_linked, front.items("ref_by"))),
        backlinks=tuple(map(_linked, front.items("backlinks"))),
        verified=_truth(front, "verified"),
        promoted=_truth(front, "promoted"),
    )


def changed(was: Observation, front: Front) -> Observation:
    """The observation with another head or body; the same one where nothing differs."""
    if front.text == was.front.text:
        return was
    return of_front(was.name, was.path, front.text.encode("utf-8"), front)


def age_text(days: float) -> str:
    """A maximum age as the front matter has it, in whole days."""
    return PERMANENT if math.isinf(days) else f"{math.ceil(days)}d"


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(raw.count(b"\n", 0, error.start) + 1, "not UTF-8") from None


def _linked(item: str) -> str:
    """The name in a link as Obsidian writes it: ``[[obs-…|seen as]]``; any other text as it is."""
    return item.removeprefix("[[").removesuffix("]]").split("|")[0].strip().removesuffix(".md")


def _importance(front: Front) -> float:
    found = _number(front.scalar("importance") or "")
    if found is None:
        raise Malformed(front.line("importance"), "`importance` is no number from 0 to 1")
    return found


def _created(front: Front) -> date:
    found = _observation_day(front.scalar("created") or "")
    if found is None:
        raise Malformed(front.line("created"), "`created` is no day like 2026-02-15")
    return found


def _max_age(front: Front) -> float:
    found = _days(front.scalar("max_age") or "")
    if found is None:
        raise Malformed(front.line("max_age"), "`max_age` is neither days like 30d nor permanent")
    return found


# Thousands of files say the same few numbers and days: each is worked out once.
@lru_cache(maxsize=4096)
def _number(said: str) -> float | None:
    return float(said) if _NUMBER.match(said) and float(said) <= 1.0 else None


@lru_cache(maxsize=4096)
def _observation_day(said: str) -> date | None:
    found = _DAY.match(said)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _days(said: str) -> float | None:
    if said == PERMANENT:
        return math.inf
    found = _AGE.match(said)
    return float(found[1]) if found and int(found[1]) else None


def _refs(front: Front) -> int:
    said = front.scalar("refs")
    if said is not None and not _COUNT.match(said):
        raise Malformed(front.line("refs"), "`refs` is no count")
    return int(said or 0)


def _truth(front: Front, key: str) -> bool:
    said = front.scalar(key)
    if said is None or said == "false":
        return False
    if said.lower() not in _TRUTHS:
        raise Malformed(front.line(key), f"`{key}` is neither true nor false")
    return _TRUTHS[said.lower()]


# --- reverie.vault.contents

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_CONTENTS_AT_ONCE = 1 << 16
"""Bytes of a file read at once: most are smaller, and Python's own file objects cost more than the reading."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was left alone: which line, and why; 0 where it is about the whole file."""

    path: Path
    line: int
    reason: str

    def text(self) -> str:
        """The fault in a line."""
        return f"{self.path}, line {self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Held:
    """The observations of a vault: active, archived and shared, each in order of agent and name."""

    active: tuple[Observation, ...]
    archived: tuple[Observation, ...]
    shared: tuple[Observation, ...]
    faults: tuple[Fault, ...]


def gather(places: Places, agents: Iterable[str] | None = None, *, archived: bool = True) -> Held:
    """Read a vault, or what these agents have in it and what is shared."""
    faults: list[Fault] = []
    active: list[Observation] = []
    old: list[Observation] = []
    for agent in places.agents() if agents is None else agents:
        active += folder(places.vault(agent), agent, faults)
        old += folder(places.archive(agent), agent, faults) if archived else []
    shared = folder(places.shared, "", faults)
    return Held(tuple(active), tuple(old), tuple(shared), tuple(faults))


def folder(path: Path, agent: str, faults: list[Fault]) -> list[Observation]:
    """The observations of one folder; what cannot be read is added to the faults."""
    found: list[Observation] = []
    for name, note in notes(path):
        try:
            found.append(observation(Name(agent, name), note, _read(note)))
        except Malformed as error:
            faults.append(Fault(note, error.line, error.reason))
        except FileNotFoundError:
            continue  # moved or deleted since the folder was read
        except OSError as error:
            faults.append(Fault(note, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _read(note: Path) -> bytes:
    """What a file says; a name that has become a link to another place meanwhile is not followed."""
    handle = os.open(note, _FLAGS)
    try:
        parts = [os.read(handle, _CONTENTS_AT_ONCE)]
        while len(parts[-1]) == _CONTENTS_AT_ONCE:
            parts.append(os.read(handle, _CONTENTS_AT_ONCE))
    finally:
        os.close(handle)
    return b"".join(parts) if len(parts) > 1 else parts[0]


def label(name: Name) -> str:
    """An observation as others are told of it: ``agent/name``."""
    return f"{name.agent}/{name.id}"


_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """What was counted of one observation.

    Attributes:
        earned: importance before neglect.
        written: importance as the file had it afterwards; another one in the file is a person's.
        verified: whether a verification was counted.
        since: day (ISO) of a person's last word on its importance, from which neglect counts anew; "" where none.
        credited: the referrers that were counted.
        contradicted_by: the observations that contradict it.
        outcomes: what good came of it, each counted once.
        review: day since which it waits for a person to look at it; "" where it does not.
        copy: SHA-256 of the shared copy as it was written; "" where there is none.
        body: mark of its words, by which a renamed file is known again; "" in files of an older version.
    """

    earned: float
    written: float
    verified: bool = False
    since: str = ""
    credited: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    review: str = ""
    copy: str = ""
    body: str = ""


_FIELDS = tuple(field.name for field in fields(Record))
_NUMBERS = ("earned", "written")


class Records:
    """Every record of a vault, by ``agent/name``; ``fault`` says why the file could not be used, or nothing.

    ``is_kept``: the file is there and can be used, so that an observation it does not know is a new one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw = contents(path)
        self.fault = ""
        self.known: dict[str, Record] = {}
        self.is_kept = False
        if self._raw is not None:
            try:
                self.known = _read_record(self._raw)
                self.is_kept = True
            except (ValueError, TypeError, KeyError) as error:
                self.fault = f"{path} is not what was written there ({error}); it is made anew"

    def save(self, records: Mapping[str, Record]) -> None:
        """Write what is known now, if it differs. Raises StoreError."""
        shown = {name: _shape(record) for name, record in sorted(records.items())}
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(shape)}" for name, shape in shown.items())
        raw = f'{{"format": {_FORMAT}, "observations": {{\n{lines}\n}}}}\n'.encode()
        if raw != self._raw:
            carry_out([Edit(self._path, self._raw, raw)])


def body_mark(seen: Observation) -> str:
    """By what the words of an observation are known again."""
    return blake2b(seen.body.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def following(known: Mapping[str, Record], active: Sequence[Observation], there: Collection[str]) -> dict[str, Record]:
    """The records under the names their observations have now: a renamed file takes its record along.

    Args:
        known: the records under the names that observations had.
        active: the observations that may be new, or renamed.
        there: every name in the vault, archived ones too.
    """
    found = dict(known)
    unknown = [one for one in active if label(one.name) not in known]
    gone = [name for name in known if name not in there] if unknown else []
    marks = {known[name].body or _older_mark(name, known[name]): name for name in reversed(gone)}
    for one in unknown:
        name = label(one.name)
        old = marks.pop(body_mark(one), None) or marks.pop(f"{one.name.id} {one.importance!r}", None)
        if old is not None:
            found[name] = found.pop(old)
    return found


def _older_mark(name: str, record: Record) -> str:
    """What tells of a renamed agent's file where its words were not marked yet: its own name, and the number in it."""
    return f"{name.rpartition('/')[2]} {record.written!r}"


def _shape(record: Record) -> dict[str, object]:
    """Both numbers, and the other fields that say something."""
    values = ((name, getattr(record, name)) for name in _FIELDS)
    return {name: value for name, value in values if name in _NUMBERS or value not in ("", False, ())}


def _read_record(raw: bytes) -> dict[str, Record]:
    shape = json.loads(raw)
    if shape["format"] != _FORMAT:
        raise ValueError(f"format {shape['format']}")
    return {str(name): _record(entry) for name, entry in shape["observations"].items()}


def _record(entry: Mapping[str, object]) -> Record:
    values: dict[str, Any] = {
        name: tuple(map(str, value)) if isinstance(value, list) else value
        for name, value in entry.items()
        if name in _FIELDS
    }
    for number in _NUMBERS:
        values[number] = float(values[number])
    if values.get("since"):
        date.fromisoformat(values["since"])
    return Record(**values)


# --- reverie.formulas.freshness

@dataclass(frozen=True, slots=True)
class Extension:
    """From which importance on the maximum age is multiplied, and by what."""

    importance: float
    factor: float


def effective_max_age(max_age_days: float, importance: float, extensions: tuple[Extension, ...]) -> float:
    """The declared maximum age times the factor of the highest extension that ``importance`` reaches.

    What is permanent (inf) stays so; nothing else becomes it.

    Source: ocean-vault
    """
    reached = [extension for extension in extensions if importance >= extension.importance]
    if not reached:
        return max_age_days
    return max_age_days * max(reached, key=lambda extension: extension.importance).factor


# --- reverie.locking

WAIT_S = 60.0
_STEP_S = 0.02


@contextmanager
def locked(path: Path, wait_s: float = WAIT_S, mode: int = 0o666) -> Iterator[None]:
    """Hold the lock; the system lets go of it when the process ends, however it ends. Raises StoreBusy, StoreError.

    ``wait_s`` may be without end. ``mode``: the file's permissions, less the user's mask.
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


# --- reverie.recipes.published.ocean_numbers

START = 0.5
"""B3: importance starts at .5, never higher."""

TABLE = EventTable(  # B3
    referenced=0.1,
    referenced_by_other=0.15,
    good_outcome=0.2,
    verified=0.15,
    contradicted=-0.2,
    flagged_important=0.95,
    flagged_wrong=0.0,
)

NEGLECT = NeglectLaw(per_period=0.1, period_days=14.0, most=0.3)
"""B3, reading 15."""

EXTENSIONS = (Extension(0.8, 2.0), Extension(0.9, 3.0))
"""B5."""

EDGES = SweepEdges(floor=0.2, low=0.4, high=0.7)
"""B6."""

EXTEND_BY = 1.5
"""B6."""

SHARED_FROM = VaultPromotionEdges(importance=0.8, verified_importance=0.6)
"""B7."""

SEARCH_FLOOR = 0.1
"""B8."""

LEAST_FRESHNESS = 0.05
"""B8, reading 15."""


# --- reverie.vault.laws

@dataclass(frozen=True, slots=True)
class Laws:
    """What importance starts at, what moves it, how long an observation stays, and what search looks at.

    Attributes:
        start: importance of a new observation.
        extend_by: by what a maximum age is multiplied that an important observation has passed.
        search_floor: importance must lie above it to be found.
        least_freshness: freshness at the end of the time.
    """

    start: float
    table: EventTable
    neglect: NeglectLaw
    extensions: tuple[Extension, ...]
    edges: SweepEdges
    extend_by: float
    sharing: VaultPromotionEdges
    search_floor: float
    least_freshness: float


def ocean_laws() -> Laws:
    """What the recipe ``ocean`` says of a vault: one set of numbers for the engine and for files."""
    return Laws(
        start=START,
        table=TABLE,
        neglect=NEGLECT,
        extensions=EXTENSIONS,
        edges=EDGES,
        extend_by=EXTEND_BY,
        sharing=SHARED_FROM,
        search_floor=SEARCH_FLOOR,
        least_freshness=LEAST_FRESHNESS,
    )


# --- reverie.vault.maintenance

MAINTENANCE_DIGITS = 4
"""Places of an importance in a file."""


@dataclass(frozen=True, slots=True)
class Change:
    """What maintenance does to one observation, and why."""

    name: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Item:
    """An observation, what is known of it, and where it is to lie."""

    was: Observation
    now: Observation
    record: Record
    archived: bool = False

    @property
    def label(self) -> str:
        """``agent/name``."""
        return label(self.was.name)

    def with_importance(self, value: float, earned: float) -> Item:
        """The same with this importance, in the file only where it says another number."""
        shown = round(value, MAINTENANCE_DIGITS)
        now = self.now
        if abs(now.importance - shown) > 0.5 * 10**-MAINTENANCE_DIGITS:
            now = changed(now, now.front.with_scalar("importance", repr(shown)))
        return replace(self, now=now, record=replace(self.record, earned=round(earned, 6), written=now.importance))

    def with_scalar(self, key: str, value: str) -> Item:
        """The same with this value of a field."""
        return replace(self, now=changed(self.now, self.now.front.with_scalar(key, value)))

    def happened(self, what: Happening, laws: Laws) -> Item:
        """The same after an event; neglect is taken anew by the next look at its importance."""
        return replace(self, record=replace(self.record, earned=round(after(self.record.earned, what, laws.table), 6)))


def item(seen: Observation, records: Mapping[str, Record], laws: Laws, today: date) -> Item:
    """An observation with what is known of it.

    What stands in a file that nothing is known of is taken as it stands (where counting had begun, `unearned` looks at
    it next). Only what nobody touched, at the importance it was made with, counts its neglect from its first day. A
    number that differs from the one written here is a person's: it holds, and neglect counts anew from today.
    """
    record = records.get(label(seen.name))
    if record is None:
        untouched = seen.importance == laws.start and not seen.refs and not seen.ref_by and not seen.verified
        record = Record(
            earned=seen.importance,
            written=seen.importance,
            verified=seen.verified,
            since="" if untouched else today.isoformat(),
        )
    elif abs(record.written - seen.importance) > 0.5 * 10**-MAINTENANCE_DIGITS:
        record = replace(
            record,
            earned=seen.importance,
            written=seen.importance,
            verified=seen.verified or record.verified,
            since=today.isoformat(),
        )
    return Item(seen, seen, replace(record, body=body_mark(seen)))


_DATED = re.compile(r"obs-(\d{4}-\d{2}-\d{2})-\d+\Z")


class Web:
    """Who refers to whom, over what is active and what is archived."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        known = {one.name: one for one in reversed(observations)}  # of two of a name the first
        self._created = {name: one.created for name, one in known.items()}
        self._by = references([(name, one.backlinks) for name, one in known.items()])
        self._names: dict[str, list[Name]] = {}
        for name in known:
            self._names.setdefault(name.id, []).append(name)

    def referrers(self, name: Name) -> list[Name]:
        """Those that refer to an observation, the oldest first."""
        return sorted(self._by.get(name, ()), key=lambda one: (self._created[one], one))

    def labels(self, links: Sequence[str], agent: str) -> list[str]:
        """Links of an agent as ``agent/name``; what means nothing here stays as it is."""
        found = (resolved(link, agent, self._names.get(link.rpartition("/")[2], ())) for link in links)
        return [label(name) if name else link for link, name in zip(links, found, strict=True)]

    def loose(self, one: Observation) -> Iterator[Fault]:
        """The backlinks of an observation that mean nothing here, or more than one thing: with line and reason."""
        for link in one.backlinks:
            found = meant(link, one.name.agent, self._names.get(link.rpartition("/")[2], ()))
            if len(found) != 1:
                others = ", ".join(map(label, found))
                why = f"may be {others}; write its agent too" if found else "is no observation of this vault"
                yield Fault(one.path, one.front.line_of("backlinks", link), f"{link} {why}")

    def day(self, link: str) -> date | None:
        """The day of a referrer: of its file, or of its name where the file is gone."""
        agent, _, bare = link.rpartition("/")
        created = self._created.get(Name(agent, bare))
        if created is not None:
            return created
        dated = _DATED.match(bare)
        try:
            return date.fromisoformat(dated[1]) if dated else None
        except ValueError:
            return None


def earn(items: Sequence[Item], web: Web, laws: Laws, today: date) -> Iterator[tuple[Item, tuple[Change, ...]]]:
    """Each observation after its references, its verification, and neglect last."""
    for one in items:
        then = weigh(credit(one, web, laws), web, laws, today)
        yield then, tuple(_maintenance_told(one, then))


def unearned(one: Item, web: Web, laws: Laws) -> Item:
    """A new observation with no more importance than it can be seen to have earned; its file says so then.

    Everything starts equal: a higher number in a file that nobody has seen before is a declaration. What refers to it
    by then, and that it was verified, counts.
    """
    name, seen = one.now.name, one.now
    if seen.importance <= laws.start:
        return one
    by = web.referrers(name)
    happened = [Happening.REFERENCED if it.agent == name.agent else Happening.REFERENCED_BY_OTHER for it in by]
    most = earned(laws.start, [*happened, *((Happening.VERIFIED,) if seen.verified else ())], laws.table)
    if seen.importance <= most:
        return one
    record = replace(one.record, verified=seen.verified, since="", credited=tuple(sorted(map(label, by))))
    return replace(one, record=record).with_importance(most, most)


def credit(one: Item, web: Web, laws: Laws) -> Item:
    """The observation with what newly refers to it, and its verification where that is new."""
    name = one.now.name
    listed = web.labels(one.now.ref_by, name.agent)
    counted = {*listed, *one.record.credited}
    fresh: list[str] = []
    for referrer in web.referrers(name):
        link = label(referrer)
        if link not in listed:
            fresh.append(link)
        if link not in counted:
            own = referrer.agent == name.agent
            one = one.happened(Happening.REFERENCED if own else Happening.REFERENCED_BY_OTHER, laws)
    if one.now.verified and not one.record.verified:
        one = one.happened(Happening.VERIFIED, laws)
    credited = tuple(sorted({*counted, *fresh}))
    one = replace(one, record=replace(one.record, verified=one.now.verified or one.record.verified, credited=credited))
    front = one.now.front.with_items("ref_by", fresh)
    if one.now.refs != len(listed) + len(fresh):
        front = front.with_scalar("refs", str(len(listed) + len(fresh)))
    return replace(one, now=changed(one.now, front))


def weigh(one: Item, web: Web, laws: Laws, today: date) -> Item:
    """The observation with its importance of today: what it earned, less neglect since it was last referred to."""
    idle = (today - _last(one, web, today)).days
    return one.with_importance(neglected(one.record.earned, idle, laws.neglect), one.record.earned)


def _last(one: Item, web: Web, today: date) -> date:
    """The last reference; else a person's word, or the first day."""
    days: list[date | None] = [one.now.created]
    days += map(web.day, one.record.credited)
    if one.record.since:
        days.append(date.fromisoformat(one.record.since))
    return max(day for day in days if day is not None and (day <= today or day == one.now.created))


def _maintenance_told(before: Item, then: Item) -> Iterator[Change]:
    gained = [link for link in then.now.ref_by if link not in before.now.ref_by]
    if gained:
        yield Change(then.label, "referred to", f"by {', '.join(gained)}")
    if then.now.importance != before.now.importance:
        why = f"{before.now.importance:g} → {then.now.importance:g}"
        yield Change(then.label, "importance", why)


def sweep(items: Sequence[Item], laws: Laws, today: date) -> Iterator[tuple[Item, tuple[Change, ...]]]:
    """Each observation after the sweep."""
    for one in items:
        found = _verdict(one, one.now.max_age_days, laws, today)
        if found is Sweep.ARCHIVE:
            yield _reviewed(replace(one, archived=True), ""), (Change(one.label, "archived", _why(one, today)),)
        elif found is Sweep.REVIEW:
            since = one.record.review or today.isoformat()
            yield _reviewed(one, since), (Change(one.label, "for review", f"{_why(one, today)}, since {since}"),)
        elif found is Sweep.EXTEND:
            longer = age_text(_enough(one, laws, today))
            why = f"{age_text(one.now.max_age_days)} → {longer}"
            yield _reviewed(one.with_scalar("max_age", longer), ""), (Change(one.label, "extended", why),)
        else:
            yield _reviewed(one, ""), ()


def _verdict(one: Item, max_age_days: float, laws: Laws, today: date) -> Sweep:
    limit = effective_max_age(max_age_days, one.now.importance, laws.extensions)
    return sweep_verdict(one.now.age_days(today), limit, one.now.importance, laws.edges)


def _enough(one: Item, laws: Laws, today: date) -> float:
    """The maximum age extended as often as it takes: a second look on the same day then finds nothing to do."""
    days = one.now.max_age_days
    while _verdict(one, days, laws, today) is Sweep.EXTEND:
        days = math.ceil(extended(days, laws.extend_by))
    return days


def _reviewed(one: Item, since: str) -> Item:
    return one if one.record.review == since else replace(one, record=replace(one.record, review=since))


def _why(one: Item, today: date) -> str:
    age, most = one.now.age_days(today), age_text(one.now.max_age_days)
    return f"importance {one.now.importance:g}, {age} days old, max_age {most}"


_OWN = re.compile(rb"^(?:importance|max_age|refs|ref_by|verified|promoted):.*$\n?(?:[ \t]*- .*$\n?)*", re.MULTILINE)
"""Fields that maintenance writes: copies that differ in nothing else were edited by nobody."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One observation after the promotion sweep, and the copy that is to be written, if any."""

    item: Item
    edit: Edit | None = None
    change: Change | None = None
    fault: Fault | None = None


def share(items: Sequence[Item], places: Places, laws: Laws, asked: frozenset[str]) -> Iterator[Shared]:
    """Promote what earned it or what a person asks for, and bring older copies up to date."""
    taken: dict[str, str] = {}
    for one in items:
        if one.archived:
            yield Shared(one)
            continue
        found = sharing_verdict(one.now.importance, one.now.verified, one.label in asked, laws.sharing)
        if not one.now.promoted and not found.moves:
            yield Shared(one)
            continue
        yield _copied(one, places, found, taken)


def _copied(one: Item, places: Places, found: SharedTruth, taken: dict[str, str]) -> Shared:
    then = one if one.now.promoted else one.with_scalar("promoted", "true")
    path = places.shared / f"{_prefix(one)}-{one.was.name.id}.md"
    owner = taken.setdefault(path.name, one.label)
    if owner != one.label:
        return Shared(one, fault=Fault(one.was.path, 0, f"not shared: {path.name} is the copy of {owner}"))
    copy, there = then.now.raw if then is one else then.now.front.text.encode("utf-8"), contents(path)
    kept = replace(then, record=replace(then.record, copy=hashlib.sha256(copy).hexdigest()))
    if there == copy:
        return Shared(kept)
    if there is None:
        return Shared(kept, Edit(path, None, copy), Change(one.label, "promoted", str(found)))
    if hashlib.sha256(there).hexdigest() == one.record.copy or _bare(there) == _bare(copy):
        return Shared(kept, Edit(path, there, copy), Change(one.label, "copied again", path.name))
    return Shared(
        one, fault=Fault(path, 0, f"edited by somebody, or of another origin than {one.label}: left as it is")
    )


def _prefix(one: Item) -> str:
    """The source, where it can be part of a file's name; else the agent in whose folder the observation lies."""
    return one.now.source if is_agent(one.now.source) else one.was.name.agent


def _bare(raw: bytes) -> bytes:
    return _OWN.sub(b"", raw)


_TRIES = 5


class Step(StrEnum):
    """The steps of maintenance, in their order."""

    REFS = "refs"
    DECAY = "decay"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Report:
    """What maintenance did or would do, the files it left alone, and the backlinks that lead nowhere."""

    changes: tuple[Change, ...]
    faults: tuple[Fault, ...]
    observations: int
    loose: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to stand on disk, what was known before under the names of now, and what to tell of it."""

    items: tuple[Item, ...]
    known: Mapping[str, Record]
    copies: tuple[Edit, ...]
    changes: tuple[Change, ...]
    faults: tuple[Fault, ...]
    loose: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person or an agent tells of one observation, and what it makes of it."""

    target: str
    happen: Callable[[Item], Item]
    told: Change


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for: the steps, an event before them, and what a person wants shared."""

    steps: tuple[Step, ...] = tuple(Step)
    event: Event | None = None
    asked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """Where, by which numbers, and on which day."""

    places: Places
    laws: Laws
    today: date


def plan(held: Held, records: Records, task: Task, setting: Setting) -> Plan:
    """What the task comes to, on what was read."""
    laws, today = setting.laws, setting.today
    changes: list[Change] = []
    faults = list(held.faults)
    everything = (*held.active, *held.archived)
    web = Web(everything)
    known = following(records.known, held.active, {label(one.name) for one in everything})
    items = [item(one, known, laws, today) for one in held.active]
    if records.is_kept:
        items = _gathered((_begun(one, known, web, laws) for one in items), changes)
    if task.event is not None:
        items = _gathered((_happened(one, task.event, web, setting) for one in items), changes)
    if Step.REFS in task.steps:
        items = _gathered(earn(items, web, laws, today), changes)
    if Step.DECAY in task.steps:
        items = _gathered(sweep(items, laws, today), changes)
    copies: list[Edit] = []
    if Step.PROMOTE in task.steps:
        shared = list(share(items, setting.places, laws, task.asked))
        items = [one.item for one in shared]
        copies = [one.edit for one in shared if one.edit]
        changes += [one.change for one in shared if one.change]
        faults += [one.fault for one in shared if one.fault]
    loose = tuple(fault for one in held.active for fault in web.loose(one)) if Step.REFS in task.steps else ()
    return Plan(tuple(items), known, tuple(copies), tuple(changes), tuple(faults), loose)


def run(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Do what the task asks, as the only one who writes; with ``dry_run`` only tell. Raises StoreError."""
    if dry_run:
        return maintain(setting, task, dry_run=True)
    with locked(setting.places.lock):
        return maintain(setting, task, dry_run=False)


def maintain(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Do what the task asks; with ``dry_run`` only tell. The caller holds the vault's lock. Raises StoreError."""
    done = _once(setting, task, dry_run=dry_run)
    told = list(done.plan.changes)
    for _ in range(_TRIES):
        if not done.late:
            break
        if task.event and task.event.target not in {one.label for one in done.late}:
            task = replace(task, event=None)  # it is on disk
        done = _once(setting, task, dry_run=False)
        told += [change for change in done.plan.changes if change not in told]
    faults = [*done.plan.faults, *(_left(one, setting.places) for one in done.late)]
    if done.records_fault:
        faults.insert(0, Fault(setting.places.records, 0, done.records_fault))
    return Report(tuple(told), tuple(faults), len(done.plan.items), done.plan.loose)


@dataclass(frozen=True, slots=True)
class _Done:
    """One try: what was planned, and what somebody changed before it could be written."""

    plan: Plan
    late: tuple[Item, ...]
    records_fault: str


def _once(setting: Setting, task: Task, *, dry_run: bool) -> _Done:
    records = Records(setting.places.records)
    made = plan(gather(setting.places), records, task, setting)
    late = () if dry_run else _carried_out(made, records, setting.places)
    return _Done(made, late, records.fault)


def _gathered(found: Iterable[tuple[Item, tuple[Change, ...]]], changes: list[Change]) -> list[Item]:
    items: list[Item] = []
    for one, told in found:
        items.append(one)
        changes += told
    return items


def _begun(one: Item, known: Mapping[str, Record], web: Web, laws: Laws) -> tuple[Item, tuple[Change, ...]]:
    """An observation that is new here, without importance that it only declares; any other one as it is."""
    then = one if one.label in known else unearned(one, web, laws)
    if then is one:
        return one, ()
    why = f"{one.now.importance:g} → {then.now.importance:g}: what is new starts at {laws.start:g}"
    return then, (Change(one.label, "importance is earned, not declared", why),)


def _happened(one: Item, event: Event, web: Web, setting: Setting) -> tuple[Item, tuple[Change, ...]]:
    """The observation the event is about, with the importance it has from then on; any other one as it is.

    What was told of before counts once, and is no change.
    """
    then = event.happen(one) if one.label == event.target else one
    if then == one:
        return one, ()
    return weigh(then, web, setting.laws, setting.today), (event.told,)


def _left(one: Item, places: Places) -> Fault:
    """Why an observation is not as it should be, after all tries."""
    if one.archived and (places.archive(one.was.name.agent) / one.was.path.name).exists():
        return Fault(one.was.path, 0, "not archived: the archive has another file of this name")
    return Fault(one.was.path, 0, "changed by somebody all the while; run this again")


def _carried_out(made: Plan, records: Records, places: Places) -> tuple[Item, ...]:
    """Write it; the items that somebody changed meanwhile, of which nothing is recorded."""
    edited = [one for one in made.items if one.now is not one.was]
    done = carry_out([Edit(one.was.path, one.was.raw, one.now.raw) for one in edited])
    late = [one for one, was_done in zip(edited, done, strict=True) if not was_done]
    names = {one.label for one in late}
    for one in made.items:
        if one.archived and one.label not in names:
            to = places.archive(one.was.name.agent) / one.was.path.name
            if not move(one.was.path, to, one.now.raw):
                late.append(one)
    carry_out(made.copies)
    known = dict(made.known)
    known |= {one.label: one.record for one in made.items if one.label not in names}
    records.save(known)
    return tuple(late)


# --- reverie.faces.cli.vault_output

def report(screen: PlainScreen, report: Report, *, dry_run: bool) -> None:
    """What maintenance did or would do, and what it left alone."""
    if screen.as_json:
        changes = [{"name": one.name, "what": one.what, "why": one.why} for one in report.changes]
        shape = {"dry_run": dry_run, "observations": report.observations, "changes": changes}
        screen.json({**shape, "faults": faults(report.faults), "loose": faults(report.loose)})
        return
    for change in report.changes:
        screen.line(f"{change.what}: {change.name} ({change.why})")
    made = "to make" if dry_run else "made"
    screen.line(f"changes {made}: {len(report.changes)} · observations: {report.observations}")
    for fault in report.faults:
        screen.note(f"left alone: {fault.text()}")
    loose(screen, report.loose)


def loose(screen: PlainScreen, backlinks: Sequence[Fault]) -> None:
    """The backlinks that lead nowhere, or to more than one observation."""
    for fault in backlinks:
        screen.note(f"no reference: {fault.text()}")


def faults(found: Sequence[Fault]) -> list[dict[str, object]]:
    """Files with line and reason, in JSON."""
    return [{"file": str(one.path), "line": one.line, "reason": one.reason} for one in found]


# --- reverie.wire.errors

@dataclass(frozen=True, slots=True)
class Code:
    """How an error is told: the exit code of a command, the status of an HTTP answer."""

    exit: int
    status: int


CODES: dict[type[ReverieError], Code] = {
    ReverieError: Code(1, 500),
    InvalidInput: Code(2, 422),
    InvalidScope: Code(2, 422),
    InvalidSetting: Code(2, 422),
    NotFound: Code(3, 404),
    Conflict: Code(4, 409),
    InvalidExport: Code(5, 422),
    StoreError: Code(10, 500),
    StoreMissing: Code(11, 503),
    StoreClosed: Code(12, 503),
    StoreBusy: Code(13, 503),
    StoreFull: Code(14, 507),
    StoreReadOnly: Code(15, 503),
    StoreCorrupt: Code(16, 500),
    StoreTooNew: Code(17, 500),
    StoreUntrusted: Code(18, 503),
    ModelError: Code(20, 503),
    ModelMissing: Code(21, 503),
    ModelCorrupt: Code(22, 503),
    ModelUnavailable: Code(23, 503),
    ServerError: Code(30, 502),
    AccessRefused: Code(31, 403),
    ServerUnavailable: Code(32, 503),
}
"""Error class → codes, every class of the tree."""


def code(error: ReverieError) -> Code:
    """The codes of an error; those of its nearest ancestor in the table for a class that is not in it."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


# --- reverie.faces.cli.exits

DONE = 0

PARTLY = 7

INTERRUPTED = 130
PIPE_CLOSED = 141


def exit_code(error: ReverieError) -> int:
    """The exit code of an error."""
    return code(error).exit


# --- reverie.faces.cli.vault_scripts

def memory_promote() -> int:
    """Share what earned it with all agents, and bring older copies up to date."""
    return _maintained(memory_promote, (Step.PROMOTE,))


def _maintained(script: Callable[[], int], steps: tuple[Step, ...]) -> int:
    parser = _parser(script)
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    given = parser.parse_args()

    def work(screen: PlainScreen) -> int:
        setting = Setting(_places(given.vault), ocean_laws(), given.today)
        done = run(setting, Task(steps), dry_run=given.dry_run)
        report(screen, done, dry_run=given.dry_run)
        return PARTLY if done.faults else DONE

    return _vault_scripts_told(work, PlainScreen(given.json))


def _parser(script: Callable[[], int]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=script.__doc__)
    parser.add_argument("--vault", metavar="FOLDER", help="the vault; else the one this script or folder is in")
    parser.add_argument("--today", type=_vault_scripts_day, default=_now(), metavar="DAY", help="go by this day instead of today")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return parser


def _now() -> date:
    return datetime.now().astimezone().date()


def _vault_scripts_day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{said!r} is no day; write 2026-03-02") from None


def _places(said: str | None) -> Places:
    """The vault that is meant. Raises InvalidInput for a folder that is none, NotFound where there is none at all."""
    if said is None:
        own = Places(Path(__file__).resolve().parent.parent)
        return own if own.is_vault() else Places.above(Path.cwd())
    places = Places(Path(said).resolve())
    if not places.is_vault():
        raise InvalidInput(f"{places.root} is no vault.", "It needs the folders `agents` and `shared/observations`.")
    return places


def _vault_scripts_told(work: Callable[[PlainScreen], int], screen: PlainScreen) -> int:
    """Do the work; what goes wrong on purpose becomes a message and an exit code, as in the command."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a script's streams are text files
    try:
        code = work(screen)
        sys.stdout.flush()
    except ReverieError as error:
        screen.note(f"error: {error.message}")
        screen.note(f"  mend: {error.mend}")
        return exit_code(error)
    except BrokenPipeError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


if __name__ == "__main__":
    gc.disable()  # what a process as short as this leaves behind goes with it
    sys.exit(memory_promote())
