"""Replication of journals: replay one into an empty store, merge it into another, write it to a file, read it back.

Replayed from its first event, a journal gives an equal store; appended to a store that has events already, its events
get new numbers and keep their content and salts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from pathlib import Path
from typing import BinaryIO

from reverie.encode.memory_factory import index
from reverie.engine.retractions import ever_erased
from reverie.errors import Conflict, InvalidExport, ReverieError, StoreCorrupt
from reverie.events import Action, Change, Changed, Draft, Erased, Event, Formed, Payload, Related, Remembered, changed
from reverie.exchange import journal
from reverie.exchange.journal import End, JournalHead, JournalLine, broken, fault_in
from reverie.language.text import analyzer
from reverie.ports import Store, Transaction
from reverie.stores import codec
from reverie.stores.digest import root
from reverie.stores.rechain import Rechaining
from reverie.types import IndexEntry, Kind, Memory, Relation, Scope

BATCH = 500


def replay(source: Store, target: Store, progress: Callable[[int], None] | None = None) -> str:
    """Replay the journal of ``source`` into the empty ``target``; return the target's digest.

    Vectors are not in the journal; they are made again from the texts (see ``admin.embed``).

    Raises:
        Conflict: the target is not empty.
        StoreCorrupt: the chain is broken at some event, or events cannot be read.
    """
    if target.mark():
        raise Conflict("The target of a replay holds a journal already.", "Choose a path where nothing is yet.")
    count, heads = source.mark(), source.heads()
    target.reindexed(analyzer.version())
    for scope, (last, _) in heads.items():
        adopt(target, source.events(scope), progress)
        if (read := target.head(scope)[0]) < last:
            raise StoreCorrupt(f"Of {last} events of {scope} only {read} can be read.", "Restore the last backup.")
    if target.mark() < count:
        raise StoreCorrupt(f"Of {count} events only {target.mark()} can be read.", "Restore the last backup.")
    return target.digest()


def adopt(target: Store, events: Iterable[Event], progress: Callable[[int], None] | None) -> None:
    """Adopt events that continue the journals of their scopes, in batches, with a transaction for each scope of one."""
    rest = iter(events)
    while batch := list(islice(rest, BATCH)):
        for scope, some in groupby(sorted(batch, key=_scope), key=_scope):  # each scope's stay in order
            with target.begin(scope, durable=True) as tx:
                adopt_batch(tx, target, some, progress)


def adopt_batch(tx: Transaction, target: Store, batch: Iterable[Event], progress: Callable[[int], None] | None) -> None:
    """Adopt events within a transaction of the target."""
    count = 0
    for count, event in enumerate(batch, 1):  # noqa: B007 - how many there were
        tx.adopt(event, index_of(target, event.scope, event.payload))
    if progress and count:
        progress(count)


def _scope(event: Event) -> Scope:
    return event.scope


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
    """Append a scope's events that are not ``known``, in batches; add their numbers to it; return how many.

    Skips tombstones.
    """
    told = 0
    rest = (event for event in events if event.payload is not None and event.seq not in known)
    while batch := list(islice(rest, BATCH)):
        scope = into or batch[0].scope
        with target.begin(scope, durable=True) as tx:
            for event in batch:
                draft = _draft(event, known, scope)
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
        self._erased = ever_erased(target, scope)
        self._sessions = {memory.session for memory in target.memories(scope)}

    def run(self, origin: Scope) -> Merged:
        """Copy the memories and edges of ``origin`` that the target lacks, in batches of one transaction each."""
        corpus = self._source.corpus(origin, None)
        for first in range(0, corpus.size, MERGE_BATCH):
            with (
                self._source.begin(origin, durable=False) as there,
                self._target.begin(self._scope, durable=True) as here,
            ):
                for memory in corpus.fetch(range(first, min(first + MERGE_BATCH, corpus.size))):
                    self._bring(memory, origin, there, here)
        edges = [edge for edge in map(self._edge, self._source.relations(origin)) if edge is not None]
        if edges:
            with self._target.begin(self._scope, durable=True) as here:
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


@dataclass(frozen=True, slots=True)
class Contents:
    """Summary of a lossless export.

    Attributes:
        scopes: the scopes in the file, in order of appearance.
        memories: number of memories in each of them.
        events: number of events.
        actions: number of events of each kind.
        heads: number and hash of the last event of each scope.
        digest: digest of the whole store it was exported from; "" for the export of a scope.
    """

    scopes: tuple[Scope, ...]
    events: int
    actions: dict[Action, int]
    heads: dict[Scope, tuple[int, str]]
    digest: str
    memories: tuple[int, ...] = ()


def write(store: Store, out: BinaryIO, scope: Scope | None) -> End:
    """Write the journals of a store, or that of one scope, to a file; return the content of its last line.

    An export of a whole store includes events that are written meanwhile, up to the end of the export.
    """
    out.write(journal.head_line(scope))
    count, heads = 0, dict[Scope, tuple[int, str]]()
    digest = ""
    while True:
        for one in (scope,) if scope is not None else store.heads():
            for event in store.events(one, after=heads.get(one, (0, ""))[0]):
                out.write(journal.event_line(event, codec.payload_bytes(event)))
                count, heads[one] = count + 1, (event.seq, event.hash)
        if scope is not None:
            break
        digest = store.digest()
        if store.heads() == dict(sorted(heads.items())):
            break
    end = End(count, count, root(heads), digest)
    out.write(journal.end_line(end))
    return end


def checked(path: Path) -> Contents:
    """Read and verify a whole lossless export, of format 1 or 2; return a summary of its contents.

    Raises:
        NotFound: there is no such file.
        InvalidExport: a line is broken, was changed, or is missing.
    """
    memories: Counter[Scope] = Counter()
    actions: Counter[Action] = Counter()
    heads: dict[Scope, tuple[int, str]] = {}
    chains, is_whole = codec.Chains(), True
    for item in _present(path):
        if isinstance(item, JournalHead):
            is_whole = item.scope is None
        elif isinstance(item, End):
            wrong = chains.unvouched()
            _require(not wrong, "the end", wrong)
            _require(item.hash == root(heads), "the end", "it names other last events")
            digest = item.digest if is_whole else ""
            return Contents(tuple(memories), item.events, dict(actions), heads, digest, tuple(memories.values()))
        else:
            wrong = chains.break_in(item.event, item.raw)
            _require(not wrong, item.where, wrong)
            _require_sound(item)
            memories[item.event.scope] += _brought(item)
            actions[item.event.action] += 1
            heads[item.event.scope] = item.event.seq, item.event.hash
    raise broken("the end", "the last line is missing")


def _present(path: Path) -> Iterator[JournalHead | JournalLine | End]:
    """Yield a file's lines in format 2; what is in format 1 is verified in its own order, and converted."""
    whose: Scope | None = None
    former: _Former | None = None
    for item in journal.read(path):
        if isinstance(item, JournalHead):
            whose = item.scope
            former = _Former(whose) if item.is_former else None
            yield item
        elif former is not None:
            yield former.line(item) if isinstance(item, JournalLine) else former.end(item)
        else:
            if isinstance(item, JournalLine):
                _require(whose in (None, item.event.scope), item.where, "it is of another scope")
            yield item


