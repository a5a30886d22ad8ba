"""Which file and which memory are one: in, ties, files and memories; out, pairs, and what has no other side.

A tie holds by the file's name. A file that is gone and one that is new with the same words are a renaming; what no tie
knows is tied by its words, so that nothing becomes two where a sidecar was lost or a sync was broken off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from reverie.encode.notes import MANUAL
from reverie.types import Memory, State
from reverie.vault.linking.seeing import Folders, Seen
from reverie.vault.linking.ties import Place, Tie
from reverie.vault.linking.words import holds, mark, of_memory, words


@dataclass(frozen=True, slots=True)
class Pair:
    """A tie with both sides as they stand; ``renamed`` is what the file was called."""

    tie: Tie
    file: Seen | None
    memory: Memory | None
    renamed: str = ""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every pair, ties whose file cannot be read, and what has no other side."""

    pairs: tuple[Pair, ...]
    unread: tuple[Tie, ...]
    files: tuple[Seen, ...]
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The engine's side: every formed memory of a scope by id, and how it is looked at.

    ``free``: those that may be tied; ``screened``: words as the engine keeps them; ``undone``: memories that are gone
    since what made them was taken back, each with the one whose place it had taken.
    """

    memories: Mapping[str, Memory]
    free: Set[str]
    screened: Callable[[str], str]
    now: datetime
    undone: Mapping[str, str] = field(default_factory=dict)


def paired(ties: Sequence[Tie], found: Folders, side: Side, *, shared: bool) -> Pairs:
    """Pair what belongs together."""
    memories = side.memories
    unread = tuple(tie for tie in ties if tie.name in found.broken)
    files = dict(found.files)
    pairs = [Pair(tie, _named(tie, files), None) for tie in ties if tie.name not in found.broken]
    pairs = [_renamed(pair, files) for pair in pairs]
    follow = memories.get if shared else partial(_followed, side)
    pairs = [replace(pair, memory=follow(pair.tie.memory)) for pair in pairs]
    taken = {pair.memory.id for pair in pairs if pair.memory} | {tie.memory for tie in ties}
    loose = {name: one for name, one in memories.items() if name in side.free and name not in taken}
    pairs = [_found_again(pair, loose, side.screened) for pair in pairs]
    pairs += list(_by_words(files, loose, side, shared=shared))
    return Pairs(tuple(pairs), unread, tuple(files.values()), tuple(loose.values()))


def _named(tie: Tie, files: dict[str, Seen]) -> Seen | None:
    """The file of a tie; a name that became free may be another file's by now."""
    one = files.get(tie.name)
    if one is None or (tie.place is Place.GONE and one.body != tie.body):
        return None
    return files.pop(tie.name)


def _renamed(pair: Pair, files: dict[str, Seen]) -> Pair:
    """A file that is gone, and a new one with its words: it was renamed."""
    tie = pair.tie
    alike = [] if pair.file is not None else [one for one in files.values() if one.body == tie.body]
    if not alike:
        return pair
    one = files.pop(alike[0].name)
    return Pair(replace(tie, name=one.name), one, None, tie.name)


def _followed(side: Side, memory_id: str) -> Memory | None:
    """The memory of a tie, the correction by hand that took its place, or what a correction taken back had replaced."""
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


def _found_again(pair: Pair, loose: dict[str, Memory], screened: Callable[[str], str]) -> Pair:
    """A tie whose memory is not there, with one that says the same: the store was made anew."""
    if pair.memory is not None or pair.file is None or not loose:
        return pair
    one = pair.file.opened()
    said = screened(words(one.read.body)) if one.read else ""
    same = next((memory for memory in loose.values() if memory.text == said), None)
    if same is None:
        return pair
    del loose[same.id]
    return replace(pair, tie=replace(pair.tie, memory=same.id), memory=same)


def _by_words(files: dict[str, Seen], loose: dict[str, Memory], side: Side, *, shared: bool) -> Iterator[Pair]:
    """New files and untied memories that say the same; those that hold come first."""
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
        agree = tie.place is Place.ACTIVE and tie.here
        # Where one side holds it and the other does not, it comes back: nothing is lost by that.
        yield Pair(tie if agree else replace(tie, place=Place.ARCHIVE, here=False), one, memory)


def tied(one: Seen, memory: Memory, now: datetime, *, shared: bool) -> Tie:
    """The tie of a file and a memory as they stand."""
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
