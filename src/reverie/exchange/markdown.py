"""Export a scope as a folder of Markdown for people to read, with links between the files.

    README.md                            contents
    sessions/2026-03-02-monday-1f2e….md  one file a session: what was said, in order
    memories/preference/2026-03-….md     one file a formed memory: its state, its sources and its relations

A file's name consists of dates, ids and the letters and digits of a session's name, never of what was said. What was
said is quoted line by line, so that nothing in it becomes a heading, front matter or a link.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.durable import create, is_there
from reverie.errors import Conflict, InvalidExport
from reverie.types import Kind, Memory, Relation, Scope

_NAME_MAX = 40
_LETTERS = re.compile(r"[^0-9a-z]+")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_HEAD = "---"
_MARKS = re.compile(r"[\\`~\[]|(?<!&)#|(?<=:):|(?<=%)%")
"""Signs by which programs that read Markdown make links, embed files and pages, run code, read fields or hide text."""
_BACKSLASHED = r"\\\g<0>"


@dataclass(frozen=True, slots=True)
class MarkdownExport:
    """How many files, sessions and formed memories were written."""

    files: int
    sessions: int
    formed: int


def write(folder: Path, scope: Scope, memories: Sequence[Memory], relations: Sequence[Relation]) -> MarkdownExport:
    """Write the folder, which must be empty or not exist yet.

    Raises:
        Conflict: there is something in the folder.
        InvalidExport: it cannot be written.
    """
    try:
        if folder.is_symlink() or (is_there(folder) and (not folder.is_dir() or any(folder.iterdir()))):
            raise Conflict(f"{folder} is there already.", "Name a folder that does not exist, or empty it.")
        return _written(folder, _Book(scope, memories, relations))
    except OSError as error:
        raise InvalidExport(
            f"{folder} cannot be written: {error.strerror or error}.", "Check the folder and the room on the disk."
        ) from None


def _written(folder: Path, book: _Book) -> MarkdownExport:
    pages = {"README.md": book.contents()}
    pages |= {book.places[("session", name)]: book.session(name) for name in book.sessions}
    pages |= {book.places[("memory", one.id)]: book.memory(one) for one in book.formed}
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with create(path) as file:
            file.write(text.encode("utf-8"))
    return MarkdownExport(len(pages), len(book.sessions), len(book.formed))


class _Book:
    """The pages of a scope, and the file of each."""

    def __init__(self, scope: Scope, memories: Sequence[Memory], relations: Sequence[Relation]) -> None:
        self._scope = scope
        self.sessions: dict[str, list[Memory]] = defaultdict(list)
        self.formed = [one for one in memories if one.kind is not Kind.EPISODE]
        self._said = {one.id: one for one in memories if one.kind is Kind.EPISODE}
        for one in self._said.values():
            self.sessions[one.session].append(one)
        self._edges: dict[str, list[Relation]] = defaultdict(list)
        for relation in relations:
            for end in {relation.source, relation.target}:
                self._edges[end].append(relation)
        self._made: dict[str, list[str]] = defaultdict(list)
        for one in self.formed:
            for source in one.sources:
                self._made[source].append(one.id)
        self.places = {("session", name): _session_file(name, held[0]) for name, held in self.sessions.items()}
        self.places |= {("memory", one.id): _memory_file(one) for one in self.formed}

    def contents(self) -> str:
        """Return the first page: every session, and every formed memory by kind."""
        lines = ["# Memories", "", f"Scope: {_inline(str(self._scope))}", "", "## Sessions", ""]
        for name, held in self.sessions.items():
            lines.append(f"- [{_day(held[0])} · {_inline(name)}]({self.places[('session', name)]}) ({len(held)})")
        for kind in Kind:
            of_kind = [one for one in self.formed if one.kind is kind]
            if of_kind:
                lines += ["", f"## {kind.value.capitalize()}", ""]
                lines += [f"- [{_inline(_short(one.text))}]({self.places[('memory', one.id)]})" for one in of_kind]
        return "\n".join(lines) + "\n"

    def session(self, name: str) -> str:
        """Return a session's page: what was said, in order."""
        held = self.sessions[name]
        head = {"reverie": "session", "session": name, "scope": str(self._scope), "messages": len(held)}
        times = {"first": held[0].at.isoformat(), "last": held[-1].at.isoformat()}
        lines = [_front(head | times), f"# {_inline(name)}", ""]
        for one in held:
            lines += [
                f'<a id="{_plain(one.id)}"></a>',
                f"**{_inline(one.speaker)}** · {one.at:%Y-%m-%d %H:%M}{_ended(one)}",
            ]
            lines += ["", _quoted(one.text), ""]
            ties = [f"made of it: {self._link(made, '../')}" for made in self._made.get(one.id, ())]
            lines += _listed([*ties, *self._ties(one.id, "../")])
        return "\n".join(lines)

    def memory(self, memory: Memory) -> str:
        """Return a formed memory's page: its state, its sources and its relations."""
        standing = memory.standing
        head: dict[str, object] = {
            "reverie": "memory",
            "id": memory.id,
            "kind": memory.kind.value,
            "tier": standing.tier.value,
            "state": standing.state.value,
            "at": memory.at.isoformat(),
            "recorded_at": memory.recorded_at.isoformat(),
            "valid_until": memory.valid_until.isoformat() if memory.valid_until else None,
            "importance": round(standing.importance, 4),
            "confidence": round(standing.confidence, 4),
            "accesses": memory.accesses,
            "pinned": standing.pinned,
            "tags": list(standing.tags),
            "entities": list(memory.entities),
        }
        ties = [f"from: {self._link(source, '../../')}" for source in memory.sources]
        lines = [_front(head), _quoted(memory.text), "", *_listed([*ties, *self._ties(memory.id, "../../")])]
        return "\n".join(lines)

    def _ties(self, memory_id: str, up: str) -> list[str]:
        """Return a memory's relations, each as "causes: …" or "causes, from: …"."""
        found = []
        for edge in self._edges.get(memory_id, ()):
            outward = edge.source == memory_id
            name = edge.kind.value.replace("_", " ") + ("" if outward else ", from")
            found.append(f"{name}: {self._link(edge.target if outward else edge.source, up)}")
        return found

    def _link(self, memory_id: str, up: str) -> str:
        if (page := self.places.get(("memory", memory_id))) is not None:
            return f"[{memory_id}]({up}{page})"
        said = self._said.get(memory_id)
        if said is None:
            return f"{_inline(memory_id)} (erased)"
        return (
            f"[{_inline(said.speaker)}, {_day(said)}]({up}{self.places[('session', said.session)]}#{_plain(memory_id)})"
        )


