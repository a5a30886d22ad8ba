"""Telling a scope's events to a store that has others already: under new numbers, with the same content and salts.

A scope's life is the same whatever numbers its events bear, so it can be told to a store that holds other scopes, or be
continued where it stopped. An event is known by its digest, which its salt makes one of a kind; an erasure, whose
content names numbers, by its salt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from reverie.engine.replaying import BATCH, index_of
from reverie.events import Action, Changed, Draft, Erased, Event, Formed, Payload, Remembered
from reverie.ports import Store
from reverie.types import Memory, Scope


@dataclass(slots=True)
class Aligned:
    """How the events of a file stand to those a store has of the scope.

    ``known`` are the file's numbers → the store's, ``new`` how many the store has not, ``gone`` how many are tombstones
    the store never had. ``diverges`` names where both went different ways; empty: one continues the other.
    """

    known: dict[int, int] = field(default_factory=dict)
    new: int = 0
    gone: int = 0
    diverges: str = ""


def identity(event: Event) -> str:
    """What an event is known by, whatever its number."""
    return event.salt.hex() if event.action is Action.ERASE and event.salt is not None else event.digest


def align(ours: Iterable[Event], theirs: Iterable[Event]) -> Aligned:
    """Lay the file's events of a scope beside the store's, both in order."""
    aligned = Aligned()
    here = iter(ours)
    next_here = next(here, None)
    for event in theirs:
        if next_here is not None and identity(next_here) == identity(event):
            aligned.known[event.seq] = next_here.seq
            next_here = next(here, None)
        elif event.payload is None:
            aligned.gone += 1
        elif next_here is None:
            aligned.new += 1
        else:
            aligned.diverges = f"event {next_here.seq} here and event {event.seq} of the file differ"
            return aligned
    if next_here is not None and aligned.new:
        aligned.diverges = f"event {next_here.seq} here is not in the file, which goes on without it"
    return aligned


def retell(
    target: Store,
    events: Iterable[Event],
    known: dict[int, int],
    into: Scope | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Append what is not ``known`` yet, in batches, and note its numbers there; how many. Tombstones are left."""
    told = 0
    rest = (event for event in events if event.payload is not None and event.seq not in known)
    while batch := list(islice(rest, BATCH)):
        with target.begin(durable=True) as tx:
            for event in batch:
                draft = _draft(event, known, into or event.scope)
                known[event.seq] = tx.append(draft, index_of(target, draft.scope, draft.payload)).seq
        told += len(batch)
        if progress:
            progress(len(batch))
    return told


def came_in(events: Iterable[Event]) -> Iterator[tuple[Scope, str]]:
    """The memories that events brought or reworded, each once, by scope and id."""
    seen: dict[tuple[Scope, str], None] = {}
    for event in events:
        match event.payload:
            case Remembered(_, memories) | Formed(memories):
                names = [memory.id for memory in memories]
            case Changed(changes):
                names = [change.memory for change in changes if change.rewords]
            case _:
                continue
        seen.update(dict.fromkeys((event.scope, name) for name in names))
    yield from seen


def _draft(event: Event, known: dict[int, int], scope: Scope) -> Draft:
    assert event.payload is not None
    payload = rescoped(event.payload, scope)
    if isinstance(payload, Erased):
        events, reasons = (tuple(known[n] for n in named if n in known) for named in (payload.events, payload.reasons))
        payload = Erased(payload.memories, events, reasons=reasons)
    return Draft(scope, event.at, event.actor, event.action, event.why, payload, event.salt or b"")


def rescoped(payload: Payload, scope: Scope) -> Payload:
    """The payload as content of this scope."""
    match payload:
        case Remembered():
            return Remembered(replace(payload.episode, scope=scope), tuple(_moved(payload.memories, scope)))
        case Formed():
            added, removed = (tuple(_moved(memories, scope)) for memories in (payload.added, payload.removed))
            return Formed(added, removed, payload.cycle)
    return payload


def _moved(memories: Sequence[Memory], scope: Scope) -> Iterator[Memory]:
    return (replace(memory, scope=scope) for memory in memories)
