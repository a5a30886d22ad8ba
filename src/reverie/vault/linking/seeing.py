"""What lies in the folders: in, an agent's folders and ties; out, its files, read only where they may have changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from reverie.formulas.backlinks import Name
from reverie.vault.front import Malformed
from reverie.vault.held import Fault
from reverie.vault.linking.ties import Fields, Place, Stamp, Tie
from reverie.vault.linking.words import mark, of_file, words
from reverie.vault.observation import Observation, observation
from reverie.vault.places import SUFFIX, Places, file_names

SETTLED_NS = 2_000_000_000
"""A file that changed this lately may change again within one tick of its clock: it is read again the next time."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file: its words' mark and fields; ``read`` is what it says, None where it was not read."""

    name: str
    place: Place
    path: Path
    stamp: Stamp
    body: str
    fields: Fields
    read: Observation | None = None

    def opened(self) -> Seen:
        """The same, read now. Raises Malformed, OSError."""
        return self if self.read is not None else _read(self.name, self.place, self.path, Stamp())


@dataclass(slots=True)
class Folders:
    """What one agent's folders, or the shared one, hold; ``broken`` are the names of files that cannot be read."""

    files: dict[str, Seen] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    missing: bool = False


def seen(places: Places, agent: str, ties: Iterable[Tie], now: datetime) -> Folders:
    """The files of an agent; of two of a name the active one. Raises StoreError where a folder cannot be read."""
    known = {(tie.name, tie.place): tie for tie in ties if not tie.shared}
    found = Folders(missing=not places.vault(agent).is_dir())
    _look(found, places.archive(agent), Place.ARCHIVE, known, settled(now))
    _look(found, places.vault(agent), Place.ACTIVE, known, settled(now))
    return found


def seen_shared(places: Places, ties: Iterable[Tie], now: datetime) -> Folders:
    """The shared files. Raises StoreError where the folder cannot be read."""
    known = {(tie.name, tie.place): tie for tie in ties if tie.shared}
    found = Folders(missing=not places.shared.is_dir())
    _look(found, places.shared, Place.ACTIVE, known, settled(now))
    return found


def settled(now: datetime) -> int:
    """Until when a change is settled, in nanoseconds since the epoch; a later one may be followed by another unseen."""
    return int(now.timestamp() * 1e9) - SETTLED_NS


def stamps(folder: Path) -> Iterator[tuple[str, Stamp]]:
    """The notes of a folder, by name, each with its stamp. Raises StoreError where it cannot be read."""
    place = f"{folder}{os.sep}"
    for name in file_names(folder):
        with suppress(FileNotFoundError):  # moved or deleted since the folder was read
            status = os.lstat(place + name)
            if stat.S_ISREG(status.st_mode):
                changed_ns = max(status.st_mtime_ns, status.st_ctime_ns)
                yield name.removesuffix(SUFFIX), Stamp(changed_ns, status.st_size, status.st_ino)


def raw_of(path: Path) -> bytes:
    """What a file says; a name that has become a link to another place meanwhile is not followed. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _look(found: Folders, folder: Path, place: Place, known: dict[tuple[str, Place], Tie], settled_ns: int) -> None:
    for name, stamp in stamps(folder):
        path, tie = folder / f"{name}.md", known.get((name, place))
        if tie is not None and tie.stamp == stamp:
            found.files[name] = Seen(name, place, path, stamp, tie.body, tie.file)
            found.broken.discard(name)
            continue
        try:
            found.files[name] = _read(name, place, path, Stamp() if stamp.changed_ns > settled_ns else stamp)
            found.broken.discard(name)
        except Malformed as error:
            found.broken.add(name)
            found.faults.append(Fault(path, error.line, error.reason))
        except FileNotFoundError:
            continue
        except OSError as error:
            found.broken.add(name)
            found.faults.append(Fault(path, 0, f"cannot be read: {error.strerror or error}"))
    found.files = {name: one for name, one in found.files.items() if name not in found.broken}


def _read(name: str, place: Place, path: Path, stamp: Stamp) -> Seen:
    one = observation(Name("", name), path, raw_of(path))
    return Seen(name, place, path, stamp, mark(words(one.body)), of_file(one), one)


def written(name: str, path: Path, raw: bytes) -> Seen:
    """A file that is to be written with these bytes."""
    one = observation(Name("", name), path, raw)
    return Seen(name, Place.ACTIVE, path, Stamp(), mark(words(one.body)), of_file(one), one)


def after(one: Seen, written: Observation) -> Seen:
    """The file as it stands once something was written to it."""
    return replace(one, stamp=Stamp(), body=mark(words(written.body)), fields=of_file(written), read=written)
