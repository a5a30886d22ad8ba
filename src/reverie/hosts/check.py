"""Find what is wrong with the hosts that Reverie was installed into: from their files as they are, to faults.

Nothing is run and nothing is written. An installation is known by the notes kept about it, or by what only Reverie
writes into a host's files.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from shutil import which

from reverie import __version__
from reverie.answers import Fault
from reverie.errors import ReverieError
from reverie.extras import is_there, lacking
from reverie.hosts import files, json_edit
from reverie.hosts.files import ChangeNote, NoteBook, digest
from reverie.hosts.host import Host, HostEnvironment, HostFile, JsonHook, Piece, Where, is_ours
from reverie.hosts.json_edit import Broken
from reverie.hosts.known import NAMES, PLACED, host
from reverie.hosts.own import project_name
from reverie.hosts.plan import undoing

_BOOK = re.compile(r"(?P<name>[a-z-]+?)(?:-(?P<mark>[0-9a-f]{8}))?")
_DIST_INFO = re.compile(r"reverie-(?P<version>[^-]+)\.dist-info")


@dataclass(frozen=True, slots=True)
class Installed:
    """An installation of Reverie into a host.

    Attributes:
        host: the host.
        around: the environment it was installed in; its folder is the project's, for a project's settings.
        where: whose settings were written.
        book: the notes about it.
        noted: whether there are notes; without, its files were found to hold what only Reverie writes.
    """

    host: Host
    around: HostEnvironment
    where: Where
    book: NoteBook
    noted: bool

    @property
    def command(self) -> str:
        """The command that installs it again, from the folder it is in."""
        place = f" {shlex.quote(str(self.around.folder))}" if self.host.placed else ""
        scope = "" if self.where is self.host.wheres[0] else f" --scope {self.where}"
        return f"reverie install {self.host.name}{place}{scope}"

    @property
    def is_away(self) -> bool:
        """Whether the host's files and folders are gone, as after it was removed from the machine."""
        paths = self.book.read()
        folders = {path.parent for path in paths} - {self.around.home}
        return self.noted and not any(path.exists() for path in (*paths, *folders))


_PROGRAMS = {
    "claude-code": "claude",
    "codex": "codex",
    "cursor": "cursor",
    "gemini": "gemini",
    "openclaw": "openclaw",
    "vscode": "code",
}
"""The program of each host that a person has; OpenClaw's server without the plugin is for who asks for it."""


def is_present(one: Host, around: HostEnvironment) -> bool:
    """Whether a host is on this machine: its program is on the path, or the folder of its user's settings is there."""
    program = _PROGRAMS.get(one.name)
    if program is None or Where.USER not in one.wheres:
        return False
    if which(program, path=around.environment.get("PATH")):
        return True
    folders = {file.path.parent for file in one.files(around, Where.USER)} - {around.home}
    return any(folder.is_dir() for folder in folders)


class PieceState(StrEnum):
    """How a piece of Reverie's configuration stands in a host's file."""

    RIGHT = "right"
    MISSING = "missing"
    REPLACED = "replaced"
    OTHER = "other"
    """Reverie's, but of another installation or with other values."""


def installations(around: HostEnvironment) -> Iterator[Installed | Fault]:
    """Yield every installation of the user's, and the faults of notes that cannot be read.

    ``around`` is the environment of the current project. Raises InvalidSetting without a home.
    """
    folder = NoteBook.at(around.environment, around.home, "none", None).path.parent
    seen = set()
    for path in sorted(folder.glob("*.json")):
        seen.add(path)
        try:
            found: Installed | Fault | None = _from_notes(NoteBook(path), around)
        except ReverieError as error:
            found = Fault("host-notes-damaged", error.message, error.mend)
        if found is not None:
            yield found
    for name in NAMES:
        chosen = host(name)
        for where in chosen.wheres:
            mark = around.folder if where is Where.PROJECT else None
            book = NoteBook.at(around.environment, around.home, name, mark)
            if book.path not in seen and _stands(chosen, around, where, book):
                yield Installed(chosen, around, where, book, noted=False)


def _from_notes(book: NoteBook, around: HostEnvironment) -> Installed | None:
    """Return the installation that notes describe; None for notes of something else. Raises ReverieError."""
    named = _BOOK.fullmatch(book.path.stem)
    if named is None or named["name"] not in (*NAMES, *PLACED):
        return None
    chosen, mark, paths = host(named["name"]), named["mark"], book.read()
    if mark is None:
        return Installed(chosen, around, Where.USER, book, noted=True)
    parents = (folder for path in paths for folder in path.parents)
    root = next((folder for folder in parents if digest(str(folder)).startswith(mark)), None)
    if root is None:
        return None
    name = "" if chosen.placed else project_name(root, around.environment, {})
    return Installed(chosen, replace(around, folder=root, project=name), Where.PROJECT, book, noted=True)


def _stands(chosen: Host, around: HostEnvironment, where: Where, book: NoteBook) -> bool:
    """Whether files of a host hold anything that can only be Reverie's, though there are no notes."""
    try:
        return not undoing(chosen.files(around, where), book).is_done
    except ReverieError:  # a broken file without notes is the host's own affair
        return False


def faults(one: Installed) -> list[Fault]:
    """Return what is wrong with an installation, each with the command that mends it."""
    title = f"{one.host.title}{f' in {one.around.folder}' if one.where is Where.PROJECT else ''}"
    if one.is_away:
        what = f"{title} was given this memory, and the folders of its settings are gone."
        forget = "reverie doctor --fix" if one.where is Where.PROJECT else f"{one.command} --undo"
        return [Fault("host-gone", what, f"If it is no longer in use: {forget}")]
    try:
        wanted, notes = one.host.files(one.around, one.where), one.book.read()
    except ReverieError as error:
        return [Fault("host-unreadable", f"{title}: {error.message}", error.mend)]
    found = [fault for file in wanted for fault in _file_faults(file, notes.get(file.path), title, one.command)]
    found += _project_faults(one, wanted, title)
    found += one.host.examine(one.around, one.command)
    if not one.host.placed and not is_there(one.host.extra):
        lack = lacking(one.host.extra, f"What {one.host.title} starts")
        found.append(Fault("host-extra-missing", lack.message, lack.mend))
    return found


