"""Cascading retraction: when a memory ends, close the themes, patterns and summaries that dreams made of it.

Their other members are reopened, so that the next dream makes them again without the ended memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.engine.context import RETIRED, is_protected
from reverie.events import Action, Change, Changed, Erased, Formed, Related, difference
from reverie.ports import Store
from reverie.types import BY_RUN, RECALLED_STATES, SKILL_CARD, Kind, Memory, Relation, RelationKind, Scope, State

_CATEGORY = "category"
_BY_SOURCES = ((_CATEGORY,), (SKILL_CARD,))
"""First tags of what dreams make without edges to its members: it names their episodes as its sources."""
REPLACED = 0.7
"""Least probability of replacing a member of a closed theme, given that the newer memory contradicts one of them."""


def retirements(
    store: Store, gone: Sequence[Memory], now: datetime, newer: Sequence[Memory] = ()
) -> tuple[Change, ...]:
    """Compute the changes that close what dreams made of ended memories, and reopen its other members.

    If an ended memory was itself made by a dream, its members are reopened too. ``newer`` are the memories that
    contradict the ended ones, if any: members that they most likely replace stay closed.
    """
    formed = {one.id: one for memory in gone for one in _formed(store, memory)}
    own = [one for one in formed.values() if one.is_dreamt]
    untrue = {part.id: part for whole in own for part in _parts(store, whole) if _against(part, newer)}
    lost = {**untrue, **formed}
    standing = _standing(store, lost, now)
    before = {**standing, **untrue}
    after = {name: _closed(one, now) for name, one in standing.items()}
    after |= {name: _replaced(one, own, newer) for name, one in untrue.items()}
    for part, whole in _rest(store, (*standing.values(), *own), lost):
        before[part.id] = part
        anew = bool(newer) or whole.id not in formed
        after[part.id] = _opened(after.get(part.id, part), whole, anew=anew)
    return _differences(before, after)


def _standing(store: Store, lost: Mapping[str, Memory], now: datetime) -> dict[str, Memory]:
    """Return the memories that dreams made of lost ones and that are still valid, by id."""
    made = {one.id: one for memory in lost.values() for one in _made_of(store, memory)}
    return {name: one for name, one in made.items() if name not in lost and _stands(one, now)}


def _rest(store: Store, wholes: Iterable[Memory], lost: Collection[str]) -> Iterator[tuple[Memory, Memory]]:
    """Yield the other, unprotected members of what dreams made, each with what was made of it."""
    for whole in wholes:
        for part in _parts(store, whole):
            if part.id not in lost and not is_protected(part):
                yield part, whole


def outdated(store: Store, closed: Sequence[Memory], newer: Sequence[Memory], now: datetime) -> tuple[Change, ...]:
    """Compute ``retirements`` for memories that newer ones have just closed; both are read again from the store."""
    return retirements(store, [one for old in closed for one in store.named(old.scope, (old.id,))], now, newer)


@dataclass(frozen=True, slots=True)
class Making:
    """A memory that a dream made, with its members; ``anew``: dreams may make it again of the remaining ones."""

    whole: Memory
    parts: tuple[Memory, ...]
    anew: bool


def makings(store: Store, doomed: Sequence[Memory], asked: Collection[str]) -> list[Making]:
    """Return what dreams made of memories to be erased; ``asked`` are the ids of those that the caller named."""
    scope = doomed[0].scope
    made = _linked(store, scope)
    for memory in doomed:  # a category summary and a skill card have no edges
        for one in _made_of(store, memory):
            if one.id not in made or memory not in made[one.id]:
                made.setdefault(one.id, []).append(memory)
    held = {one.id: one for one in store.named(scope, list(made))}
    found = [(held[name], own) for name, own in made.items() if held[name].is_dreamt]
    return [
        Making(whole, tuple(one for one in own if not one.is_dreamt), whole.id not in asked) for whole, own in found
    ]


def _linked(store: Store, scope: Scope) -> dict[str, list[Memory]]:
    """Map the id of each memory with members, by the scope's edges, to those members that exist."""
    parts: dict[str, list[str]] = {}
    for part, whole in _pairs(store.relations(scope)):
        parts.setdefault(whole, []).append(part)
    names = dict.fromkeys(name for whole, own in parts.items() for name in (whole, *own))
    held = {one.id: one for one in store.named(scope, list(names))}
    return {name: [held[part] for part in own if part in held] for name, own in parts.items() if name in held}


