"""Decide which events of the journal lose their content, and which their reason, when memories are erased.

The result depends on the journal alone, so every store and every replica erases the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.events import Action, Change, Changed, Forgotten, Formed, Payload, Reach, Related, is_wordless
from reverie.types import Memory

CONTENT = frozenset({Action.REMEMBER, Action.FORM, Action.CHANGE, Action.FORGET, Action.RELATE, Action.RECORD})
"""The actions whose events can hold words of a user."""

_WORDY = frozenset({"text", "entities", "keywords", "tags", "emotion"})
"""The fields of a memory that hold words."""
_NAMING = frozenset({"superseded_by", "supersedes", "sources"})
"""The fields that name another memory."""


Written = Callable[[Collection[str]], tuple[Collection[int], Collection[str]]]
"""From memory ids to the events that wrote them or what was formed from them, and the ids of all these wrote."""


@dataclass(frozen=True, slots=True)
class EventReader:
    """The parts of an event that decide whether an erasure affects it."""

    seq: int
    why: str
    payload: Payload | None


def reach(erased: Iterable[str], written: Written, events: Sequence[EventReader]) -> Reach:
    """Return which events an erasure empties of content, and which lose only their reason.

    An emptied event loses all its memories, so that replaying the rest restores none of them; what was formed from
    these goes as well. A change is emptied where it holds words of erased memories, even if it changes a memory that
    stays: the caller then records that memory's new state again. A formation that stays loses its reason where this
    may describe the memory it replaced.
    """
    ids, gone = _stemming(erased, written, events)
    naming = [one for one in events if one.seq not in gone and _names(one.payload, ids)]
    emptied = {one.seq for one in naming if not isinstance(one.payload, Formed) and _holds_words(one, ids)}
    formed = {one.seq for one in naming if isinstance(one.payload, Formed) and not is_wordless(one.why)}
    return Reach(tuple(sorted(gone | emptied)), tuple(sorted(formed)))


def _stemming(erased: Iterable[str], written: Written, events: Sequence[EventReader]) -> tuple[set[str], set[int]]:
    """Return the ids of erased memories and all formed from them, and the events that formed any of these."""
    ids, gone = set(erased), set[int]()
    before = -1
    while len(ids) + len(gone) != before:
        before = len(ids) + len(gone)
        seqs, names = written(ids)
        found = [one for one in events if one.seq not in gone and _stems(one.payload, ids)]
        gone.update(seqs, (one.seq for one in found))
        ids.update(names, (m.id for one in found if isinstance(one.payload, Formed) for m in _memories(one.payload)))
    return ids, gone


def _stems(payload: Payload | None, erased: Collection[str]) -> bool:
    """Whether a formation added or removed an erased memory, or one formed from an erased memory."""
    return isinstance(payload, Formed) and any(
        memory.id in erased or any(source in erased for source in memory.sources) for memory in _memories(payload)
    )


def _memories(payload: Formed) -> tuple[Memory, ...]:
    return (*payload.added, *payload.removed)


def _names(payload: Payload | None, erased: Collection[str]) -> bool:
    """Whether an event refers to an erased memory."""
    match payload:
        case Formed():
            ends = (end for memory in _memories(payload) for end in _ends(memory))
            return any(end in erased for end in ends)
        case Changed(changes):
            return any(_speaks_of(change, erased) for change in changes)
        case Related(added, removed):
            return any(edge.source in erased or edge.target in erased for edge in (*added, *removed))
        case Forgotten(memory):
            return memory in erased
    return False


def _ends(memory: Memory) -> tuple[str, str]:
    return memory.standing.supersedes, memory.standing.superseded_by


def _speaks_of(change: Change, erased: Collection[str]) -> bool:
    return change.memory in erased or any(
        name in erased for field in change.fields if field.name in _NAMING for name in _named(field.before, field.after)
    )


def _sources(change: Change) -> Iterator[str]:
    """The sources of a memory's words before and after a change."""
    for field in change.fields:
        if field.name == "sources":
            yield from _named(field.before, field.after)


def _named(*values: object) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _holds_words(event: EventReader, erased: Collection[str]) -> bool:
    """Whether an event that refers to an erased memory holds words besides the ids."""
    if not is_wordless(event.why):
        return True
    if not isinstance(event.payload, Changed):
        return False
    by_machine = bool(event.payload.cycle)
    return any(
        (change.memory in erased and any(field.name in _WORDY for field in change.fields))
        or (change.rewords and any(name in erased for name in _sources(change)))
        or (_speaks_of(change, erased) and not _is_wordless(change.why, by_machine=by_machine))
        for change in event.payload.changes
    )


def _is_wordless(why: str, *, by_machine: bool) -> bool:
    """Whether a reason quotes no content; a dream's do not, except those that named a theme until 2026-11-24."""
    return is_wordless(why) or (by_machine and not why.startswith("part of the theme "))
