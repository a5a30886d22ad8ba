"""Scan an agent's folders, reading only files that may have changed, and pair files with memories."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from reverie.encode.notes import MANUAL
from reverie.formulas.vault import Name
from reverie.types import Memory, State
from reverie.vault.contents import FileFault
from reverie.vault.files import SUFFIX, Places, file_names
from reverie.vault.front import Malformed
from reverie.vault.linking.links import Fields, FilePlace, Stamp, Tie, holds, mark, of_file, of_memory, words
from reverie.vault.observation import Observation, observation

SETTLED_NS = 2_000_000_000
"""A file changed this recently may change again within one clock tick, so it is read again the next time."""


@dataclass(frozen=True, slots=True)
class SeenFiles:
    """A file with the hash of its text and its fields; ``read`` is its content, None if it was not read."""

    name: str
    place: FilePlace
    path: Path
    stamp: Stamp
    body: str
    fields: Fields
    read: Observation | None = None

    def opened(self) -> SeenFiles:
        """Return the file with its content, read now if necessary. Raises Malformed, OSError."""
        return self if self.read is not None else _read(self.name, self.place, self.path, Stamp())


@dataclass(slots=True)
class Folders:
    """The files of an agent's folders or of the shared one; ``broken`` are the names of unreadable files."""

    files: dict[str, SeenFiles] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    faults: list[FileFault] = field(default_factory=list)
    missing: bool = False


def seen(places: Places, agent: str, ties: Iterable[Tie], now: datetime) -> Folders:
    """Scan the files of an agent; of two with the same name take the active one. Raises StoreError for an unreadable
    folder.
    """
    known = {(tie.name, tie.place): tie for tie in ties if not tie.shared}
    found = Folders(missing=not places.vault(agent).is_dir())
    _look(found, places.archive(agent), FilePlace.ARCHIVE, known, settled(now))
    _look(found, places.vault(agent), FilePlace.ACTIVE, known, settled(now))
    return found


def seen_shared(places: Places, ties: Iterable[Tie], now: datetime) -> Folders:
    """Read the shared observation files and pair them with the memories they are linked to. Raises StoreError for an
    unreadable folder.
    """
    known = {(tie.name, tie.place): tie for tie in ties if tie.shared}
    found = Folders(missing=not places.shared.is_dir())
    _look(found, places.shared, FilePlace.ACTIVE, known, settled(now))
    return found


def settled(now: datetime) -> int:
    """Return the time (ns since the epoch) up to which a change is settled; a later one may hide a further change."""
    return int(now.timestamp() * 1e9) - SETTLED_NS


def stamps(folder: Path) -> Iterator[tuple[str, Stamp]]:
    """Yield each note of a folder with its stamp, by name. Raises StoreError for an unreadable folder."""
    place = f"{folder}{os.sep}"
    for name in file_names(folder):
        with suppress(FileNotFoundError):  # moved or deleted since the folder was read
            status = os.lstat(place + name)
            if stat.S_ISREG(status.st_mode):
                changed_ns = max(status.st_mtime_ns, status.st_ctime_ns)
                yield name.removesuffix(SUFFIX), Stamp(changed_ns, status.st_size, status.st_ino)


def raw_of(path: Path) -> bytes:
    """Read a file, without following it if it has become a link meanwhile. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _look(
    found: Folders, folder: Path, place: FilePlace, known: dict[tuple[str, FilePlace], Tie], settled_ns: int
) -> None:
    for name, stamp in stamps(folder):
        path, tie = folder / f"{name}.md", known.get((name, place))
        if tie is not None and tie.stamp == stamp:
            found.files[name] = SeenFiles(name, place, path, stamp, tie.body, tie.file)
            found.broken.discard(name)
            continue
        try:
            found.files[name] = _read(name, place, path, Stamp() if stamp.changed_ns > settled_ns else stamp)
            found.broken.discard(name)
        except Malformed as error:
            found.broken.add(name)
            found.faults.append(FileFault(path, error.line, error.reason))
        except FileNotFoundError:
            continue
        except OSError as error:
            found.broken.add(name)
            found.faults.append(FileFault(path, 0, f"cannot be read: {error.strerror or error}"))
    found.files = {name: one for name, one in found.files.items() if name not in found.broken}


def _read(name: str, place: FilePlace, path: Path, stamp: Stamp) -> SeenFiles:
    one = observation(Name("", name), path, raw_of(path))
    return SeenFiles(name, place, path, stamp, mark(words(one.body)), of_file(one), one)


def written(name: str, path: Path, raw: bytes) -> SeenFiles:
    """Return the file that these bytes will be."""
    one = observation(Name("", name), path, raw)
    return SeenFiles(name, FilePlace.ACTIVE, path, Stamp(), mark(words(one.body)), of_file(one), one)


def after(one: SeenFiles, written: Observation) -> SeenFiles:
    """Return the file after something was written to it."""
    return replace(one, stamp=Stamp(), body=mark(words(written.body)), fields=of_file(written), read=written)


@dataclass(frozen=True, slots=True)
class FilePair:
    """A tie with the current file and memory; ``renamed`` is the file's earlier name."""

    tie: Tie
    file: SeenFiles | None
    memory: Memory | None
    renamed: str = ""


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs, the ties whose files are unreadable, and the files and memories without a counterpart."""

    pairs: tuple[FilePair, ...]
    unread: tuple[Tie, ...]
    files: tuple[SeenFiles, ...]
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The engine's side: every formed memory of a scope by id, and how to match it.

    ``free``: memories that may be tied; ``screened``: a text as the engine keeps it; ``undone``: memories that no
    longer exist because their creation was undone, each with the memory it had replaced.
    """

    memories: Mapping[str, Memory]
    free: Set[str]
    screened: Callable[[str], str]
    now: datetime
    undone: Mapping[str, str] = field(default_factory=dict)