@dataclass(slots=True)
class Made:
    """What dreams ever made in a scope, with members, by the journal: also what was changed or undone since.

    ``parts`` are the members of themes and patterns by their edges, ``sources`` the sources of category summaries and
    of skill cards.
    """

    parts: dict[str, set[str]] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=dict)
    summaries: dict[str, Memory] = field(default_factory=dict)
    dreamt: set[str] = field(default_factory=set)

    def of(self, doomed: Sequence[Memory]) -> set[str]:
        """Return the ids of everything that dreams ever made of these memories."""
        ids = {one.id for one in doomed}
        keys = {source for one in doomed for source in one.sources or (one.id,)}
        found = {whole for whole in self.dreamt & self.parts.keys() if not ids.isdisjoint(self.parts[whole])}
        found |= {whole for whole, own in self.sources.items() if not keys.isdisjoint(own)}
        return found | {name for name, one in self.summaries.items() if any(_may_tell(one, part) for part in doomed)}

    def _form(self, memory: Memory) -> None:
        self.dreamt.add(memory.id)
        if memory.standing.tags[:1] == (_CATEGORY,):
            self.summaries[memory.id] = memory
        if memory.standing.tags[:1] in _BY_SOURCES:
            self.sources.setdefault(memory.id, set()).update(memory.sources)

    def _change(self, change: Change) -> None:
        for one in change.fields if change.memory in self.sources else ():
            if one.name == "sources":
                for named in (one.before, one.after):
                    self.sources[change.memory].update(named if isinstance(named, tuple) else ())

    def look(self, payload: object) -> None:
        """Record what an event's payload made, changed or linked."""
        match payload:
            case Formed(added, removed):
                for memory in (*added, *removed):
                    if memory.is_dreamt:
                        self._form(memory)
            case Changed(changes):
                for change in changes:
                    self._change(change)
            case Related(added, removed):
                for part, whole in _pairs((*added, *removed)):
                    self.parts.setdefault(whole, set()).add(part)


def ever_made(store: Store, scope: Scope) -> Made:
    """Collect from the journal what dreams ever made in a scope."""
    made = Made()
    for event in store.events(scope, actions=(Action.FORM, Action.CHANGE, Action.RELATE)):
        made.look(event.payload)
    return made


def _may_tell(summary: Memory, part: Memory) -> bool:
    """Whether a summary may include a memory without source episodes; until 2026-11-24 summaries did not name these."""
    told = (part.kind.value, part.speaker) == (summary.standing.tags[1], summary.speaker)
    return told and not part.sources and part.recorded_at <= summary.recorded_at


def bereaved(store: Store, made: Sequence[Making], now: datetime) -> tuple[Change, ...]:
    """Compute the changes after an erasure: close what dreams made of erased members, reopen the remaining ones."""
    left = _left(store, made)
    after: dict[str, Memory] = {}
    for making in made:
        whole = left.get(making.whole.id)
        parts = [part for part in making.parts if part.id in left]
        if whole is not None:
            if len(parts) == len(making.parts) or not _stands(whole, now):
                continue
            after[whole.id] = _closed(whole, now)
        for part in parts:
            if not is_protected(part):
                after[part.id] = _opened(after.get(part.id, left[part.id]), making.whole, anew=making.anew)
    return _differences(left, after)


def _left(store: Store, made: Sequence[Making]) -> dict[str, Memory]:
    """Return those of the made memories and their members that still exist, by id."""
    names = dict.fromkeys(one.id for making in made for one in (making.whole, *making.parts))
    return {one.id: one for making in made[:1] for one in store.named(making.whole.scope, list(names))}


def _differences(before: dict[str, Memory], after: dict[str, Memory]) -> tuple[Change, ...]:
    changes = (difference(before[name], one, RETIRED) for name, one in after.items())
    return tuple(change for change in changes if change.fields)


