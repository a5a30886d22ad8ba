"""What a dream made outlives none of its sources: memories that were taken back in, the changes that retire it out.

A theme, pattern or summary that repeats what somebody took back is closed like what is superseded; what else was in it
is open again, so that the next night makes it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from reverie.engine.base import is_protected
from reverie.events import Change, difference
from reverie.ports import Store
from reverie.types import RECALLED_STATES, Kind, Memory, RelationKind, Scope, State

RETIRED = "a source was taken back"
_BY_DREAM = "dream"
"""``consolidate.snapshot.BY_DREAM``; a write does not load the dream's rooms."""
_CATEGORY = "category"


def retirements(store: Store, gone: Sequence[Memory], now: datetime) -> tuple[Change, ...]:
    """The changes that retire what dreams made of these memories, and open again what else was in it."""
    formed = {one.id: one for memory in gone for one in _formed(store, memory)}
    made = {one.id: one for memory in formed.values() for one in _made_of(store, memory)}
    standing = [one for name, one in made.items() if name not in formed and _stands(one, now)]
    before = {one.id: one for one in standing}
    after = {one.id: _closed(one, now) for one in standing}
    for one in standing:
        for member in _others(store, one.scope, one.id, inward=True):
            if member.id not in formed and not is_protected(member):
                before[member.id] = member
                after[member.id] = _opened(after.get(member.id, member), one)
    changes = (difference(before[name], one, RETIRED) for name, one in after.items())
    return tuple(change for change in changes if change.fields)


def _formed(store: Store, memory: Memory) -> list[Memory]:
    """The memory itself; of a message what was formed of it alone, also where a theme has taken its place."""
    if memory.kind is not Kind.EPISODE:
        return [memory]
    found = store.made_from(memory.scope, memory.id)
    return [one for one in found if set(one.sources) == {memory.id} and not (is_protected(one) or _is_dreamt(one))]


def _made_of(store: Store, memory: Memory) -> list[Memory]:
    """The themes and patterns it is linked to, and the category summaries that name an episode of its own."""
    scope = memory.scope
    linked = _others(store, scope, memory.id, inward=False)
    told = (one for source in memory.sources for one in store.made_from(scope, source))
    return [*linked, *(one for one in told if _is_dreamt(one) and one.standing.tags[:1] == (_CATEGORY,))]


def _others(store: Store, scope: Scope, name: str, *, inward: bool) -> list[Memory]:
    """What a dream made of a memory, or ``inward`` what went into what it made."""
    ends = (_ends(edge.kind, edge.source, edge.target) for edge in store.relations(scope, (name,)))
    pairs = [pair for pair in ends if pair is not None]
    names = [part if inward else whole for part, whole in pairs if name == (whole if inward else part)]
    found = store.named(scope, list(dict.fromkeys(names)))
    return [one for one in found if _is_dreamt(one) != inward]


def _ends(kind: RelationKind, source: str, target: str) -> tuple[str, str] | None:
    """Part and whole of an edge: a part elaborates the whole, or is superseded by it."""
    if kind is RelationKind.ELABORATES:
        return source, target
    return (target, source) if kind is RelationKind.SUPERSEDES else None


def _is_dreamt(memory: Memory) -> bool:
    return memory.standing.write_source == _BY_DREAM


def _stands(memory: Memory, now: datetime) -> bool:
    holds = memory.valid_until is None or memory.valid_until > now
    return holds and memory.standing.state in RECALLED_STATES and not is_protected(memory)


def _closed(memory: Memory, now: datetime) -> Memory:
    return replace(memory, valid_until=now, standing=replace(memory.standing, state=State.SUPERSEDED))


def _opened(member: Memory, made: Memory) -> Memory:
    """A member without its part in what was retired; a flashbulb's mark says that it was strengthened, and stays."""
    life = member.standing
    if life.superseded_by == made.id:
        life = replace(life, state=State.ACTIVE, superseded_by="")
    return replace(member, standing=life if life.flashbulb else replace(life, consolidated_at=None))
