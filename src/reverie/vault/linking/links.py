"""The link's state (``.reverie/link.json``), and conversion of texts between file and memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from reverie.errors import StoreCorrupt
from reverie.types import RECALLED_STATES, Kind, Memory
from reverie.vault.files import Edit, Places, carry_out, contents
from reverie.vault.front import Front, quoted, read
from reverie.vault.observation import PERMANENT, Observation

_FORMAT = 1


class FilePlace(StrEnum):
    """Where a file lies: active, archived, or nowhere."""

    ACTIVE = "active"
    ARCHIVE = "archive"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields besides the text that a file and its memory have in common; ``links`` are the file's backlinks."""

    importance: float
    verified: bool
    tags: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stamp:
    """Change time, size and inode of a file, to see whether it changed. All 0: the file must be read."""

    changed_ns: int = 0
    size: int = 0
    inode: int = 0


@dataclass(frozen=True, slots=True)
class Tie:
    """A file and a memory that belong together, and the state of both when they last agreed.

    Attributes:
        shared: the file lies in the shared folder, and is only read.
        memory: the memory's id.
        body: hash of the file's text.
        said: hash of the memory's text.
        here: whether the memory held.
    """

    agent: str
    name: str
    shared: bool
    memory: str
    place: FilePlace
    stamp: Stamp
    body: str
    file: Fields
    said: str
    engine: Fields
    here: bool

    @property
    def label(self) -> str:
        """The file's full name, ``agent/name`` or ``shared/name``."""
        return f"shared/{self.name}" if self.shared else f"{self.agent}/{self.name}"


@dataclass(frozen=True, slots=True)
class VaultLink:
    """The engine a vault is linked with, the agents it is linked for (empty: all), and every tie.

    ``head``: the number of the journal's last event that both sides agree on; ``until``: when the next memory expires,
    in seconds since the epoch.
    """

    store: str
    user: str
    project: str
    agents: tuple[str, ...] = ()
    head: int = -1
    until: float = 0.0
    ties: tuple[Tie, ...] = ()

    def of(self, agent: str) -> tuple[Tie, ...]:
        """Return the ties of one agent."""
        return tuple(tie for tie in self.ties if tie.agent == agent)


def sidecar(places: Places) -> Path:
    """Return the path of a vault's link file."""
    return places.own / "link.json"


def load(path: Path) -> VaultLink | None:
    """Load the link; None if there is none. Raises StoreCorrupt."""
    raw = contents(path)
    if raw is None:
        return None
    try:
        return _read(json.loads(raw))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise StoreCorrupt(
            f"{path} is not what was written there ({error}).",
            "Delete it and run `reverie vault link` again: files and memories find each other by their words.",
        ) from None


def save(path: Path, link: VaultLink) -> None:
    """Write the link if it differs from the file. Raises StoreError."""
    before = contents(path)
    raw = _text(link).encode()
    if raw != before:
        carry_out([Edit(path, before, raw)])


def without_ties(link: VaultLink) -> VaultLink:
    """Return the link without any pair of file and memory, as when it was new."""
    return replace(link, head=-1, until=0.0, ties=())


def _text(link: VaultLink) -> str:
    head = {"format": _FORMAT, "store": link.store, "user": link.user, "project": link.project}
    shape = json.dumps({**head, "agents": link.agents, "head": link.head, "until": link.until})
    return f'{shape[:-1]}, "ties": [\n{_lines(link.ties)}\n]}}\n'


def _lines(ties: Iterable[Tie]) -> str:
    ordered = sorted(ties, key=lambda tie: (tie.agent, tie.shared, tie.name))
    return ",\n".join(json.dumps(_row(tie), separators=(",", ":")) for tie in ordered)


def _row(tie: Tie) -> list[object]:
    stamp = [tie.stamp.changed_ns, tie.stamp.size, tie.stamp.inode]
    names = [tie.agent, tie.name, tie.shared, tie.memory, tie.place.value]
    return [*names, stamp, tie.body, _listed(tie.file), tie.said, _listed(tie.engine), tie.here]


def _listed(fields: Fields) -> list[object]:
    return [fields.importance, fields.verified, fields.tags, fields.links]


def _read(shape: Mapping[str, Any]) -> VaultLink:
    if shape["format"] != _FORMAT:
        raise ValueError(f"format {shape['format']}")
    ties = tuple(_tie(row) for row in shape["ties"])
    agents = tuple(map(str, shape["agents"]))
    store, user, project = (str(shape[name]) for name in ("store", "user", "project"))
    return VaultLink(store, user, project, agents, int(shape["head"]), float(shape["until"]), ties)


