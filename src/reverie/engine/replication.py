"""Replication of journals: replay one into an empty store, merge it into another, write it to a file, read it back.

Replayed from its first event, a journal gives an equal store; appended to a store that has events already, its events
get new numbers and keep their content and salts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from reverie.encode.memory_factory import index
from reverie.errors import Conflict, InvalidExport, ReverieError, StoreCorrupt
from reverie.events import Action, Change, Changed, Draft, Erased, Event, Formed, Payload, Related, Remembered, changed
from reverie.exchange import journal
from reverie.exchange.journal import End, JournalHead, JournalLine, broken, fault_in
from reverie.language.text import analyzer
from reverie.ports import Store, Transaction
from reverie.stores import codec
from reverie.types import IndexEntry, Kind, Memory, Relation, Scope

BATCH = 500


def replay(source: Store, target: Store, progress: Callable[[int], None] | None = None) -> str:
    """Replay the journal of ``source`` into the empty ``target``; return the target's digest.

    Vectors are not in the journal; they are made again from the texts (see ``admin.embed``).

    Raises:
        Conflict: the target is not empty.
        StoreCorrupt: the chain is broken at some event, or events cannot be read.
    """
    if target.head()[0]:
        raise Conflict("The target of a replay holds a journal already.", "Choose a path where nothing is yet.")
    last = source.head()[0]
    target.reindex(analyzer.version(), iter(()))
    follow(source, target, progress)
    if target.head()[0] < last:
        raise StoreCorrupt(f"Of {last} events only {target.head()[0]} can be read.", "Restore the last backup.")
    return target.digest()


def follow(source: Store, target: Store, progress: Callable[[int], None] | None = None) -> None:
    """Adopt the events of ``source`` that come after the last one of ``target``, which has its journal up to there."""
    batch: list[Event] = []
    for event in source.events(after=target.head()[0]):
        batch.append(event)
        if len(batch) == BATCH:
            tell(target, batch, progress)
            batch = []
    tell(target, batch, progress)


def tell(target: Store, batch: list[Event], progress: Callable[[int], None] | None) -> None:
    """Adopt events that continue the target's journal, in one transaction."""
    with target.begin(durable=True) as tx:
        for event in batch:
            tx.adopt(event, index_of(target, event.scope, event.payload))
    if progress and batch:
        progress(len(batch))


def index_of(target: Store, scope: Scope, payload: Payload | None) -> tuple[IndexEntry, ...]:
    """Make the index entries that an event's payload needs; for a reworded memory, the target's with the new text."""
    match payload:
        case Remembered():
            return tuple(index(memory) for memory in payload.memories)
        case Formed():
            return tuple(index(memory) for memory in payload.added)
        case Changed():
            return tuple(_reworded(target, scope, change) for change in payload.changes if change.rewords)
    return ()


def _reworded(target: Store, scope: Scope, change: Change) -> IndexEntry:
    memory = target.memory(scope, change.memory)
    return IndexEntry((), 0) if memory is None else index(changed(memory, change))


@dataclass(slots=True)
class Aligned:
    """Comparison of a scope's events in a file with those in a store.

    ``known`` maps the file's numbers to the store's, ``new`` counts events that the store lacks, ``gone`` tombstones
    that it never had. ``diverges`` says where the two differ; empty: one continues the other.
    """

    known: dict[int, int] = field(default_factory=dict)
    new: int = 0
    gone: int = 0
    diverges: str = ""


def identity(event: Event) -> str:
    """Return a key that identifies an event in any store, independent of its number."""
    return event.salt.hex() if event.action is Action.ERASE and event.salt is not None else event.digest


def align(ours: Iterable[Event], theirs: Iterable[Event]) -> Aligned:
    """Compare a scope's events in the store (``ours``) with those of a file (``theirs``), both in order."""
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
    """Append events that are not ``known``, in batches; add their numbers to it; return how many. Skips tombstones."""
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
    """Yield scope and id of each memory that events wrote or reworded, each once."""
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
    """Return the payload with its memories moved to this scope."""
    match payload:
        case Remembered():
            return Remembered(replace(payload.episode, scope=scope), tuple(_moved(payload.memories, scope)))
        case Formed():
            added, removed = (tuple(_moved(memories, scope)) for memories in (payload.added, payload.removed))
            return Formed(added, removed, payload.cycle)
    return payload


