"""Read a vault: every observation, every unreadable file with the reason, and the JSON record beside them."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Any

from reverie.errors import Conflict, NotFound
from reverie.formulas.vault import Name
from reverie.vault.files import Edit, Places, carry_out, contents, notes
from reverie.vault.front import Malformed
from reverie.vault.observation import Observation, observation

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 1 << 16
"""Bytes of a file read at once: most are smaller, and Python's file objects cost more than the reading."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """A file that was left alone: the line (0 for the whole file), and the reason."""

    path: Path
    line: int
    reason: str

    def text(self) -> str:
        """Return the fault as one line of text."""
        return f"{self.path}, line {self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class VaultContents:
    """The observations of a vault: active, archived and shared, each sorted by agent and name."""

    active: tuple[Observation, ...]
    archived: tuple[Observation, ...]
    shared: tuple[Observation, ...]
    faults: tuple[FileFault, ...]


def gather(places: Places, agents: Iterable[str] | None = None, *, archived: bool = True) -> VaultContents:
    """Read a vault, or only these agents' observations and the shared ones."""
    faults: list[FileFault] = []
    active: list[Observation] = []
    old: list[Observation] = []
    for agent in places.agents() if agents is None else agents:
        active += folder(places.vault(agent), agent, faults)
        old += folder(places.archive(agent), agent, faults) if archived else []
    shared = folder(places.shared, "", faults)
    return VaultContents(tuple(active), tuple(old), tuple(shared), tuple(faults))


def folder(path: Path, agent: str, faults: list[FileFault]) -> list[Observation]:
    """Return the observations of one folder; append those that cannot be read to the faults."""
    found: list[Observation] = []
    for name, note in notes(path):
        try:
            found.append(observation(Name(agent, name), note, _read(note)))
        except Malformed as error:
            faults.append(FileFault(note, error.line, error.reason))
        except FileNotFoundError:
            continue  # moved or deleted since the folder was read
        except OSError as error:
            faults.append(FileFault(note, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _read(note: Path) -> bytes:
    """Read a file, without following it if it has become a link meanwhile."""
    handle = os.open(note, _FLAGS)
    try:
        parts = [os.read(handle, _AT_ONCE)]
        while len(parts[-1]) == _AT_ONCE:
            parts.append(os.read(handle, _AT_ONCE))
    finally:
        os.close(handle)
    return b"".join(parts) if len(parts) > 1 else parts[0]


def label(name: Name) -> str:
    """Return an observation's full name, ``agent/name``."""
    return f"{name.agent}/{name.id}"


def wanted(observations: Iterable[Observation], said: str) -> Observation:
    """Find the observation called ``name`` or ``agent/name``, by comparing names; ``said`` never becomes a path.

    Raises:
        NotFound: there is none.
        Conflict: several agents have one of this name.
    """
    agent, slash, bare = said.removesuffix(".md").rpartition("/")
    bearers = [one for one in observations if one.name.id == bare and (not slash or one.name.agent == agent)]
    if not bearers:
        raise NotFound(f"The vault has no observation {said!r}.", "`reverie vault search` finds their names.")
    if len(bearers) > 1:
        names = ", ".join(label(one.name) for one in bearers)
        raise Conflict(f"Several observations are called {bare}: {names}.", "Name the agent too, as shown.")
    return bearers[0]


_FORMAT = 1


@dataclass(frozen=True, slots=True)
class VaultRecord:
    """What was counted for one observation.

    Attributes:
        earned: importance before neglect.
        written: importance last written to the file; a different one in the file is a person's.
        verified: whether a verification was counted.
        since: day (ISO) when a person last set its importance, from which neglect counts anew; "" for never.
        credited: the referrers that were counted.
        contradicted_by: the observations that contradict it.
        outcomes: its good outcomes, each counted once.
        review: day since which it waits for a person's review; "" if it does not.
        copy: SHA-256 of the shared copy as it was written; "" if there is none.
        body: hash of its text, by which a renamed file is recognised; "" in files of an older version.
    """

    earned: float
    written: float
    verified: bool = False
    since: str = ""
    credited: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    review: str = ""
    copy: str = ""
    body: str = ""


_FIELDS = tuple(field.name for field in fields(VaultRecord))
_NUMBERS = ("earned", "written")


class Records:
    """Every record of a vault, by ``agent/name``; ``fault`` says why the file could not be used, else it is empty.

    ``is_kept``: the file exists and is valid, so that an observation missing in it is a new one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw = contents(path)
        self.fault = ""
        self.known: dict[str, VaultRecord] = {}
        self.is_kept = False
        if self._raw is not None:
            try:
                self.known = _read_record(self._raw)
                self.is_kept = True
            except (ValueError, TypeError, KeyError) as error:
                self.fault = f"{path} is not what was written there ({error}); it is made anew"

    def save(self, records: Mapping[str, VaultRecord]) -> None:
        """Write the records if they differ from the file. Raises StoreError."""
        shown = {name: _shape(record) for name, record in sorted(records.items())}
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(shape)}" for name, shape in shown.items())
        raw = f'{{"format": {_FORMAT}, "observations": {{\n{lines}\n}}}}\n'.encode()
        if raw != self._raw:
            carry_out([Edit(self._path, self._raw, raw)])


def body_mark(seen: Observation) -> str:
    """Return a hash of an observation's text, by which it is recognised after a renaming."""
    return blake2b(seen.body.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def following(
    known: Mapping[str, VaultRecord], active: Sequence[Observation], there: Collection[str]
) -> dict[str, VaultRecord]:
    """Return the records under the current names of their observations: a renamed file keeps its record.

    Args:
        known: the records under the earlier names of observations.
        active: the observations that may be new, or renamed.
        there: every name in the vault, archived ones too.
    """
    found = dict(known)
    unknown = [one for one in active if label(one.name) not in known]
    gone = [name for name in known if name not in there] if unknown else []
    marks = {known[name].body or _older_mark(name, known[name]): name for name in reversed(gone)}
    for one in unknown:
        name = label(one.name)
        old = marks.pop(body_mark(one), None) or marks.pop(f"{one.name.id} {one.importance!r}", None)
        if old is not None:
            found[name] = found.pop(old)
    return found


def _older_mark(name: str, record: VaultRecord) -> str:
    """Return what identifies an observation recorded before texts were hashed: its name and its importance."""
    return f"{name.rpartition('/')[2]} {record.written!r}"


def _shape(record: VaultRecord) -> dict[str, object]:
    """Return a record as JSON data: both numbers, and the other fields that are not empty."""
    values = ((name, getattr(record, name)) for name in _FIELDS)
    return {name: value for name, value in values if name in _NUMBERS or value not in ("", False, ())}


def _read_record(raw: bytes) -> dict[str, VaultRecord]:
    shape = json.loads(raw)
    if shape["format"] != _FORMAT:
        raise ValueError(f"format {shape['format']}")
    return {str(name): _record(entry) for name, entry in shape["observations"].items()}


def _record(entry: Mapping[str, object]) -> VaultRecord:
    values: dict[str, Any] = {
        name: tuple(map(str, value)) if isinstance(value, list) else value
        for name, value in entry.items()
        if name in _FIELDS
    }
    for number in _NUMBERS:
        values[number] = float(values[number])
    if values.get("since"):
        date.fromisoformat(values["since"])
    return VaultRecord(**values)