def _tie(row: list[Any]) -> Tie:
    agent, name, shared, memory, place, stamp, body, file, said, engine, here = row
    return Tie(
        str(agent),
        str(name),
        bool(shared),
        str(memory),
        FilePlace(place),
        Stamp(*map(int, stamp)),
        str(body),
        _fields(file),
        str(said),
        _fields(engine),
        bool(here),
    )


def _fields(row: list[Any]) -> Fields:
    importance, verified, tags, links = row
    return Fields(float(importance), bool(verified), tuple(map(str, tags)), tuple(map(str, links)))


DIGITS = 4
"""Decimal places of an importance in a file."""
CONFLICT = "conflict"
"""Tag of a file with the engine's text after both sides had changed."""
_RUN_INLINE = re.compile(r"(`\s*)(?=\$?=)")
_RUN_FENCE = re.compile(r"((?:`{3,}|~{3,})[ \t]*)(?=dataview)", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_ADDRESS = "entity://"
_TAGS = 8
_KINDS = {kind.value: kind for kind in Kind if kind is not Kind.EPISODE}


def words(body: str) -> str:
    """Return a file's text in the form a memory has it."""
    return body.replace("\r\n", "\n").strip()


def mark(text: str) -> str:
    """Return a hash that identifies a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def kind_in(tags: Sequence[str]) -> Kind | None:
    """Return the kind that a file's tags name; None if none does."""
    return next((_KINDS[tag] for tag in tags if tag in _KINDS), None)


def holds(memory: Memory, now: datetime) -> bool:
    """Whether a memory may be recalled: it is active, and valid at this moment."""
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def of_file(one: Observation) -> Fields:
    """Return a file's fields besides its text."""
    return Fields(one.importance, one.verified, one.tags, one.backlinks)


def of_memory(memory: Memory) -> Fields:
    """Return a memory's fields besides its text; the addresses of its entities are not tags."""
    standing = memory.standing
    tags = tuple(tag for tag in standing.tags if not tag.startswith(_ADDRESS))
    return Fields(standing.importance, standing.verified, tags)


def file_of(memory: Memory, start: float, tags: Sequence[str] = ()) -> str:
    """Return the file content for a memory that the engine formed.

    Its importance is at most that of a new file, and it stays until the engine forgets it: two forgetting rules
    together would forget it twice as fast.
    """
    shown = dict.fromkeys((*tags, memory.kind.value, *of_memory(memory).tags))
    cleaned = [tag for tag in (_line(tag) for tag in list(shown)[:_TAGS]) if tag]
    lines = [
        "---",
        f"tags: [{', '.join(map(quoted, dict.fromkeys(cleaned)))}]",
        f"importance: {round(min(memory.standing.importance, start), DIGITS)!r}",
        f"created: {memory.at.date().isoformat()}",
        f"max_age: {PERMANENT}",
        f"source: {quoted(memory.scope.agent)}",
        "refs: 0",
        "ref_by: []",
        "backlinks: []",
        f"verified: {str(memory.standing.verified).lower()}",
        "---",
        shown_text(memory.text),
        "",
    ]
    return "\n".join(lines)


def shown_text(text: str) -> str:
    """Return a memory's text for a file: invisible characters replaced, and nothing in it that Obsidian would run.

    Its plugin Dataview runs code that begins with ``=`` or ``$=``, and fenced code by the language's name.
    """
    seen = _UNSEEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return _RUN_FENCE.sub(r"\1text ", _RUN_INLINE.sub(r"\1·", seen))


def reworded(front: Front, text: str) -> Front:
    """Return the file with this text, in its own line ends; the blanks around the body stay."""
    body = front.text[front.body :]
    bare = body.strip()
    place = body.index(bare) if bare else 0
    said = shown_text(text)
    if "\r\n" in front.text:
        said = said.replace("\n", "\r\n")
    lead = body[:place]
    if not front.text[: front.body].endswith("\n") and not lead:
        lead = "\n"
    rest = body[place + len(bare) :] if bare else _end(front.text)
    return read(f"{front.text[: front.body]}{lead}{said}{rest}")


def _end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line(tag: str) -> str:
    return _UNSEEN.sub("", tag.replace("\n", " ")).strip()
