"""One scope of the in-memory store: its episodes, memories and index entries, and how each event changes them.

Every change appends its inverse to ``undo``, so that a transaction can be rolled back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import combinations
from typing import TypeAlias, TypeVar

import numpy as np

from reverie.errors import NotFound
from reverie.events import Change, Changed, Event, Forgotten, Formed, Recalled, Recorded, Related, Remembered, changed
from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.corpus import Access, CorpusView, LiveCorpus, Rows
from reverie.stores.drafts import taken, touched
from reverie.stores.postings import token
from reverie.stores.vectors import HalfArray, pack
from reverie.types import (
    KIND_CODES,
    ROLE_CODES,
    STATE_CODES,
    Companions,
    Episode,
    FloatArray,
    IndexEntry,
    IntArray,
    Kind,
    Memory,
    ModelInfo,
    Record,
    Relation,
    RelationKind,
)

K = TypeVar("K")
V = TypeVar("V")
Undo: TypeAlias = list[Callable[[], object]]


@dataclass(slots=True)
class RamRecord:
    """A memory with its index terms, vectors and counters; ``event`` is the number of the event that wrote it."""

    memory: Memory
    event: int
    terms: tuple[str, ...]
    words: int
    vectors: dict[str, HalfArray] = field(default_factory=dict)
    accesses: int = 0
    last_access: datetime | None = None

    def current(self) -> Memory:
        """Return the memory with its current access count and time."""
        return replace(self.memory, accesses=self.accesses, last_access=self.last_access)

    def change(self, change: Change, entry: IndexEntry | None) -> None:
        """Apply a change; ``entry`` indexes the new words, if the text changed."""
        self.memory = changed(self.current(), change)
        self.accesses, self.last_access = self.memory.accesses, self.memory.last_access
        if entry is not None:
            self.terms, self.words, self.vectors = entry.terms, entry.words, {}
            if entry.vector is not None and entry.model is not None:
                self.vectors[entry.model.key] = pack(entry.vector, entry.model)


class RamScope:
    """Everything stored of one scope, in order of writing."""

    def __init__(self, lock: AbstractContextManager[object], undo: Undo) -> None:
        self._undo = undo
        self._access = Access(self._fetch, self._read, lock)
        self._top = 0
        self._next: dict[str, int] | None = None
        self._ids: dict[str, int] = {}
        self._messages: dict[str, int] = {}
        self._postings: dict[str, list[tuple[int, int]]] | None = None
        self._corpora: dict[ModelInfo | None, LiveCorpus] = {}
        self._touched: dict[str, list[int]] = {}
        self._made: defaultdict[str, set[int]] = defaultdict(set)
        self.relations: dict[tuple[str, str, RelationKind], Relation] = {}
        self.companions: dict[tuple[str, str], Companions] = {}
        self.journal: list[Event] = []
        self.episodes: dict[int, Episode] = {}
        self.records: dict[int, RamRecord] = {}
        self.kept: dict[tuple[str, str], tuple[Record, int]] = {}

    def forget_corpora(self) -> None:
        """Discard what is derived (columns, postings, next sequence numbers); it is rebuilt when next needed."""
        self._corpora.clear()
        self._postings = self._next = None

    def corpus_bytes(self, model: ModelInfo | None) -> int:
        """Return how many bytes the columns for a model take; 0 if there are none."""
        corpus = self._corpora.get(model)
        return 0 if corpus is None else corpus.nbytes

    def forget_corpus(self, model: ModelInfo | None) -> None:
        """Discard the columns for one model; they are rebuilt when next needed."""
        self._corpora.pop(model, None)

    def find(self, memory_id: str) -> RamRecord | None:
        """Return the record of a memory; None if there is none."""
        key = self._ids.get(memory_id)
        return None if key is None else self.records[key]

    def find_message(self, message_id: str) -> Episode | None:
        """Find an episode by the message id that its host gave it, or by its own id; None if there is none."""
        seq = self._messages.get(message_id)
        if seq is None:
            record = self.find(message_id)
            seq = record.event if record is not None and self.episodes[record.event].id == message_id else None
        return None if seq is None else self.episodes[seq]

    def in_order(self) -> list[RamRecord]:
        """Return all records in order of writing."""
        return [record for _, record in sorted(self.records.items())]

    def apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        """Apply an event other than an erasure; ``index`` holds one entry for each new or reworded memory."""
        match event.payload:
            case Remembered() as payload:
                self.remember(event.seq, payload, index)
            case Recalled() as payload:
                self.recall(event.at, payload)
                self.change(payload, ())
            case Formed() as payload:
                self.form(event.seq, payload, index)
            case Changed() as payload:
                self.change(payload, index)
            case Related() as payload:
                self.relate(payload)
            case Forgotten() as payload:
                self.forget(payload)
            case Recorded() as payload:
                self.record(event.seq, payload)

    def remember(self, seq: int, payload: Remembered, index: Sequence[IndexEntry]) -> None:
        """Add an episode and the memories formed from it."""
        episode = payload.episode
        if episode.message_id is not None:
            if episode.message_id in self._messages:
                raise taken("message", episode.message_id)
            self._messages[episode.message_id] = seq
            self._undo.append(partial(self._messages.pop, episode.message_id))
        self.episodes[seq] = episode
        self._undo.append(partial(self.episodes.pop, seq))
        if self._next is not None:
            self._next[episode.session] = max(episode.seq + 1, self._next.get(episode.session, 0))
        for memory, entry in zip(payload.memories, index, strict=True):
            if memory.id in self._ids:
                raise taken("memory", memory.id)
            self._add(seq, memory, entry)

    def form(self, seq: int, payload: Formed, index: Sequence[IndexEntry]) -> None:
        """Add formed memories, and remove those that the event takes back."""
        for memory in payload.removed:
            self._remove(memory.id)
        for memory, entry in zip(payload.added, index, strict=True):
            if memory.id in self._ids:
                raise taken("memory", memory.id)
            self._add(seq, memory, entry)

    def change(self, payload: Changed | Recalled, index: Sequence[IndexEntry]) -> None:
        """Apply the changes to the memories that still exist."""
        entries = iter(index)
        for change in payload.changes:
            entry = next(entries) if change.rewords else None
            record = self.find(change.memory)
            if record is not None:
                self._undo.append(partial(_set_record, record, replace(record)))
                record.change(change, entry)
                self._note_sources(self._ids[change.memory], record)
                self._show(change, entry)

    def relate(self, payload: Related) -> None:
        """Remove and add relations; one that exists is replaced, one without both its memories is skipped."""
        for relation in payload.removed:
            self._set_relation(relation, None)
        for relation in payload.added:
            if relation.source in self._ids and relation.target in self._ids:
                self._set_relation(relation, relation)

    def record(self, seq: int, payload: Recorded) -> None:
        """Keep, replace or delete a record that is no memory."""
        key = payload.record.sort, payload.record.name
        self._undo.append(partial(_restore_item, self.kept, key, self.kept.get(key)))
        _restore_item(self.kept, key, None if payload.after is None else (payload.after, seq))

    def recall(self, at: datetime, payload: Recalled) -> None:
        """Count an access of each memory that still exists; record which formed memories were recalled together."""
        for moment, memories in payload.each(at):
            self._count(moment, memories)

    def _count(self, at: datetime, memories: Sequence[str]) -> None:
        for first, second in combinations(sorted(set(filter(self._is_formed, memories))), 2):
            before = self.companions.get((first, second))
            self._undo.append(partial(_restore_item, self.companions, (first, second), before))
            met = Companions(first, second, 1, at, at)
            self.companions[first, second] = met if before is None else replace(before, count=before.count + 1, last=at)
        for memory_id in memories:
            record = self.find(memory_id)
            if record is not None:
                self._undo.append(partial(_set_access, record, record.accesses, record.last_access))
                _set_access(record, record.accesses + 1, at)

    def forget(self, payload: Forgotten) -> None:
        """Set until when a memory is valid."""
        record = self.find(payload.memory)
        if record is None:
            return
        before = record.memory
        self._undo.append(lambda: setattr(record, "memory", before))
        record.memory = replace(before, valid_until=payload.after)
        key = np.array([self._ids[payload.memory]])
        for corpus in self._corpora.values():
            if len(corpus.keys) and key[0] <= corpus.keys[-1]:
                corpus.set_valid_until(key, np.array([_end(record.memory)]))

    def events_about(self, memory_ids: Collection[str]) -> set[int]:
        """Return the numbers of the events that wrote these memories, or memories formed from them."""
        found = (self.find(memory_id) for memory_id in memory_ids)
        made = (record for memory_id in memory_ids for record in self.made_from(memory_id))
        return {record.event for record in (*found, *made) if record is not None}

    def made_from(self, episode_id: str) -> list[RamRecord]:
        """Return the records of the memories that were formed from an episode, in order of writing."""
        noted = (self.records.get(key) for key in sorted(self._made.get(episode_id, ())))
        found = (record for record in noted if record is not None)
        return [r for r in found if r.memory.kind is not Kind.EPISODE and episode_id in r.memory.sources]

    def touch(self, event: Event) -> None:
        """Record which of the existing memories an event affected, for ``history``."""
        for memory_id in touched(event.payload):
            if memory_id in self._ids:
                seqs = self._touched.setdefault(memory_id, [])
                seqs.append(event.seq)
                self._undo.append(seqs.pop)

    def history(self, memory_id: str) -> list[int]:
        """Return the numbers of the events that affected a memory, in order; none if it no longer exists."""
        return list(self._touched.get(memory_id, ())) if memory_id in self._ids else []

    def written_by(self, events: Collection[int]) -> list[str]:
        """Return the ids of the memories that these events wrote."""
        return [record.memory.id for record in self.in_order() if record.event in events]

    def erase(self, events: Collection[int]) -> None:
        """Delete everything that these events wrote."""
        for seq in self.episodes.keys() & events:
            episode = self.episodes.pop(seq)
            self._undo.append(partial(self.episodes.__setitem__, seq, episode))
            if episode.message_id is not None:
                self._messages.pop(episode.message_id)
                self._undo.append(partial(self._messages.__setitem__, episode.message_id, seq))
        for memory_id in self.written_by(events):
            self._remove(memory_id)
        for key, (record, seq) in list(self.kept.items()):
            if seq in events:
                self._undo.append(partial(self.kept.__setitem__, key, (record, seq)))
                del self.kept[key]
        self.forget_corpora()

    def _remove(self, memory_id: str) -> None:
        """Delete a memory with its relations and companions."""
        key = self._ids.pop(memory_id, None)
        if key is None:
            return
        record = self.records.pop(key)
        self._undo.append(partial(self._restore, key, record))
        seqs = self._touched.pop(memory_id, None)
        if seqs is not None:
            self._undo.append(partial(self._touched.__setitem__, memory_id, seqs))
        for relation in [r for r in self.relations.values() if memory_id in (r.source, r.target)]:
            self._set_relation(relation, None)
        for pair in [pair for pair in self.companions if memory_id in pair]:
            self._undo.append(partial(self.companions.__setitem__, pair, self.companions.pop(pair)))
        self.forget_corpora()

    def _add(self, seq: int, memory: Memory, entry: IndexEntry) -> None:
        record = RamRecord(
            memory, seq, entry.terms, entry.words, accesses=memory.accesses, last_access=memory.last_access
        )
        if entry.vector is not None and entry.model is not None:
            record.vectors[entry.model.key] = pack(entry.vector, entry.model)
        self._top += 1
        self._insert(self._top, record)

    def _is_formed(self, memory_id: str) -> bool:
        record = self.find(memory_id)
        return record is not None and record.memory.kind is not Kind.EPISODE

    def _set_relation(self, relation: Relation, now: Relation | None) -> None:
        key = relation.ends
        self._undo.append(partial(_restore_item, self.relations, key, self.relations.get(key)))
        _restore_item(self.relations, key, now)

    def _show(self, change: Change, entry: IndexEntry | None) -> None:
        """Update the corpora after a change of words, validity or state."""
        names = {field.name for field in change.fields}
        if entry is not None or not names.isdisjoint(("kind", "at", "valid_from")):
            self.forget_corpora()
            return
        key = np.array([self._ids[change.memory]])
        memory = self.records[int(key[0])].memory
        for corpus in self._corpora.values():
            if len(corpus.keys) and key[0] <= corpus.keys[-1]:
                if "valid_until" in names:
                    corpus.set_valid_until(key, np.array([_end(memory)]))
                if "state" in names:
                    corpus.set_state(key, np.array([STATE_CODES[memory.standing.state]]))

    def set_vector(self, memory_id: str, model: ModelInfo, row: HalfArray) -> None:
        """Store a vector of a memory that is already written."""
        record = self.find(memory_id)
        if record is None:
            return
        record.vectors[model.key] = row
        key = np.array([self._ids[memory_id]])
        for own, corpus in self._corpora.items():
            if own is not None and len(corpus.keys) and key[0] <= corpus.keys[-1]:
                if own.key == model.key:
                    corpus.fill(key, row[np.newaxis])
                elif own.second is not None and own.second.key == model.key:
                    corpus.fill(key, row[np.newaxis], second=True)

    def corpus(self, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, up to date."""
        corpus = self._corpora.get(model)
        if corpus is None:
            corpus = self._corpora[model] = LiveCorpus(self._access, model, len(self.records))
        last = corpus.keys[-1] if len(corpus.keys) else 0
        fresh = {key: self.records[key] for key in range(int(last) + 1, self._top + 1) if key in self.records}
        if fresh:
            corpus.append(_rows(fresh))
            for one in model.each if model else ():
                held = {key: record.vectors[one.key] for key, record in fresh.items() if one.key in record.vectors}
                if held:
                    corpus.fill(np.array(list(held)), np.stack(list(held.values())), second=one is not model)
        return corpus.view()

    def _insert(self, key: int, record: RamRecord) -> None:
        self._restore(key, record)
        if self._postings is not None:
            self._post(key, record)
        self._undo.append(lambda: (self.records.pop(key), self._ids.pop(record.memory.id)))

    def _restore(self, key: int, record: RamRecord) -> None:
        self.records[key] = record
        self._ids[record.memory.id] = key
        self._note_sources(key, record)

    def _note_sources(self, key: int, record: RamRecord) -> None:
        """Index a record by its sources; sources it no longer has stay in the index, and ``made_from`` skips them."""
        for source in record.memory.sources:
            self._made[source].add(key)

    def _fetch(self, keys: list[int]) -> list[Memory]:
        if any(key not in self.records for key in keys):
            raise NotFound("A memory was erased while it was being recalled.", "Ask again.")
        return [self.records[key].current() for key in keys]

    def _post(self, key: int, record: RamRecord) -> None:
        assert self._postings is not None
        for name, times in Counter(map(token, record.terms)).items():
            self._postings[name].append((key, times))

    def _read(self, name: str) -> tuple[IntArray, FloatArray]:
        if self._postings is None:
            self._postings = defaultdict(list)
            for key, record in sorted(self.records.items()):
                self._post(key, record)
        found = self._postings.get(name, [])
        return np.array([key for key, _ in found], np.int64), np.array([times for _, times in found], np.float32)

    def next_place(self, session: str) -> int:
        """Return the sequence number for the next message of a session."""
        if self._next is None:
            self._next = {}
            for episode in self.episodes.values():
                self._next[episode.session] = max(episode.seq + 1, self._next.get(episode.session, 0))
        return self._next.get(session, 0)


