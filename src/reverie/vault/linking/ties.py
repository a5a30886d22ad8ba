"""What the link knows beside both sides: in and out, the JSON file ``.reverie/link.json``.

A tie says which file and which memory are one, and how both stood when they last agreed. The file may be deleted:
linking again ties by words, and what else differs by then stays so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from reverie.errors import StoreCorrupt
from reverie.vault.files import Edit, carry_out, contents
from reverie.vault.places import Places

_FORMAT = 1


class Place(StrEnum):
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
    place: Place
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
class Link:
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


def load(path: Path) -> Link | None:
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


def save(path: Path, link: Link) -> None:
    """Write the link, if it differs from what is there. Raises StoreError."""
    before = contents(path)
    raw = _text(link).encode()
    if raw != before:
        carry_out([Edit(path, before, raw)])


def without_ties(link: Link) -> Link:
    """The same link that knows nothing yet."""
    return replace(link, head=-1, until=0.0, ties=())


def _text(link: Link) -> str:
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


def _read(shape: Mapping[str, Any]) -> Link:
    if shape["format"] != _FORMAT:
        raise ValueError(f"format {shape['format']}")
    ties = tuple(_tie(row) for row in shape["ties"])
    agents = tuple(map(str, shape["agents"]))
    store, user, project = (str(shape[name]) for name in ("store", "user", "project"))
    return Link(store, user, project, agents, int(shape["head"]), float(shape["until"]), ties)


def _tie(row: list[Any]) -> Tie:
    agent, name, shared, memory, place, stamp, body, file, said, engine, here = row
    return Tie(
        str(agent),
        str(name),
        bool(shared),
        str(memory),
        Place(place),
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
