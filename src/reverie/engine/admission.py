"""What a lossless import let in goes through the screen: events that came in; out, memories held back or masked.

A secret must not stay in the event that brought it either. Such an event loses its content as by an erasure, so that
the chain holds, and a fresh event brings the same memories without the secret, with their standings and links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from reverie.encode.index import index
from reverie.engine.erasing import restored
from reverie.engine.retelling import came_in
from reverie.events import (
    Action,
    Changed,
    Draft,
    Erased,
    Event,
    Forgotten,
    Formed,
    Payload,
    Related,
    Remembered,
    difference,
)
from reverie.ports import Store
from reverie.screen.screening import screen
from reverie.screen.settings import ScreenSettings
from reverie.stores import chain
from reverie.stores.erasing import CONTENT
from reverie.types import Memory, Scope, State

SCREENED = "screened as it came in"
"""Why a memory of an import was held back, or brought anew without a secret."""
_AWAKE = frozenset({State.ACTIVE, State.FADING, State.DORMANT})


@dataclass(frozen=True, slots=True)
class Admission:
    """Screens what came into a store; ``draft`` makes an event of ours."""

    store: Store
    settings: ScreenSettings
    draft: Callable[[Scope, Action, str, Payload], Draft]

    def screened(self, last: int) -> tuple[int, int]:
        """Screen what came in after an event: how many memories were held back, and how many more masked."""
        dirty: dict[Scope, list[Event]] = {}
        for event in self.store.events(after=last, actions=CONTENT):
            if any(self._clean(text) != text for text in _texts(event)):
                dirty.setdefault(event.scope, []).append(event)
        masked = {(scope, name) for scope, events in dirty.items() for name in self._brought_anew(scope, events)}
        held = {one for one in came_in(self.store.events(after=last)) if self._hold(*one)}
        return len(held), len(masked - held)

    def foreseen(self, memories: Iterable[Memory]) -> tuple[int, int]:
        """How many of these would be held back, and how many more masked."""
        found = [(one, screen(one.text, self.settings, one.role, in_prose=False)) for one in memories]
        held = [bool(seen.quarantine) and one.standing.state in _AWAKE for one, seen in found]
        masked = [seen.text != one.text for one, seen in found]
        return sum(held), sum(hidden and not is_held for hidden, is_held in zip(masked, held, strict=True))

    def _clean(self, text: str) -> str:
        """Without secrets of a known form: what was put together of several messages reads like no prose."""
        return screen(text, self.settings, in_prose=False).text

    def _hold(self, scope: Scope, name: str) -> bool:
        """Put a memory into quarantine, if it gives orders to a model."""
        memory = self.store.memory(scope, name)
        reason = screen(memory.text, self.settings, memory.role).quarantine if memory is not None else None
        if memory is None or not reason or memory.standing.state not in _AWAKE:
            return False
        standing = replace(memory.standing, state=State.QUARANTINED, pinned=False, tags=(reason,))
        change = difference(memory, replace(memory, standing=standing), SCREENED)
        with self.store.begin(durable=True) as tx:
            tx.append(self.draft(scope, Action.CHANGE, SCREENED, Changed((change,))))
        return True

    def _brought_anew(self, scope: Scope, dirty: list[Event]) -> list[str]:
        """Empty the events that hold secrets, and bring what they brought without these; whose words changed."""
        store, names = self.store, tuple(dict.fromkeys(name for event in dirty for name in _told_of(event.payload)))
        with store.begin(durable=True) as tx:
            reach = tx.events_about(scope, names)
            emptied = {*reach.emptied, *(event.seq for event in dirty)}
            wanted = emptied.union(reach.unreasoned)
            events = [event for event in store.events(scope, after=min(wanted) - 1) if event.seq in wanted]
            going = [event.payload for event in events if event.seq in emptied]
            written = [memory.id for payload in going for memory in _written(payload)]
            held = {one.id: one for one in store.named(scope, list(dict.fromkeys(written)))}
            edges = tuple(store.relations(scope, list(held)))
            masked = [one.id for one in held.values() if self._clean(one.text) != one.text]
            erased = Erased(names, tuple(sorted(emptied)), chain.headers_of(events))
            tx.append(self.draft(scope, Action.ERASE, SCREENED, erased))
            for action, fresh, memories in self._fresh(going, held):
                tx.append(self.draft(scope, action, SCREENED, fresh), tuple(map(index, memories)))
            if edges:
                tx.append(self.draft(scope, Action.RELATE, SCREENED, Related(edges)))
            for action, payload, entries in restored(store, scope, going):
                tx.append(self.draft(scope, action, SCREENED, payload), entries)
        return masked

    def _fresh(
        self, going: list[Payload | None], held: dict[str, Memory]
    ) -> Iterator[tuple[Action, Payload, tuple[Memory, ...]]]:
        """What the emptied events brought that is still held, as it stands now, without secrets."""
        for payload in going:
            memories = tuple(self._without(held.pop(one.id)) for one in _written(payload) if one.id in held)
            if memories and isinstance(payload, Remembered):
                said = replace(payload.episode, text=self._clean(payload.episode.text))
                yield Action.REMEMBER, Remembered(said, memories), memories
            elif memories:
                yield Action.FORM, Formed(memories), memories

    def _without(self, memory: Memory) -> Memory:
        """A memory with masked words, without what was taken from those that are gone: keywords, names, tags."""
        text = self._clean(memory.text)
        if text == memory.text:
            return memory
        from reverie.language.keywords import keywords
        from reverie.language.named_entities import named

        entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
        gone = {*memory.keywords, *memory.entities} - {*entities, *words}
        tags = tuple(tag for tag in memory.standing.tags if tag not in gone)
        standing = replace(memory.standing, tags=tags)
        return replace(memory, text=text, keywords=words, entities=entities, standing=standing)


def _texts(event: Event) -> Iterator[str]:
    """Every text of an event that somebody wrote."""
    yield event.why
    match event.payload:
        case Remembered(episode, memories):
            yield episode.text
            yield from (memory.text for memory in memories)
        case Formed(added, removed):
            yield from (memory.text for memory in (*added, *removed))
        case Changed(changes):
            for change in changes:
                yield change.why
                for field in change.fields if change.rewords else ():
                    yield from (text for text in (field.before, field.after) if isinstance(text, str))


def _told_of(payload: Payload | None) -> Iterator[str]:
    """The memories that an event wrote, unmade or changed."""
    match payload:
        case Remembered(_, memories):
            yield from (memory.id for memory in memories)
        case Formed(added, removed):
            yield from (memory.id for memory in (*added, *removed))
        case Changed(changes):
            yield from (change.memory for change in changes)
        case Forgotten(memory):
            yield memory


def _written(payload: Payload | None) -> tuple[Memory, ...]:
    match payload:
        case Remembered(_, memories) | Formed(memories):
            return memories
    return ()
