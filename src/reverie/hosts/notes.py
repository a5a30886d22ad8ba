"""What was done to a host's files, noted so that it can be undone: in, a file before and after; out, the way back.

A note holds the lines that were changed, not the file: a host's settings may hold keys, and those are nobody else's.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from reverie.errors import InvalidInput
from reverie.hosts import files
from reverie.hosts.json_edit import Keys

VERSION = 1


@dataclass(frozen=True, slots=True)
class Swap:
    """Lines of the file as we left it, from ``start`` to ``end``, and what stood there before."""

    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
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

    def read(self) -> dict[Path, Note]:
        """The notes by file. Raises InvalidInput where they cannot be read."""
        text = files.read(self.path)
        if text is None:
            return {}
        try:
            notes = [_note(said) for said in json.loads(text)["files"]]
        except (ValueError, KeyError, TypeError):
            mend = "Remove it; undoing then looks for what is Reverie's instead of restoring the bytes."
            raise InvalidInput(f"{self.path} is damaged.", mend) from None
        return {note.path: note for note in notes}

    def write(self, notes: Sequence[Note]) -> None:
        """Keep these notes; none: the file goes."""
        before = files.read(self.path)
        if not notes:
            if before is not None:
                files.write(files.Change(self.path, before, None))
                files.remove_empty([self.path.parent])
            return
        said = {"version": VERSION, "files": [_said(note) for note in notes]}
        after = json.dumps(said, indent=1, default=str) + "\n"
        if after != before:
            files.write(files.Change(self.path, before, after), mode=0o600)


def with_folders(note: Note, folders: Sequence[Path]) -> Note:
    """The note with folders that were made in addition."""
    return replace(note, folders=(*folders, *(path for path in note.folders if path not in folders)))


def _said(note: Note) -> dict[str, object]:
    return {
        "path": str(note.path),
        "digest": note.digest,
        "made": note.made,
        "folders": [str(path) for path in note.folders],
        "back": [[swap.start, swap.end, list(swap.lines)] for swap in note.back],
        "holders": [list(keys) for keys in note.holders],
        "replaced": [[list(keys), value] for keys, value in note.replaced],
    }


def _note(said: Mapping[str, Any]) -> Note:
    return Note(
        path=Path(said["path"]),
        digest=str(said["digest"]),
        made=bool(said["made"]),
        folders=tuple(Path(path) for path in said["folders"]),
        back=tuple(Swap(int(start), int(end), tuple(lines)) for start, end, lines in said["back"]),
        holders=tuple(tuple(keys) for keys in said["holders"]),
        replaced=tuple((tuple(keys), value) for keys, value in said["replaced"]),
    )