def _against(part: Memory, newer: Sequence[Memory]) -> Memory | None:
    """Return the first newer memory that likely replaces this one; notes, corrections may replace any speaker's."""
    if not newer:
        return None
    from reverie.conflicts.pairs import statement
    from reverie.conflicts.verdict import replacing

    heard = [one for one in newer if not one.sources or one.speaker == part.speaker]
    # a correction belongs to no session
    told = [replace(statement(one), session=one.session if one.sources else "") for one in heard]
    chances = replacing([statement(part), *told])[0, 1:]
    return next((one for one, chance in zip(heard, chances, strict=True) if chance >= REPLACED), None)


def _replaced(part: Memory, own: Sequence[Memory], newer: Sequence[Memory]) -> Memory:
    """Return a contradicted member of a closed theme as superseded by the memory that contradicts it."""
    by, life = _against(part, newer), part.standing
    if by is None or is_protected(part) or life.superseded_by not in [whole.id for whole in own]:
        return part
    from reverie.encode.memory_factory import end_of

    return replace(part, valid_until=end_of(part, by), standing=replace(life, superseded_by=by.id))


def _formed(store: Store, memory: Memory) -> list[Memory]:
    """Return the memory itself, or for a message, unless it records a run, the memories formed from it alone."""
    if memory.kind is not Kind.EPISODE or memory.standing.write_source == BY_RUN:
        return [memory]
    found = store.made_from(memory.scope, memory.id)
    return [one for one in found if set(one.sources) == {memory.id} and not (is_protected(one) or one.is_dreamt)]


def _made_of(store: Store, memory: Memory) -> list[Memory]:
    """Return the themes and patterns linked to a memory, and the summaries and skill cards that name its episodes."""
    scope = memory.scope
    linked = _others(store, scope, memory.id, inward=False)
    told = (one for source in memory.sources or (memory.id,) for one in store.made_from(scope, source))
    return [*linked, *(one for one in told if one.is_dreamt and one.standing.tags[:1] in _BY_SOURCES)]


def _parts(store: Store, whole: Memory) -> list[Memory]:
    return _others(store, whole.scope, whole.id, inward=True)


def _others(store: Store, scope: Scope, name: str, *, inward: bool) -> list[Memory]:
    """Return what a dream made of a memory, or, if ``inward``, the members of what a dream made."""
    pairs = _pairs(store.relations(scope, (name,)))
    names = [part if inward else whole for part, whole in pairs if name == (whole if inward else part)]
    found = store.named(scope, list(dict.fromkeys(names)))
    return [one for one in found if one.is_dreamt != inward]


def _pairs(edges: Iterable[Relation]) -> list[tuple[str, str]]:
    """Return the (part, whole) ids of every edge between a part and a whole."""
    return [pair for edge in edges if (pair := _pair(edge))]


def _pair(edge: Relation) -> tuple[str, str] | None:
    """Return part and whole of an edge: a part elaborates the whole or is superseded by it; None for other kinds."""
    if edge.kind is RelationKind.ELABORATES:
        return edge.source, edge.target
    return (edge.target, edge.source) if edge.kind is RelationKind.SUPERSEDES else None


def _stands(memory: Memory, now: datetime) -> bool:
    return memory.holds_at(now) and memory.standing.state in RECALLED_STATES and not is_protected(memory)


def _closed(memory: Memory, now: datetime) -> Memory:
    return replace(memory, valid_until=now, standing=replace(memory.standing, state=State.SUPERSEDED))


def _opened(member: Memory, made: Memory, *, anew: bool) -> Memory:
    """Return a member reopened after ``made`` was closed; unless ``anew``, dreams do not consolidate it again.

    A flashbulb memory keeps its mark ``consolidated_at``, which says that it was strengthened.
    """
    life = member.standing
    if life.superseded_by == made.id:
        life = replace(life, state=State.ACTIVE, superseded_by="")
    return replace(member, standing=replace(life, consolidated_at=None) if anew and not life.flashbulb else life)


def ever_erased(store: Store, scope: Scope) -> set[str]:
    """Return the ids of all memories of a scope that were erased."""
    events = store.events(scope, actions={Action.ERASE})
    return {name for event in events if isinstance(event.payload, Erased) for name in event.payload.memories}
