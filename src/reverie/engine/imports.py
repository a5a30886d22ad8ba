"""Imports of foreign memories: preview, edges and ends; and the screening of what a lossless import added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.encode.memory_factory import index
from reverie.encode.pipeline import Prepared
from reverie.engine.erasure import reached, restored
from reverie.engine.ingest import is_masked
from reverie.engine.replication import came_in
from reverie.errors import InvalidExport
from reverie.events import (
    Action,
    Changed,
    Draft,
    Erased,
    Event,
    Forgotten,
    Formed,
    Payload,
    Reach,
    Related,
    Remembered,
    difference,
)
from reverie.exchange.fields import Ended, ImportedLink, Item
from reverie.ports import Store, Transaction
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.stores import codec
from reverie.stores.erasure import CONTENT
from reverie.types import Memory, Message, Relation, Scope, State

FIRST = 5
"""Number of messages that a dry run shows."""


@dataclass(frozen=True, slots=True)
class Brought:
    """Result of an import, or of a dry run the result it would have.

    Attributes:
        new: number of new messages.
        known: number of messages that were stored already.
        conflicts: ids already used for another text, speaker or session; those messages were not stored.
        linked: number of edges added.
        ended: number of messages that the source marks as no longer valid.
        held: number of new messages that the screen put into quarantine.
        masked: number of new messages in which the screen masked words.
        first: the first messages; only in a dry run.
    """

    new: int
    known: int
    conflicts: tuple[str, ...] = ()
    linked: int = 0
    ended: int = 0
    held: int = 0
    masked: int = 0
    first: tuple[Message, ...] = ()


class Sorted:
    """Iterates once over the messages of an import, and collects its other items in ``links`` and ``ends``.

    The iteration stops where the source cannot be read on; ``fault`` is then the error. Earlier items are valid.
    """

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self.links: list[ImportedLink] = []
        self.ends: list[Ended] = []
        self.fault: InvalidExport | None = None

    def __iter__(self) -> Iterator[Message]:
        for item in self._whole():
            if isinstance(item, Message):
                yield item
            elif isinstance(item, ImportedLink):
                self.links.append(item)
            else:
                self.ends.append(item)

    def _whole(self) -> Iterator[Item]:
        try:
            yield from self._items
        except InvalidExport as error:
            self.fault = error


def foreseen(
    store: Store, scope: Scope, found: Sorted, screened: Callable[[Iterable[Message]], Iterable[Sequence[Prepared]]]
) -> Brought:
    """Compute what an import would do, for a dry run; writes nothing. ``screened`` screens messages in batches."""
    new = known = held = masked = 0
    conflicts: list[str] = []
    first: list[Message] = []
    seen: set[str] = set()
    for batch in screened(_noting(found, first)):
        with store.begin(scope, durable=False) as tx:
            for prepared in batch:
                verdict = _verdict(tx, scope, prepared.message, seen)
                new += verdict == "new"
                known += verdict == "known"
                held += verdict == "new" and bool(prepared.quarantine)
                masked += verdict == "new" and is_masked(prepared)
                conflicts += [str(prepared.message.message_id)] if verdict == "conflict" else []
    return Brought(new, known, tuple(conflicts), len(found.links), len(found.ends), held, masked, tuple(first))


def _noting(found: Iterable[Message], first: list[Message]) -> Iterator[Message]:
    """Yield messages, and note the first of them, as they came."""
    for message in found:
        if len(first) < FIRST:
            first.append(message)
        yield message


def _verdict(tx: Transaction, scope: Scope, message: Message, seen: set[str]) -> str:
    """Return what ``remember`` would say of a message: "new", "known" or "conflict"."""
    if message.message_id is None:
        return "new"
    episode = tx.find_message(scope, message.message_id)
    if episode is None:
        is_new = message.message_id not in seen
        seen.add(message.message_id)
        return "new" if is_new else "known"
    same = (episode.text, episode.speaker, episode.session) == (message.text, message.speaker, message.session)
    return "known" if same else "conflict"


def drawn(tx: Transaction, store: Store, scope: Scope, links: Iterable[ImportedLink], now: datetime) -> list[Relation]:
    """Return the edges to add: those whose ends are both stored, and which do not exist yet."""
    found: dict[tuple[str, str, str], Relation] = {}
    for link in links:
        ends = [tx.find_message(scope, name) for name in (link.source, link.target)]
        if ends[0] is None or ends[1] is None or ends[0].id == ends[1].id:
            continue
        relation = Relation(ends[0].id, ends[1].id, link.kind, 1.0, now)
        found.setdefault(relation.ends, relation)
    held = store.relations(scope, [source for source, _, _ in found]) if found else []
    there = {one.ends for one in held}
    return [relation for key, relation in found.items() if key not in there]


def ended(tx: Transaction, store: Store, scope: Scope, ends: Sequence[Ended]) -> list[Forgotten]:
    """Return the payloads that end imported messages the source marks as ended, unless ended already or pinned."""
    found = []
    for end in ends:
        episode = tx.find_message(scope, end.message_id)
        memory = store.memory(scope, episode.id) if episode else None
        if memory is not None and memory.valid_until is None and not memory.standing.pinned:
            found.append(Forgotten(memory.id, None, end.at))
    return found


SCREENED = "screened as it came in"
"""Reason of the events that quarantine an imported memory, or write it again without a secret."""
_AWAKE = frozenset({State.ACTIVE, State.FADING, State.DORMANT})


@dataclass(frozen=True, slots=True)
class Admission:
    """Screens imported events and memories; ``draft`` makes an event of a payload."""

    store: Store
    settings: ScreenSettings
    draft: Callable[[Scope, Action, str, Payload], Draft]

    def screened(self, after: Mapping[Scope, int]) -> tuple[int, int]:
        """Screen what was imported after these events of each scope; return how many memories it held back, and masked.

        With no scope, everything is screened.
        """
        after = after or dict.fromkeys(self.store.scopes(), 0)
        dirty: dict[Scope, list[Event]] = {}
        for scope, last in after.items():
            for event in self.store.events(scope, after=last, actions=CONTENT):
                if any(self._clean(text) != text for text in _texts(event)):
                    dirty.setdefault(scope, []).append(event)
        masked = {(scope, name) for scope, events in dirty.items() for name in self._brought_anew(scope, events)}
        held = {one for one in came_in(self._since(after)) if self._hold(*one)}
        return len(held), len(masked - held)

    def _since(self, after: Mapping[Scope, int]) -> Iterator[Event]:
        return (event for scope, last in after.items() for event in self.store.events(scope, after=last))

    def foreseen(self, memories: Iterable[Memory]) -> tuple[int, int]:
        """Count how many of these memories would be held back, and how many others masked; writes nothing."""
        found = [(one, screen(one.text, self.settings, one.role, in_prose=False)) for one in memories]
        held = [bool(seen.quarantine) and one.standing.state in _AWAKE for one, seen in found]
        masked = [seen.text != one.text for one, seen in found]
        return sum(held), sum(hidden and not is_held for hidden, is_held in zip(masked, held, strict=True))

    def _clean(self, text: str) -> str:
        """Mask secrets of a known format only: texts merged of several messages are no prose to find others in."""
        return screen(text, self.settings, in_prose=False).text

    def _hold(self, scope: Scope, name: str) -> bool:
        """Put a memory into quarantine if it gives orders to a model; return whether it does."""
        memory = self.store.memory(scope, name)
        reason = screen(memory.text, self.settings, memory.role).quarantine if memory is not None else None
        if memory is None or not reason or memory.standing.state not in _AWAKE:
            return False
        standing = replace(memory.standing, state=State.QUARANTINED, pinned=False, tags=(reason,))
        change = difference(memory, replace(memory, standing=standing), SCREENED)
        with self.store.begin(scope, durable=True) as tx:
            tx.append(self.draft(scope, Action.CHANGE, SCREENED, Changed((change,))))
        return True

    def _brought_anew(self, scope: Scope, dirty: list[Event]) -> list[str]:
        """Erase the events that contain secrets and write their memories again, masked; return the masked ids."""
        store, names = self.store, tuple(dict.fromkeys(name for event in dirty for name in _told_of(event.payload)))
        with store.begin(scope, durable=True) as tx:
            reach = tx.events_about(scope, names)
            emptied = {*reach.emptied, *(event.seq for event in dirty)}
            events = reached(store, scope, Reach(tuple(sorted(emptied)), reach.unreasoned))
            going = [event.payload for event in events if event.seq in emptied]
            held = self._held(scope, going)
            edges = tuple(store.relations(scope, list(held)))
            masked = [one.id for one in held.values() if self._clean(one.text) != one.text]
            erased = Erased(names, tuple(sorted(emptied)), codec.headers_of(events))
            tx.append(self.draft(scope, Action.ERASE, SCREENED, erased))
            for action, fresh, memories in self._fresh(going, held):
                tx.append(self.draft(scope, action, SCREENED, fresh), tuple(map(index, memories)))
            if edges:
                tx.append(self.draft(scope, Action.RELATE, SCREENED, Related(edges)))
            for action, payload, entries in restored(store, scope, going):
                tx.append(self.draft(scope, action, SCREENED, payload), entries)
        return masked

    def _held(self, scope: Scope, payloads: list[Payload | None]) -> dict[str, Memory]:
        """Return those memories that events wrote and that still exist, by id."""
        written = dict.fromkeys(memory.id for payload in payloads for memory in _written(payload))
        return {one.id: one for one in self.store.named(scope, list(written))}

    def _fresh(
        self, going: list[Payload | None], held: dict[str, Memory]
    ) -> Iterator[tuple[Action, Payload, tuple[Memory, ...]]]:
        """Yield payloads that write the remaining memories of erased events again, in their present state, masked."""
        for payload in going:
            memories = tuple(self._without(held.pop(one.id)) for one in _written(payload) if one.id in held)
            if memories and isinstance(payload, Remembered):
                said = replace(payload.episode, text=self._clean(payload.episode.text))
                yield Action.REMEMBER, Remembered(said, memories), memories
            elif memories:
                yield Action.FORM, Formed(memories), memories

    def _without(self, memory: Memory) -> Memory:
        """Mask a memory's text, and remove keywords, entities and tags that came from the masked words."""
        text = self._clean(memory.text)
        if text == memory.text:
            return memory
        from reverie.language.names.named_entities import named
        from reverie.language.text.analyzer import keywords

        entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
        gone = {*memory.keywords, *memory.entities} - {*entities, *words}
        tags = tuple(tag for tag in memory.standing.tags if tag not in gone)
        standing = replace(memory.standing, tags=tags)
        return replace(memory, text=text, keywords=words, entities=entities, standing=standing)


def _texts(event: Event) -> Iterator[str]:
    """Yield every text of an event that may quote a caller or a message."""
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
    """Yield the ids of the memories that an event wrote, removed or changed."""
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
