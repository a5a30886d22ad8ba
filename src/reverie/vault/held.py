"""What a vault holds: in, its folders; out, every observation, and every file that is none with line and reason."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import Conflict, NotFound
from reverie.formulas.backlinks import Name
from reverie.vault.front import Malformed
from reverie.vault.observation import Observation, observation
from reverie.vault.places import Places, notes

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 1 << 16
"""Bytes of a file read at once: most are smaller, and Python's own file objects cost more than the reading."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was left alone: which line, and why; 0 where it is about the whole file."""

    path: Path
    line: int
    reason: str

    def text(self) -> str:
        """The fault in a line."""
        return f"{self.path}, line {self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Held:
    """The observations of a vault: active, archived and shared, each in order of agent and name."""

    active: tuple[Observation, ...]
    archived: tuple[Observation, ...]
    shared: tuple[Observation, ...]
    faults: tuple[Fault, ...]


def gather(places: Places, agents: Iterable[str] | None = None, *, archived: bool = True) -> Held:
    """Read a vault, or what these agents have in it and what is shared."""
    faults: list[Fault] = []
    active: list[Observation] = []
    old: list[Observation] = []
    for agent in places.agents() if agents is None else agents:
        active += folder(places.vault(agent), agent, faults)
        old += folder(places.archive(agent), agent, faults) if archived else []
    shared = folder(places.shared, "", faults)
    return Held(tuple(active), tuple(old), tuple(shared), tuple(faults))


def folder(path: Path, agent: str, faults: list[Fault]) -> list[Observation]:
    """The observations of one folder; what cannot be read is added to the faults."""
    found: list[Observation] = []
    for name, note in notes(path):
        try:
            found.append(observation(Name(agent, name), note, _read(note)))
        except Malformed as error:
            faults.append(Fault(note, error.line, error.reason))
        except FileNotFoundError:
            continue  # moved or deleted since the folder was read
        except OSError as error:
            faults.append(Fault(note, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _read(note: Path) -> bytes:
    """What a file says; a name that has become a link to another place meanwhile is not followed."""
    handle = os.open(note, _FLAGS)
    try:
        parts = [os.read(handle, _AT_ONCE)]
        while len(parts[-1]) == _AT_ONCE:
            parts.append(os.read(handle, _AT_ONCE))
    finally:
        os.close(handle)
    return b"".join(parts) if len(parts) > 1 else parts[0]


def label(name: Name) -> str:
    """An observation as others are told of it: ``agent/name``."""
    return f"{name.agent}/{name.id}"


def wanted(observations: Iterable[Observation], said: str) -> Observation:
    """The observation somebody names, ``name`` or ``agent/name``; looked up by name, which never becomes a path.

    Raises:
        NotFound: nothing is called so.
        Conflict: observations of several agents are.
    """
    agent, slash, bare = said.removesuffix(".md").rpartition("/")
    bearers = [one for one in observations if one.name.id == bare and (not slash or one.name.agent == agent)]
    if not bearers:
        raise NotFound(f"The vault has no observation {said!r}.", "`reverie vault search` finds their names.")
    if len(bearers) > 1:
        names = ", ".join(label(one.name) for one in bearers)
        raise Conflict(f"Several observations are called {bare}: {names}.", "Name the agent too, as shown.")
    return bearers[0]
