"""Plan an installation into a host or its removal; the plan can be shown before it is carried out.

A plan is made from the files as they are, and making it writes nothing. It is carried out whole or not at all.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.errors import InvalidInput, ReverieError
from reverie.hosts import files
from reverie.hosts.files import ChangeNote, FileChange, NoteBook, digest, way_back, with_folders
from reverie.hosts.host import HostFile, Piece, is_ours
from reverie.hosts.json_edit import Broken, Keys

_EMPTY = ("", "{}")
_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class PlanStep:
    """The change of one file, and the note to keep about it (None: no note)."""

    change: FileChange
    note: ChangeNote | None
    folders: tuple[Path, ...] = ()

    def diff(self) -> list[str]:
        """Return the change as a unified diff."""
        before, after = self.change.before, self.change.after
        old, new = (str(self.change.path) if text is not None else "none" for text in (before, after))
        texts = (before or "").splitlines(), (after or "").splitlines()
        return list(difflib.unified_diff(*texts, old, new, n=_CONTEXT, lineterm=""))


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """All changes to a host's files; ``mode`` are the permissions of new ones."""

    steps: tuple[PlanStep, ...]
    book: NoteBook
    mode: int = 0o666

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return all(step.change.is_none for step in self.steps)

    def do(self) -> None:
        """Change the files and write the notes. On an error every file is restored, and the error is raised."""
        done: list[tuple[PlanStep, list[Path]]] = []
        try:
            for step in self.steps:
                done.append((step, [] if step.change.is_none else files.write(step.change, self.mode)))
            self.book.write([with_folders(step.note, made) for step, made in done if step.note is not None])
        except ReverieError:
            for step, made in reversed(done):
                if not step.change.is_none:
                    files.write(FileChange(step.change.path, step.change.after, step.change.before))
                files.remove_empty(made)
            raise
        for step, _ in done:
            _sweep(step.change)
        folders = {folder for step, _ in done for folder in step.folders}
        files.remove_empty(sorted(folders, key=lambda folder: len(folder.parts)))


def _sweep(change: FileChange) -> None:
    """Delete the compiled bytecode of a Python file that was removed."""
    if change.after is not None or change.path.suffix != ".py":
        return
    folder = change.path.parent / "__pycache__"
    with suppress(OSError):  # leftovers do no harm
        for compiled in list(folder.glob(f"{change.path.stem}.*.pyc")):
            compiled.unlink()
    files.remove_empty([folder])


def installing(wanted: Sequence[HostFile], book: NoteBook, mode: int = 0o666) -> InstallPlan:
    """Return the plan that puts the pieces into their files. Raises InvalidInput for a file that cannot be read."""
    notes = _standing(wanted, book.read())
    return InstallPlan(tuple(_put(file, notes.get(file.path)) for file in wanted), book, mode)


def undoing(wanted: Sequence[HostFile], book: NoteBook) -> InstallPlan:
    """Return the plan that takes the pieces out of their files, also out of files noted at an earlier installation."""
    known = {file.path.name: file for file in wanted}
    noted = book.read()
    paths = dict.fromkeys([*(file.path for file in wanted), *noted])
    theirs = [replace(known.get(path.name, HostFile(path, ())), path=path) for path in paths]
    notes = _standing(theirs, noted)
    return InstallPlan(tuple(_take(file, notes.get(file.path)) for file in theirs), book)


def _standing(theirs: Sequence[HostFile], notes: Mapping[Path, ChangeNote]) -> Mapping[Path, ChangeNote]:
    """Return the notes if any file still holds a piece of Reverie's; else none, since they are out of date."""
    return notes if any(_stands(file, notes.get(file.path)) for file in theirs) else {}


def _stands(file: HostFile, note: ChangeNote | None) -> bool:
    """Whether a file holds anything that can only be Reverie's."""
    text = files.read(file.path)
    if text is None or not text.strip():
        return False
    if note is not None and note.untouched(text):
        return True
    try:
        return any(is_ours(piece.found(text)) and piece.take(text, ()) != text for piece in file.pieces)
    except Broken:
        return True  # changing it will be refused


def _put(file: HostFile, note: ChangeNote | None) -> PlanStep:
    before = files.read(file.path)
    try:
        after = _with(file.pieces, before or "")
        if after == before:
            return PlanStep(FileChange(file.path, before, before), note)
        # A piece without a note was there before this installation, whoever put it there.
        base = _without(file, note, before) if note else before
        note = _noted(file, note, base, after)
    except Broken as broken:
        raise _refused(file.path, broken) from None
    return PlanStep(FileChange(file.path, before, after), note)


def _take(file: HostFile, note: ChangeNote | None) -> PlanStep:
    before = files.read(file.path)
    try:
        after = _without(file, note, before)
    except Broken as broken:
        raise _refused(file.path, broken) from None
    return PlanStep(FileChange(file.path, before, after), None, note.folders if note else ())


def _with(pieces: Sequence[Piece], text: str) -> str:
    for piece in pieces:
        text = piece.put(text)
    return text


def _without(file: HostFile, note: ChangeNote | None, text: str | None) -> str | None:
    """Return a file's text without Reverie: the earlier text if nobody changed it since, else without the pieces."""
    if text is None or not text.strip():
        return text
    if note is not None and note.untouched(text):
        return note.restored(text)
    rest = _without_pieces(file.pieces, note, text)
    made = file.whole or (note is not None and note.made)
    return None if made and rest != text and rest.strip() in _EMPTY else rest


def _without_pieces(pieces: Sequence[Piece], note: ChangeNote | None, text: str) -> str:
    """Return a text without the pieces, with the values they replaced; later values of others stay."""
    replaced = dict(note.replaced) if note else {}
    holders = note.holders if note else ()
    for piece in reversed(pieces):
        if is_ours(piece.found(text)):
            text = piece.place(text, replaced[piece.keys]) if piece.keys in replaced else piece.take(text, holders)
    return text


def _noted(file: HostFile, old: ChangeNote | None, base: str | None, after: str) -> ChangeNote:
    text, holders = base or "", list(old.holders if old else ())
    replaced: dict[Keys, object] = {}
    for piece in file.pieces:
        holders += [keys for keys in piece.holders(text) if keys not in holders]
        there = piece.found(text)
        if there is not None:
            replaced[piece.keys] = there
        text = piece.put(text)
    return ChangeNote(
        path=file.path,
        digest=digest(after),
        made=base is None,
        folders=old.folders if old else (),
        back=way_back(base, after) if base is not None else (),
        holders=tuple(holders),
        replaced=tuple(replaced.items()),
    )


def _refused(path: Path, broken: Broken) -> InvalidInput:
    return InvalidInput(f"{path}, line {broken.line}: {broken.reason}.", "Mend it, then run this again.")
