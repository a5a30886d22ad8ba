"""Another program's files: read, written whole or not at all, and every change noted so that it can be undone."""

from __future__ import annotations

import difflib
import json
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from reverie.durable import replace as replace_file
from reverie.durable import unreadable, unwritable
from reverie.errors import Conflict, InvalidInput
from reverie.hosts.json_edit import Keys

# Another program's files: in, a path; out, its text; and writing it whole or not at all, through links, as it was.


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of a file; ``before`` or ``after`` is None where there is none."""

    path: Path
    before: str | None
    after: str | None

    @property
    def is_none(self) -> bool:
        """Whether nothing changes."""
        return self.before == self.after


def read(path: Path) -> str | None:
    """A file's text; None where there is no file.

    Raises:
        InvalidInput: it is no regular file, or not UTF-8.
        StoreError: it cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InvalidInput(f"{path} is not a file.", "Move what is there out of the way.")
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(error, path) from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{path}, line {line}: not UTF-8.", "Mend it, then run this again.") from None


def write(change: FileChange, mode: int = 0o666) -> list[Path]:
    """Bring a file from ``before`` to ``after``; the folders that had to be made, outermost first.

    ``mode`` are the permissions of a new file, less what the user's mask takes.

    Raises:
        Conflict: the file says something else by now.
        StoreError: it cannot be written; nothing is changed then.
    """
    target = Path(os.path.realpath(change.path))
    if read(target) != change.before:
        raise Conflict(f"{change.path} was changed by another program meanwhile.", "Run this again.")
    try:
        if change.after is None:
            target.unlink()
            return []
        made = _folders(target.parent)
        replace_file(target, change.after.encode(), like=target.stat() if target.exists() else None, mode=mode)
    except OSError as error:
        raise unwritable(error, target) from None
    return made


def remove_empty(folders: list[Path]) -> None:
    """Remove folders that hold nothing, innermost first."""
    for folder in reversed(folders):
        with suppress(OSError):  # it holds something by now, or is gone
            folder.rmdir()


def _folders(folder: Path) -> list[Path]:
    missing = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


# What was done to a host's files, noted so that it can be undone: in, a file before and after; out, the way back.


VERSION = 1


@dataclass(frozen=True, slots=True)
class Swap:
    """Lines of the file as we left it, from ``start`` to ``end``, and what stood there before."""

    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeNote:
    """What was done to one file.

    Attributes:
        path: the file.
        digest: of the file as we left it.
        made: there was no file.
        folders: the folders that were made for it.
        back: how it becomes what it was, where nobody has touched it since.
        holders: objects and lists that were made for what was put in.
        replaced: what stood in a piece's place, by the piece's path.
    """

    path: Path
    digest: str
    made: bool
    folders: tuple[Path, ...]
    back: tuple[Swap, ...]
    holders: tuple[Keys, ...]
    replaced: tuple[tuple[Keys, object], ...]

    def untouched(self, text: str | None) -> bool:
        """Whether the file is as we left it."""
        return text is not None and digest(text) == self.digest

    def restored(self, text: str) -> str | None:
        """The file as it was before us, from the file as we left it; None: there was none."""
        if self.made:
            return None
        lines = _lines(text)
        for swap in reversed(self.back):
            lines[swap.start : swap.end] = swap.lines
        return "".join(lines)


def digest(text: str) -> str:
    """What tells one text from another."""
    return sha256(text.encode()).hexdigest()


def way_back(before: str, after: str) -> tuple[Swap, ...]:
    """How ``after`` becomes ``before``, in lines."""
    old, new = _lines(before), _lines(after)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    # What both begin and end with is set aside first: the matching is quadratic, and a host's file may be large.
    matcher = difflib.SequenceMatcher(None, new[head : len(new) - tail], old[head : len(old) - tail])
    return tuple(
        Swap(head + a, head + b, tuple(old[head + c : head + d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@dataclass(frozen=True, slots=True)
class NoteBook:
    """The notes on one host, in a file of our own."""

    path: Path

    @classmethod
    def at(cls, environment: Mapping[str, str], home: Path, host: str, folder: Path | None) -> NoteBook:
        """The notes on a host's user settings, or on those of a project's folder."""
        named = environment.get("XDG_STATE_HOME", "")
        state = Path(named) if Path(named).is_absolute() else home / ".local" / "state"
        mark = "" if folder is None else f"-{digest(str(folder))[:8]}"
        return cls(state / "reverie" / "hosts" / f"{host}{mark}.json")

    def read(self) -> dict[Path, ChangeNote]:
        """The notes by file. Raises InvalidInput where they cannot be read."""
        text = read(self.path)
        if text is None:
            return {}
        try:
            notes = [_note(said) for said in json.loads(text)["files"]]
        except (ValueError, KeyError, TypeError):
            mend = "Remove it; undoing then looks for what is Reverie's instead of restoring the bytes."
            raise InvalidInput(f"{self.path} is damaged.", mend) from None
        return {note.path: note for note in notes}

    def write(self, notes: Sequence[ChangeNote]) -> None:
        """Keep these notes; none: the file goes."""
        before = read(self.path)
        if not notes:
            if before is not None:
                write(FileChange(self.path, before, None))
                remove_empty([self.path.parent])
            return
        said = {"version": VERSION, "files": [_said(note) for note in notes]}
        after = json.dumps(said, indent=1, default=str) + "\n"
        if after != before:
            write(FileChange(self.path, before, after), mode=0o600)


def with_folders(note: ChangeNote, folders: Sequence[Path]) -> ChangeNote:
    """The note with folders that were made in addition."""
    return replace(note, folders=(*folders, *(path for path in note.folders if path not in folders)))


def _said(note: ChangeNote) -> dict[str, object]:
    return {
        "path": str(note.path),
        "digest": note.digest,
        "made": note.made,
        "folders": [str(path) for path in note.folders],
        "back": [[swap.start, swap.end, list(swap.lines)] for swap in note.back],
        "holders": [list(keys) for keys in note.holders],
        "replaced": [[list(keys), value] for keys, value in note.replaced],
    }


def _note(said: Mapping[str, Any]) -> ChangeNote:
    return ChangeNote(
        path=Path(said["path"]),
        digest=str(said["digest"]),
        made=bool(said["made"]),
        folders=tuple(Path(path) for path in said["folders"]),
        back=tuple(Swap(int(start), int(end), tuple(lines)) for start, end, lines in said["back"]),
        holders=tuple(tuple(keys) for keys in said["holders"]),
        replaced=tuple((tuple(keys), value) for keys, value in said["replaced"]),
    )