def _file_faults(file: HostFile, note: ChangeNote | None, title: str, command: str) -> Iterator[Fault]:
    try:
        text = files.read(file.path)
        if text is None:
            yield Fault("host-file-gone", f"{title}: {file.path} is gone, and with it this memory.", command)
            return
        states = [(piece, _state(piece, text)) for piece in file.pieces]
    except Broken as broken:
        what = f"{title}: {file.path}, line {broken.line}: {broken.reason}."
        yield Fault("host-file-broken", what, "Mend the file; it is the program's own.")
        return
    except ReverieError as error:
        yield Fault("host-file-broken", f"{title}: {error.message}", error.mend)
        return
    outdated = note is not None and note.untouched(text)
    yield from _part_faults(states, file.path, title, command, outdated=outdated)
    others = {one for piece, state in states if state is PieceState.OTHER for one in _programs(piece, text)}
    yield from _program_faults(others, title, file.path, command)


def _project_faults(one: Installed, wanted: Iterable[HostFile], title: str) -> Iterator[Fault]:
    """Yield the fault of a server that asks another project's memory, as in a folder that was moved or copied.

    Where there are notes, it was installed in this folder, under a name that somebody chose.
    """
    if one.where is not Where.PROJECT or one.noted:
        return
    named = {project for file in wanted for project in _projects(file)}
    for project in sorted(named - {one.around.project}):
        what = f"{title} asks the memory of project {project}; this folder's is {one.around.project}."
        mend = f"To keep that memory: reverie project join {shlex.quote(project)}; for this folder's: {one.command}"
        yield Fault("host-other-project", what, mend)


def _projects(file: HostFile) -> Iterator[str]:
    """Yield the projects that Reverie's commands in a host's file name; none if it cannot be read."""
    try:
        text = files.read(file.path) or ""
        values = [value for piece in file.pieces if is_ours(value := piece.found(text))]
    except (Broken, ReverieError):  # which is a fault of its own
        return
    for value in values:
        words = list(_strings(value))
        yield from (after for word, after in pairwise(words) if word == "--project")


def _part_faults(
    states: Sequence[tuple[Piece, PieceState]], path: Path, title: str, command: str, *, outdated: bool
) -> Iterator[Fault]:
    """Yield the faults of pieces that are not there; ``outdated``: the file is as an earlier installation left it."""
    missing = [_named(piece) for piece, state in states if state is PieceState.MISSING]
    replaced = [_named(piece) for piece, state in states if state is PieceState.REPLACED]
    if missing and outdated:
        what = f"{title}: an older Reverie was installed; {path} has no {_listed(missing)} yet."
        yield Fault("host-outdated", what, command)
    elif missing:
        yield Fault("host-part-missing", f"{title}: {_listed(missing)} were taken out of {path}.", command)
    if replaced:
        what = f"{title}: somebody else's {_listed(replaced)} took the place of Reverie's in {path}."
        yield Fault("host-part-replaced", what, f"If that was not wanted: {command}")


def _state(piece: Piece, text: str) -> PieceState:
    """Return how a piece stands in a text. Raises Broken."""
    if piece.put(text) == text:
        return PieceState.RIGHT
    found = piece.found(text)
    if found is not None and not is_ours(found):
        return PieceState.REPLACED
    return PieceState.MISSING if piece.take(text, ()) == text else PieceState.OTHER


def _named(piece: Piece) -> str:
    kind = "hook" if isinstance(piece, JsonHook) else "part"
    return f"{kind} {'.'.join(str(key) for key in piece.keys) or 'file'}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _program_faults(programs: Iterable[str], title: str, path: Path, command: str) -> Iterator[Fault]:
    """Yield the faults of the programs that a host calls instead of this installation's."""
    for program in sorted(programs):
        version = program_version(Path(program))
        if not Path(program).is_absolute():
            continue  # found through PATH, which the host may have another of
        if not Path(program).exists():
            yield Fault("host-program-gone", f"{title} calls {program}, which is not there ({path}).", command)
        elif version is not None and version != __version__:
            what = f"{title} calls Reverie {version} ({program}); this is {__version__}."
            yield Fault("host-version", what, command)


def _programs(piece: Piece, text: str) -> Iterator[str]:
    """Yield the programs that Reverie's piece in a file names."""
    value = piece.found(text)
    if isinstance(piece, JsonHook):
        node = json_edit.find(text, piece.dialect, piece.keys)
        value = None if node is None else node.value
    for said in _strings(value):
        if "reverie" in said:
            try:
                words = shlex.split(said) if " hook --host " in said else [said]
            except ValueError:
                continue
            yield words[0]
            return


def _strings(value: object) -> Iterator[str]:
    """Yield every text in a value, those of commands first."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key in sorted(value, key=lambda name: name != "command"):
            yield from _strings(value[key])
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def program_version(program: Path) -> str | None:
    """Return the version of the installation that a program belongs to, from the names of its files; else None."""
    base = program.parent.parent
    for folder in (*base.glob("lib/python3*/site-packages"), base / "Lib" / "site-packages"):
        names = (_DIST_INFO.fullmatch(path.name) for path in folder.glob("reverie-*.dist-info"))
        if found := next((name["version"] for name in names if name), None):
            return found
    return None