def _moved(memories: Sequence[Memory], scope: Scope) -> Iterator[Memory]:
    return (replace(memory, scope=scope) for memory in memories)


MERGE_BATCH = 256


@dataclass(slots=True)
class Merged:
    """Result of a merge: ``new`` memories, ``known`` ones, those left out as ``erased`` here, and new ``edges``."""

    new: int = 0
    known: int = 0
    erased: int = 0
    edges: int = 0
    ids: dict[str, str] = field(default_factory=dict)
    """Maps ids of the source's memories to those of the same memories here."""


class ScopeMerge:
    """Merges a scope of ``source`` into a scope of ``target``, once; ``draft`` makes an event of a payload."""

    def __init__(self, source: Store, target: Store, scope: Scope, draft: Callable[[Payload, Action], Draft]) -> None:
        self._source = source
        self._target = target
        self._scope = scope
        self._draft = draft
        self._done = Merged()
        self._erased = _erased(target, scope)
        self._sessions = {memory.session for memory in target.memories(scope)}

    def run(self, origin: Scope) -> Merged:
        """Copy the memories and edges of ``origin`` that the target lacks, in batches of one transaction each."""
        corpus = self._source.corpus(origin, None)
        for first in range(0, corpus.size, MERGE_BATCH):
            with self._source.begin(durable=False) as there, self._target.begin(durable=True) as here:
                for memory in corpus.fetch(range(first, min(first + MERGE_BATCH, corpus.size))):
                    self._bring(memory, origin, there, here)
        edges = [edge for edge in map(self._edge, self._source.relations(origin)) if edge is not None]
        if edges:
            with self._target.begin(durable=True) as here:
                here.append(self._draft(Related(tuple(edges)), Action.RELATE))
        self._done.edges = len(edges)
        return self._done

    def _bring(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> None:
        ids = self._done.ids
        if memory.id in self._erased or any(source in self._erased for source in memory.sources):
            self._done.erased += 1
            return
        if (known := self._known(memory, origin, there, here)) is not None:
            ids[memory.id] = known
            self._done.known += 1
            return
        ids[memory.id] = memory.id
        standing = memory.standing
        linked = {
            name: ids.get(end, end) for name in ("supersedes", "superseded_by") if (end := getattr(standing, name))
        }
        ours = replace(
            memory,
            scope=self._scope,
            sources=tuple(ids.get(source, source) for source in memory.sources),
            standing=replace(standing, **linked) if linked else standing,
        )
        payload, action = self._payload(ours, origin, there, here)
        here.append(self._draft(payload, action), (index(ours),))
        self._done.new += 1

    def _known(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> str | None:
        if memory.kind is not Kind.EPISODE:
            return memory.id if self._target.memory(self._scope, memory.id) else None
        said = there.find_message(origin, memory.id)
        names = (memory.id, said.message_id if said else None)
        found = (here.find_message(self._scope, name) for name in names if name)
        return next((episode.id for episode in found if episode is not None), None)

    def _payload(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> tuple[Payload, Action]:
        said = there.find_message(origin, memory.id) if memory.kind is Kind.EPISODE else None
        if said is None:
            return Formed((memory,)), Action.FORM
        # In a session that both have, the copy goes to the end, so that no position is taken twice.
        place = here.next_seq(self._scope, said.session) if said.session in self._sessions else said.seq
        episode = replace(said, scope=self._scope, seq=place)
        return Remembered(episode, (replace(memory, seq=place),)), Action.REMEMBER

    def _edge(self, relation: Relation) -> Relation | None:
        """Return the edge between the same memories here; None if an end is missing or the edge exists."""
        source, target = (self._done.ids.get(end) for end in (relation.source, relation.target))
        if source is None or target is None:
            return None
        ours = replace(relation, source=source, target=target)
        held = self._target.relations(self._scope, (source,))
        same = any(one.ends == ours.ends for one in held)
        return None if same else ours


def _erased(store: Store, scope: Scope) -> set[str]:
    events = store.events(scope, actions={Action.ERASE})
    return {name for event in events if isinstance(event.payload, Erased) for name in event.payload.memories}


@dataclass(frozen=True, slots=True)
class Contents:
    """Summary of a lossless export.

    Attributes:
        scopes: the scopes in the file, in order of appearance.
        memories: number of memories in each of them.
        events: number of events.
        actions: number of events of each kind.
        seq: number of the last event.
        hash: hash of the last event: the journal's head.
        digest: digest of the whole store it was exported from; "" for the export of a scope.
        contiguous: whether the events run from number 1 without a gap, so that they can be adopted with their hashes.
    """

    scopes: tuple[Scope, ...]
    events: int
    actions: dict[Action, int]
    seq: int
    hash: str
    digest: str
    contiguous: bool
    memories: tuple[int, ...] = ()


def write(store: Store, out: BinaryIO, scope: Scope | None) -> End:
    """Write the journal of a store, or of one scope, to a file; return the content of its last line.

    An export of a whole store includes events that are written meanwhile, up to the end of the export.
    """
    out.write(journal.head_line(scope))
    count, last = 0, (0, codec.NO_HASH)
    digest = ""
    while True:
        for event in store.events(scope, after=last[0]):
            out.write(journal.event_line(event, codec.payload_bytes(event)))
            count, last = count + 1, (event.seq, event.hash)
        if scope is not None:
            break
        digest = store.digest()
        if store.head() == last:
            break
    end = End(count, *last, digest)
    out.write(journal.end_line(end))
    return end


def checked(path: Path) -> Contents:
    """Read and verify a whole lossless export; return a summary of its contents.

    Raises:
        NotFound: there is no such file.
        InvalidExport: a line is broken, was changed, or is missing.
    """
    scopes: Counter[Scope] = Counter()
    actions: Counter[Action] = Counter()
    whose: Scope | None = None
    last, contiguous, vouching = (0, codec.NO_HASH), True, codec.Vouching()
    for item in journal.read(path):
        if isinstance(item, JournalHead):
            whose = item.scope
        elif isinstance(item, End):
            _require(item.seq == last[0] and item.hash == last[1], "the end", "it names another last event")
            _require(not vouching.break_in(), "the end", vouching.break_in())
            digest = item.digest if whose is None else ""
            return Contents(
                tuple(scopes), item.events, dict(actions), *last, digest, contiguous, tuple(scopes.values())
            )
        else:
            contiguous &= _follows(item, last, whose)
            vouching.look(item.event, item.raw)
            scopes[item.event.scope] += _brought(item)
            actions[item.event.action] += 1
            last = item.event.seq, item.event.hash
    raise broken("the end", "the last line is missing")


def _brought(told: JournalLine) -> int:
    """Return how many memories an event adds."""
    if told.raw is None or told.event.action not in (Action.REMEMBER, Action.FORM):
        return 0
    match codec.decode(told.event.action, told.event.scope, told.raw):
        case Remembered(_, memories):
            return len(memories)
        case Formed(added, removed):
            return len(added) - len(removed)
    return 0


def _follows(told: JournalLine, last: tuple[int, str], whose: Scope | None) -> bool:
    """Whether an event directly follows the last one. Raises InvalidExport if it cannot come after it at all."""
    event = told.event
    follows = event.seq == last[0] + 1 and event.previous == last[1]
    _require(follows or (whose is not None and event.seq > last[0]), told.where, "an event before it is missing")
    _require(whose in (None, event.scope), told.where, "it is of another scope")
    wrong = codec.break_in(event, told.raw, event.seq, event.previous)
    _require(not wrong, told.where, wrong)
    _require_sound(told)
    return follows


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise broken(where, what)


def events(path: Path) -> Iterator[Event]:
    """Yield the events of a checked file, with their payloads."""
    for item in journal.read(path):
        if isinstance(item, JournalLine):
            raw, event = item.raw, item.event
            yield event if raw is None else replace(event, payload=codec.decode(event.action, event.scope, raw))


def _require_sound(told: JournalLine) -> None:
    """Raise InvalidExport unless the payload decodes to valid types and encodes to exactly the same bytes."""
    if told.raw is None:
        return
    try:
        payload = codec.decode(told.event.action, told.event.scope, told.raw)
        fault = fault_in(payload)
        _require(not fault, told.where, f"{fault} holds what it cannot hold")
        same = codec.payload_bytes(replace(told.event, payload=payload)) == told.raw
    except ReverieError as error:
        raise error if isinstance(error, InvalidExport) else broken(told.where, error.message) from None
    _require(same, told.where, "its content is not written as it is told")
