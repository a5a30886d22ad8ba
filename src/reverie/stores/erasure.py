"""Which events hold content of what is erased: in, events and ids; out, which lose their content, which their reason.

What an erasure takes away is a pure function of the journal, so every store, and every replica, takes the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.events import Action, Change, Changed, Forgotten, Formed, Payload, Reach, Related, is_wordless
from reverie.types import Memory

CONTENT = frozenset({Action.REMEMBER, Action.FORM, Action.CHANGE, Action.FORGET, Action.RELATE})
"""The actions whose events can hold somebody's words."""

_WORDY = frozenset({"text", "entities", "keywords", "tags", "emotion"})
"""The fields of a memory that hold words of it."""
_NAMING = frozenset({"superseded_by", "supersedes", "sources"})
"""The fields that name another memory."""


Written = Callable[[Collection[str]], tuple[Collection[int], Collection[str]]]
"""Of some ids: the events that wrote these memories or what stems from them now; and the ids of all they wrote."""


@dataclass(frozen=True, slots=True)
class EventReader:
    """An event as far as an erasure looks at it."""

    seq: int
    why: str
    payload: Payload | None


def reach(erased: Iterable[str], written: Written, events: Sequence[EventReader]) -> Reach:
    """What an erasure takes from the journal.

    An event that goes takes all its memories along, so that replaying what is left gives none of them; and what stems
    from those, by whatever event, goes as well. A change goes where it holds words of what is erased, also where it
    changes something that stays: who erases says anew what that one came to. A formation that stays loses its reason
    where that may speak of what it took the place of.
    """
    ids, gone = _stemming(erased, written, events)
    naming = [one for one in events if one.seq not in gone and _names(one.payload, ids)]
    emptied = {one.seq for one in naming if not isinstance(one.payload, Formed) and _holds_words(one, ids)}
    formed = {one.seq for one in naming if isinstance(one.payload, Formed) and not is_wordless(one.why)}
    return Reach(tuple(sorted(gone | emptied)), tuple(sorted(formed)))


def _stemming(erased: Iterable[str], written: Written, events: Sequence[EventReader]) -> tuple[set[str], set[int]]:
    """The ids of what is erased and of what stems from it, and the events that formed any of these."""
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
    """Whether a formation made, or took back, something of what is erased."""
    return isinstance(payload, Formed) and any(
        memory.id in erased or any(source in erased for source in memory.sources) for memory in _memories(payload)
    )


def _memories(payload: Formed) -> tuple[Memory, ...]:
    return (*payload.added, *payload.removed)


def _names(payload: Payload | None, erased: Collection[str]) -> bool:
    """Whether an event names anything that is erased."""
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
    """What the words of a memory stemmed from before a change, and stem from after it."""
    for field in change.fields:
        if field.name == "sources":
            yield from _named(field.before, field.after)


def _named(*values: object) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _holds_words(event: EventReader, erased: Collection[str]) -> bool:
    """Whether an event that names something erased holds words beside the names."""
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
    """A dream's reasons are words of a few lists, but for the theme that it named until 2026-11-24."""
    return is_wordless(why) or (by_machine and not why.startswith("part of the theme "))