def _session_file(name: str, first: Memory) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"sessions/{'-'.join(part for part in (_day(first), _plain(name), mark) if part)}.md"


def _memory_file(memory: Memory) -> str:
    mark = hashlib.sha256(memory.id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"memories/{memory.kind.value}/{_day(memory)}-{_plain(memory.id) or 'memory'}-{mark}.md"


def _plain(name: str) -> str:
    """Reduce a name to letters and digits, safe for file systems, shells and browsers."""
    letters = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode("ascii")
    return _LETTERS.sub("-", letters).strip("-")[:_NAME_MAX].strip("-")


def _day(memory: Memory) -> str:
    return f"{memory.at:%Y-%m-%d}"


def _ended(memory: Memory) -> str:
    return f" · held until {memory.valid_until:%Y-%m-%d}" if memory.valid_until else ""


def _front(fields: Mapping[str, object]) -> str:
    """Return front matter with each value as JSON, which every YAML reader accepts."""
    shown = ((name, json.dumps(value).replace("<", "\\u003c")) for name, value in fields.items())
    lines = (f"{name}: {value}" for name, value in shown if value not in ("null", "[]"))
    return "\n".join((_HEAD, *lines, _HEAD, ""))


def _quoted(text: str) -> str:
    """Return text as a quotation in which nothing is a link, a picture, a tag, code or a field of Dataview's."""
    lines = re.split(r"\r\n|\r|\n", text)
    return "\n".join(f"> {_MARKS.sub(_BACKSLASHED, _seen(line))}".rstrip() for line in lines)


def _inline(text: str) -> str:
    """Return text for use inside a line of the export: without mark-up and line breaks."""
    return re.sub(r"([\\`*_{}\[\]()<>#|!])", r"\\\1", _seen(" ".join(text.split())))


def _seen(text: str) -> str:
    """Replace control characters and surrogates by a sign, and escape HTML."""
    shown = _UNSEEN.sub("\ufffd", text)
    return shown.replace("&", "&amp;").replace("<", "&lt;")


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"


def _listed(lines: Iterable[str]) -> list[str]:
    found = [f"- {line}" for line in lines]
    return [*found, ""] if found else []