def paired(ties: Sequence[Tie], found: Folders, side: Side, *, shared: bool) -> Pairs:
    """Pair ties, files and memories that belong together."""
    memories = side.memories
    unread = tuple(tie for tie in ties if tie.name in found.broken)
    files = dict(found.files)
    pairs = _with_files(ties, found.broken, files)
    follow = memories.get if shared else partial(_followed, side)
    pairs = [replace(pair, memory=follow(pair.tie.memory)) for pair in pairs]
    taken = {pair.memory.id for pair in pairs if pair.memory} | {tie.memory for tie in ties}
    loose = {name: one for name, one in memories.items() if name in side.free and name not in taken}
    pairs = [_found_again(pair, loose, side.screened) for pair in pairs]
    pairs += list(_by_words(files, loose, side, shared=shared))
    return Pairs(tuple(pairs), unread, tuple(files.values()), tuple(loose.values()))


def _with_files(ties: Sequence[Tie], broken: Set[str], files: dict[str, SeenFiles]) -> list[FilePair]:
    """Pair the readable ties with their files, removing these from ``files``: first by name, then renamed ones."""
    pairs = [FilePair(tie, _named(tie, files), None) for tie in ties if tie.name not in broken]
    return [_renamed(pair, files) for pair in pairs]


def _named(tie: Tie, files: dict[str, SeenFiles]) -> SeenFiles | None:
    """Return the file of a tie; a name that was free in between may belong to another file."""
    one = files.get(tie.name)
    if one is None or (tie.place is FilePlace.GONE and one.body != tie.body):
        return None
    return files.pop(tie.name)


def _renamed(pair: FilePair, files: dict[str, SeenFiles]) -> FilePair:
    """Find the new name of a missing file, by a new file with the same text."""
    tie = pair.tie
    alike = [] if pair.file is not None else [one for one in files.values() if one.body == tie.body]
    if not alike:
        return pair
    one = files.pop(alike[0].name)
    return FilePair(replace(tie, name=one.name), one, None, tie.name)


def _followed(side: Side, memory_id: str) -> Memory | None:
    """Return the memory of a tie, its manual correction, or what an undone correction had replaced."""
    memories = side.memories
    while memory_id not in memories and memory_id in side.undone:
        memory_id = side.undone[memory_id]
    memory = memories.get(memory_id)
    while memory is not None and memory.standing.state is State.SUPERSEDED:
        newer = memories.get(memory.standing.superseded_by)
        by_hand = newer is not None and newer.standing.write_source == MANUAL
        if newer is None or not by_hand or newer.standing.supersedes != memory.id:
            break
        memory = newer
    return memory


def _found_again(pair: FilePair, loose: dict[str, Memory], screened: Callable[[str], str]) -> FilePair:
    """Tie a pair without a memory to one with the same text, for when the store was made anew."""
    if pair.memory is not None or pair.file is None or not loose:
        return pair
    one = pair.file.opened()
    said = screened(words(one.read.body)) if one.read else ""
    same = next((memory for memory in loose.values() if memory.text == said), None)
    if same is None:
        return pair
    del loose[same.id]
    return replace(pair, tie=replace(pair.tie, memory=same.id), memory=same)


def _by_words(files: dict[str, SeenFiles], loose: dict[str, Memory], side: Side, *, shared: bool) -> Iterator[FilePair]:
    """Pair new files with untied memories of the same text, those that hold first."""
    said: dict[str, list[Memory]] = {}
    for memory in sorted(loose.values(), key=lambda one: (one.valid_until is not None, one.id)):
        if memory.standing.state is not State.SUPERSEDED:
            said.setdefault(memory.text, []).append(memory)
    for one in [] if not said else list(files.values()):
        if one.read is None:
            continue
        same = said.get(side.screened(words(one.read.body)))
        if not same:
            continue
        memory = same.pop(0)
        del files[one.name], loose[memory.id]
        tie = tied(one, memory, side.now, shared=shared)
        agree = tie.place is FilePlace.ACTIVE and tie.here
        # If only one side is active, the other comes back: nothing is lost by that.
        yield FilePair(tie if agree else replace(tie, place=FilePlace.ARCHIVE, here=False), one, memory)


def tied(one: SeenFiles, memory: Memory, now: datetime, *, shared: bool) -> Tie:
    """Return the tie of a file and a memory in their current state."""
    return Tie(
        memory.scope.agent,
        one.name,
        shared,
        memory.id,
        one.place,
        one.stamp,
        one.body,
        one.fields,
        mark(memory.text),
        of_memory(memory),
        holds(memory, now),
    )