class _Former:
    """Verifies and converts a file of format 1, in which one chain ran over all scopes."""

    def __init__(self, whose: Scope | None) -> None:
        self._whose = whose
        self._last = (0, codec.NO_HASH)
        self._vouching = codec.Vouching()
        self._chain = Rechaining()
        self._heads: dict[Scope, tuple[int, str]] = {}

    def line(self, told: JournalLine) -> JournalLine:
        """Return the next event as it is in format 2. Raises InvalidExport if it does not follow the one before it."""
        event = told.event
        follows = event.seq == self._last[0] + 1 and event.previous == self._last[1]
        is_later = self._whose is not None and event.seq > self._last[0]
        _require(follows or is_later, told.where, "an event before it is missing")
        _require(self._whose in (None, event.scope), told.where, "it is of another scope")
        wrong = codec.break_in(event, told.raw, event.seq, event.previous)
        _require(not wrong, told.where, wrong)
        _require_sound(told)
        self._vouching.look(event, told.raw)
        self._last = event.seq, event.hash
        made, raw = self._chain.next(event, told.raw)
        self._heads[made.scope] = made.seq, made.hash
        return JournalLine(made, raw, told.where)

    def end(self, end: End) -> End:
        """Return the last line as it is in format 2, whose digests are others."""
        _require((end.seq, end.hash) == self._last, "the end", "it names another last event")
        _require(not self._vouching.break_in(), "the end", self._vouching.break_in())
        return End(end.events, end.events, root(self._heads), "")


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


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise broken(where, what)


def events(path: Path) -> Iterator[Event]:
    """Yield the events of a checked file, with their payloads."""
    for item in _present(path):
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
