"""Which events hold content of what is erased: a payload and ids in, yes or no out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from reverie.events import Action, Changed, Formed, Payload
from reverie.types import Memory

CONTENT = frozenset({Action.REMEMBER, Action.FORM, Action.CHANGE})
"""The actions whose events can hold somebody's words."""


def reach(erased: Iterable[str], content: Sequence[tuple[int, Payload | None]]) -> set[int]:
    """Which formations and changes hold words of erased memories, of what was formed from them, and so on.

    ``content`` are numbers and payloads of events. A formation that goes takes all its memories along, so that
    replaying what is left gives none of them.
    """
    ids, events, grown = set(erased), set[int](), True
    while grown:
        found = [(seq, payload) for seq, payload in content if seq not in events and _holds_content(payload, ids)]
        events.update(seq for seq, _ in found)
        ids.update(m.id for _, payload in found if isinstance(payload, Formed) for m in _memories(payload))
        grown = bool(found)
    return events


def _holds_content(payload: Payload | None, erased: Collection[str]) -> bool:
    match payload:
        case Formed():
            return any(_stems_from(memory, erased) for memory in _memories(payload))
        case Changed():
            return any(change.rewords and change.memory in erased for change in payload.changes)
    return False


def _memories(payload: Formed) -> tuple[Memory, ...]:
    return (*payload.added, *payload.removed)


def _stems_from(memory: Memory, erased: Collection[str]) -> bool:
    return memory.id in erased or any(source in erased for source in memory.sources)
