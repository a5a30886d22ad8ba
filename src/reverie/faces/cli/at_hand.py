"""Working memory from outside: in, a scope's journal; out, what a session has at hand by what was formed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from reverie.encode.session import WorkingMemory
from reverie.events import Changed, Formed, Recalled, changed
from reverie.types import RECALLED_STATES

if TYPE_CHECKING:
    from reverie.encode.session import WorkingItem, WorkingSettings
    from reverie.events import Event
    from reverie.types import Memory


def at_hand(events: Sequence[Event], session: str, settings: WorkingSettings, now: datetime) -> list[WorkingItem]:
    """The session's working memory as its messages left it, strongest first.

    What a dream formed belongs to no session; what was recalled or changed since is touched again.
    """
    working = WorkingMemory(settings)
    held: dict[str, Memory] = {}
    for event in events:
        for memory in _laid(event, session, held):
            held[memory.id] = memory
            working.put(memory, event.at)
    return [item for item in working.items(now) if item.id in held]


def is_current(memory: Memory, now: datetime) -> bool:
    """Whether a memory, as it stands, still holds: neither replaced nor held back, asleep or forgotten."""
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def _laid(event: Event, session: str, held: dict[str, Memory]) -> list[Memory]:
    """The memories of the session that an event of a write formed or changed."""
    match event.payload:
        case Formed(added, removed, cycle):
            for memory in removed:
                held.pop(memory.id, None)
            return [] if cycle else [memory for memory in added if memory.session == session]
        case Changed(changes, cycle) if not cycle:
            return [changed(held[change.memory], change) for change in changes if change.memory in held]
        case Recalled(memories):
            return [replace(held[name], accesses=held[name].accesses + 1) for name in memories if name in held]
        case _:
            return []
