"""Import from basic-memory: a folder of Markdown notes, with observations and relations as list items.

    ---
    title: Harbour Café
    created: 2026-03-01
    ---
    Prose about it.
    - [fact] Opens at seven #hours (as of spring)
    - near [[Old Lighthouse]]

Prose is imported by heading, each observation as a message under the note's title, each relation as a sentence and as
an edge between the first messages of the two notes. Other folders of Markdown, such as Obsidian vaults, are read the
same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from reverie.errors import InvalidExport
from reverie.exchange.fields import FieldError, ImportedLink, Item, Report, Skipped, time_in
from reverie.exchange.foreign.note import Program, kind_of_link
from reverie.types import Message

BASIC_MEMORY = Program("basic-memory")
FILE_MAX = 1 << 24
"""Largest note that is read, in bytes."""

_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|permalink|created|modified|reverie):[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$")
_OBSERVATION = re.compile(r"^\s*[-*+]\s+\[([^\[\]()]{2,})\]\s+(\S.*)$")
_RELATION = re.compile(
    r"^\s*[-*+]\s+(?:([^\s\[\"']+)|\"([^\"]+)\"|'([^']+)')\s+\[\[([^\[\]|]+)(?:\|[^\]]*)?\]\]\s*(\(.*\))?\s*$"
)
_TIMECODE = re.compile(r"^[\d:.,\s-]+$")
_LISTS = ("observations", "relations")


@dataclass(slots=True)
class _Note:
    """A note while its lines are read."""

    title: str
    key: str
    at: datetime | None
    first: str = ""
    heading: str = ""
    prose: list[str] = field(default_factory=list)


def notes(folder: Path) -> list[Path]:
    """Return the Markdown files in a folder and below, sorted by path; hidden folders and links are skipped."""
    found = (path for path in folder.rglob("*.md") if path.is_file() and not path.is_symlink())
    inside = [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    return sorted(path for path in inside if path.resolve().is_relative_to(folder.resolve()))


class NotesVault:
    """Imports a folder of notes, all of them or only the ``chosen`` ones, under a program's name."""

    def __init__(
        self, folder: Path, report: Report, program: Program = BASIC_MEMORY, chosen: Sequence[Path] | None = None
    ) -> None:
        self._folder = folder
        self._report = report
        self._program = program
        self._chosen = chosen
        self._first: dict[str, str] = {}
        self._edges: list[tuple[str, str, str, str]] = []

    def items(self) -> Iterator[Item]:
        """Yield every note's messages, then the edges between notes."""
        for path in sorted(self._folder.rglob("*.md")) if self._chosen is None else ():
            if path.is_symlink():
                self._report(Skipped(path.relative_to(self._folder).as_posix(), "link to a file elsewhere"))
        for path in notes(self._folder) if self._chosen is None else self._chosen:
            where = path.relative_to(self._folder).as_posix()
            try:
                yield from self._file(path, where)
            except (FieldError, OSError) as error:
                self._report(Skipped(where, "note that cannot be read", broken=True, detail=str(error)))
        for source, target, name, where in self._edges:
            ends = self._first.get(source), self._first.get(target.strip().lower())
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                self._report(Skipped(where, "relation to a note that is not there", detail=target))
            else:
                yield ImportedLink(ends[0], ends[1], kind_of_link(name), name)

    def _file(self, path: Path, where: str) -> Iterator[Message]:
        stat = path.stat()
        if stat.st_size > FILE_MAX:
            raise FieldError(f"it is larger than {FILE_MAX} bytes")
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FieldError(f"it is not UTF-8 ({error.reason})") from None
        front = _FRONT.match(text)
        fields = dict(_FIELD.findall(front[1])) if front else {}
        if "reverie" in fields:
            raise InvalidExport(
                f"{self._folder} is Reverie's own Markdown export, which is for reading.",
                "Import the JSON lines of `reverie export --lossless` instead.",
            )
        fields = {name: value.strip("\"'") for name, value in fields.items()}
        note = _Note(fields.get("title") or path.stem, where.removesuffix(".md"), _when(fields, stat.st_mtime))
        yield from self._lines(note, text[front.end() :] if front else text, where)
        if not note.first:
            self._report(Skipped(where, "note without words"))
        for name in (note.title, note.key, path.stem, fields.get("permalink", "")):
            if name and note.first:
                self._first.setdefault(name.lower(), note.first)

    def _lines(self, note: _Note, body: str, where: str) -> Iterator[Message]:
        fenced = False
        for number, line in enumerate(body.splitlines(), 1):
            fenced ^= line.lstrip().startswith(("```", "~~~"))
            if not fenced and (heading := _HEADING.match(line)):
                yield from self._section(note)
                note.heading = "" if heading[1] == note.title else heading[1]
            elif not fenced and (relation := _RELATION.match(line)):
                yield from self._section(note)
                yield self._related(note, relation, f"{where}, line {number}")
            elif not fenced and (seen := _OBSERVATION.match(line)) and not _TIMECODE.match(seen[1]):
                yield from self._section(note)
                yield self._say(note, f"{note.title}, {seen[1].strip()}: {seen[2].strip()}")
            else:
                note.prose.append(line)
        yield from self._section(note)

    def _related(self, note: _Note, relation: re.Match[str], where: str) -> Message:
        name = next(part for part in relation.groups()[:3] if part)
        self._edges.append((note.key.lower(), relation[4], name, where))
        return self._say(note, f"{note.title} {name} {relation[4].strip()} {relation[5] or ''}".rstrip())

    def _section(self, note: _Note) -> Iterator[Message]:
        """Yield the prose since the last heading or list item as a message, if there is any."""
        text = "\n".join(note.prose).strip()
        note.prose.clear()
        if text:
            heading = "" if note.heading.lower() in _LISTS else note.heading
            yield self._say(note, f"{' › '.join(part for part in (note.title, heading) if part)}\n{text}")

    def _say(self, note: _Note, text: str) -> Message:
        said = self._program.note(text, note.key, place=note.key, at=note.at)
        note.first = note.first or said.message_id or ""
        return said


def _when(fields: dict[str, str], changed: float) -> datetime:
    """Return a note's date from its front matter, else when its file was last changed."""
    for name in ("created", "modified"):
        try:
            at = time_in(fields, name)
        except FieldError:
            continue
        if at is not None:
            return at
    return datetime.fromtimestamp(changed, UTC)
