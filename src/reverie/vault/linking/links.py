"""What the link knows beside both sides (``.reverie/link.json``), and words on their way between file and memory."""

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

# What the link knows beside both sides: in and out, the JSON file ``.reverie/link.json``.


_FORMAT = 1


class FilePlace(StrEnum):
    """Where a file lies: among what holds, in the archive, or nowhere."""

    ACTIVE = "active"
    ARCHIVE = "archive"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Fields:
    """What both sides say beside the words. ``links`` are a file's backlinks."""

    importance: float
    verified: bool
    tags: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stamp:
    """By what a file is known not to have changed: time, size and number. All 0: look into it."""

    changed_ns: int = 0
    size: int = 0
    inode: int = 0


@dataclass(frozen=True, slots=True)
class Tie:
    """A file and a memory that are one, and how both stood when they last agreed.

    Attributes:
        shared: the file lies in the shared folder, and is only read.
        memory: the memory's id.
        body: mark of the file's words.
        said: mark of the memory's words.
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
        """``agent/name``, as everything else calls the file."""
        return f"shared/{self.name}" if self.shared else f"{self.agent}/{self.name}"


@dataclass(frozen=True, slots=True)
class VaultLink:
    """Which engine a vault is linked with, for which agents (none: all it has), and every tie.

    ``head``: the number of the journal's last event that both sides agree about; ``until``: when the next memory ends
    by itself, in seconds since the epoch.
    """

    store: str
    user: str
    project: str
    agents: tuple[str, ...] = ()
    head: int = -1
    until: float = 0.0
    ties: tuple[Tie, ...] = ()

    def of(self, agent: str) -> tuple[Tie, ...]:
        """The ties of one agent."""
        return tuple(tie for tie in self.ties if tie.agent == agent)


def sidecar(places: Places) -> Path:
    """Where a vault keeps its link."""
    return places.own / "link.json"


def load(path: Path) -> VaultLink | None:
    """The link as it was saved; None where there is none. Raises StoreCorrupt."""
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
    """Write the link, if it differs from what is there. Raises StoreError."""
    before = contents(path)
    raw = _text(link).encode()
    if raw != before:
        carry_out([Edit(path, before, raw)])


def without_ties(link: VaultLink) -> VaultLink:
    """The same link that knows nothing yet."""
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


# Words between a file and a memory: in, a body or a memory; out, the text, mark or file of the other side.


DIGITS = 4
"""Places of an importance in a file."""
CONFLICT = "conflict"
"""The tag of a file that says what the engine said when both sides had changed."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_ADDRESS = "entity://"
_TAGS = 8
_KINDS = {kind.value: kind for kind in Kind if kind is not Kind.EPISODE}


def words(body: str) -> str:
    """The words of a file, as a memory says them."""
    return body.replace("\r\n", "\n").strip()


def mark(text: str) -> str:
    """By what words are known again."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def kind_in(tags: Sequence[str]) -> Kind | None:
    """The kind a file's tags name, if one does."""
    return next((_KINDS[tag] for tag in tags if tag in _KINDS), None)


def holds(memory: Memory, now: datetime) -> bool:
    """Whether a memory is one that is recalled."""
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def of_file(one: Observation) -> Fields:
    """What a file says beside its words."""
    return Fields(one.importance, one.verified, one.tags, one.backlinks)


def of_memory(memory: Memory) -> Fields:
    """What a memory says beside its words; the addresses of its entities are no tags."""
    standing = memory.standing
    tags = tuple(tag for tag in standing.tags if not tag.startswith(_ADDRESS))
    return Fields(standing.importance, standing.verified, tags)


def file_of(memory: Memory, start: float, tags: Sequence[str] = ()) -> str:
    """The file of a memory that the engine formed.

    It starts no higher than any other, and stays until the engine lets it go: two laws of forgetting on one thing
    would forget it twice as fast.
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
    """A memory's words as a file may have them: without signs that no editor shows."""
    return _UNSEEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def reworded(front: Front, text: str) -> Front:
    """The file with these words, in its own line ends; the blanks around the body stay."""
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
