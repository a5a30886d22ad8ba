"""Read and write other programs' files, all or nothing, with notes on every change so that it can be undone."""

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


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change of one file; ``before`` or ``after`` is None if the file does not exist then."""

    path: Path
    before: str | None
    after: str | None

    @property
    def is_none(self) -> bool:
        """Whether the file stays the same."""
        return self.before == self.after


def read(path: Path) -> str | None:
    """Return a file's text; None if there is no file.

    Raises:
        InvalidInput: it is not a regular file, or not UTF-8.
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
    """Bring a file from ``before`` to ``after``; return the folders that were created, outermost first.

    ``mode`` are the permissions of a new file, reduced by the user's umask.

    Raises:
        Conflict: the file has changed meanwhile.
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
    """Remove empty folders, innermost first."""
    for folder in reversed(folders):
        with suppress(OSError):  # it holds something by now, or is gone
            folder.rmdir()


def _folders(folder: Path) -> list[Path]:
    missing = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


VERSION = 1


@dataclass(frozen=True, slots=True)
class Swap:
    """Lines of the file as Reverie left it, from ``start`` to ``end``, and the lines they replaced."""

    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeNote:
    """What was done to one file.

    Attributes:
        path: the file.
        digest: hash of the file as Reverie left it.
        made: whether Reverie created the file.
        folders: the folders that were created for it.
        back: how to restore the earlier text, if nobody has changed the file since.
        holders: objects and lists that were created to hold the pieces.
        replaced: previous values that the pieces replaced, by path.
    """

    path: Path
    digest: str
    made: bool
    folders: tuple[Path, ...]
    back: tuple[Swap, ...]
    holders: tuple[Keys, ...]
    replaced: tuple[tuple[Keys, object], ...]

    def untouched(self, text: str | None) -> bool:
        """Whether the file is unchanged since Reverie wrote it."""
        return text is not None and digest(text) == self.digest

    def restored(self, text: str) -> str | None:
        """Return the file's text before Reverie, from the text that Reverie left; None if there was no file."""
        if self.made:
            return None
        lines = _lines(text)
        for swap in reversed(self.back):
            lines[swap.start : swap.end] = swap.lines
        return "".join(lines)


def digest(text: str) -> str:
    """Return the SHA-256 of a text, which may be a path that is no UTF-8."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def way_back(before: str, after: str) -> tuple[Swap, ...]:
    """Return the line changes that turn ``after`` back into ``before``."""
    old, new = _lines(before), _lines(after)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    # Common lines at both ends are set aside first: the matching is quadratic, and a host's file may be large.
    matcher = difflib.SequenceMatcher(None, new[head : len(new) - tail], old[head : len(old) - tail])
    return tuple(
        Swap(head + a, head + b, tuple(old[head + c : head + d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the equal lines at the beginning of two texts."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@dataclass(frozen=True, slots=True)
class NoteBook:
    """The notes on one host's files, kept in a file of Reverie's own."""

    path: Path

    @classmethod
    def at(cls, environment: Mapping[str, str], home: Path, host: str, folder: Path | None) -> NoteBook:
        """Return the notes for a host's user settings, or for those of a project's folder."""
        named = environment.get("XDG_STATE_HOME", "")
        state = Path(named) if Path(named).is_absolute() else home / ".local" / "state"
        mark = "" if folder is None else f"-{digest(str(folder))[:8]}"
        return cls(state / "reverie" / "hosts" / f"{host}{mark}.json")

    def read(self) -> dict[Path, ChangeNote]:
        """Return the notes by file. Raises InvalidInput if they cannot be read."""
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
        """Replace the notes; without any, remove the file."""
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
    """Return the note with further folders that were created."""
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