def _set_record(record: RamRecord, before: RamRecord) -> None:
    record.memory, record.terms, record.words = before.memory, before.terms, before.words
    record.vectors, record.accesses, record.last_access = before.vectors, before.accesses, before.last_access


def _restore_item(held: dict[K, V], key: K, before: V | None) -> None:
    if before is None:
        held.pop(key, None)
    else:
        held[key] = before


def _set_access(record: RamRecord, accesses: int, at: datetime | None) -> None:
    record.accesses, record.last_access = accesses, at


def _end(memory: Memory) -> int:
    return FOREVER if memory.valid_until is None else to_micros(memory.valid_until)


def _rows(fresh: dict[int, RamRecord]) -> Rows:
    records = fresh.values()
    memories = [record.memory for record in records]
    tokens = [list(map(token, record.terms)) for record in records]
    return Rows(
        keys=np.array(list(fresh), np.int64),
        kinds=np.array([KIND_CODES[memory.kind] for memory in memories], np.int64),
        states=np.array([STATE_CODES[memory.standing.state] for memory in memories], np.int64),
        sessions=[memory.session for memory in memories],
        places=np.array([memory.seq for memory in memories], np.int64),
        speakers=[memory.speaker for memory in memories],
        roles=np.array([ROLE_CODES[memory.role] for memory in memories], np.int64),
        said_at=np.array([to_micros(memory.at) for memory in memories], np.int64),
        valid_from=np.array([to_micros(memory.valid_from) for memory in memories], np.int64),
        valid_until=np.array(list(map(_end, memories)), np.int64),
        lengths=np.array(list(map(len, tokens)), np.float32),
        words=np.array([record.words for record in records], np.float32),
        tokens=tokens,
    )
