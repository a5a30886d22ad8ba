"""One store over several databases: each scope lies whole in one of them, chosen by rendezvous hashing.

A database that is added takes its share of the scopes and no others move (``rebalance``). A scope moves by its
journal, which its new database adopts unchanged; the last events are copied while nobody can write, and a mark in the
old journal then sends every reader and writer on, in whatever process. So no acknowledged write is lost, or made twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from reverie.answers import Fault, Health, Job, JobState, Stats
from reverie.errors import Conflict, InvalidSetting, StoreBusy, StoreCorrupt, StoreError
from reverie.events import Action, Draft, Erased, Event, Recorded
from reverie.formulas.rendezvous import rendezvous_score
from reverie.ports import Adviser, Clock, Corpus, Ids, Jobs, Queued, Store, Transaction, distant
from reverie.stores.digest import by_name, digest_of_all
from reverie.types import (
    Companions,
    FloatArray,
    IndexEntry,
    Memory,
    ModelInfo,
    Record,
    Relation,
    Scope,
)

OWN = Scope("reverie", "databases", "placement")
"""The scope in which each database keeps what it knows of the others; nobody else sees it."""
_ACTOR = "reverie:placement"
_LIST, _ARRIVING, _MOVED = "databases", "arriving", "moved"
_ONE = "one"
_TRIES = 5
_BATCH = 500
_REMEMBERED_MARKS = 256

T = TypeVar("T")
Entries: TypeAlias = Callable[[Store, Event], Sequence[IndexEntry]]
"""Makes the index entries that an event's memories need in the store that adopts it."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database of a sharded store: the store and its share, which is its weight over the sum of all weights.

    With weight 0 it gets no new scope, and ``rebalance`` empties it.
    """

    store: Store
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Moved:
    """What a rebalancing did: which scopes it moved, from which database to which."""

    scopes: tuple[tuple[Scope, str, str], ...]


class ShardedStore:
    """A store over several databases (``ports.Store``). The names of the databases must stay the same.

    ``change``: the list of databases may differ from the one that they know; without it that is an error, because a
    process with an old list would look for a scope where it is not.

    Raises:
        InvalidSetting: there is no database, none with a weight above 0, or the list differs.
    """

    def __init__(self, databases: Mapping[str, Database], clock: Clock, ids: Ids, *, change: bool = False) -> None:
        _require_weights([one.weight for one in databases.values()])
        self._stores = {name: databases[name].store for name in sorted(databases)}
        self._weights = {name: databases[name].weight for name in sorted(databases)}
        self._clock, self._ids = clock, ids
        self._places: dict[Scope, str] = {}
        self._marks: dict[int, dict[str, int]] = {}
        self._agree(change)

    # Where a scope is

    def place(self, scope: Scope) -> str:
        """Return the name of the database that holds a scope, or that would get it."""
        known = self._places.get(scope)
        if known is None or _gone_to(self._stores[known], scope):
            known = self._found(scope) or self._home(scope)
            self._places[scope] = known
        return known

    def _at(self, scope: Scope) -> Store:
        return self._stores[self.place(scope)]

    def _found(self, scope: Scope) -> str:
        """Look for a scope in every database, the likeliest first; "" where none has it."""
        for name in ranked(scope, self._weights):
            store = self._stores[name]
            if not store.head(scope)[0]:
                continue
            if _gone_to(store, scope):
                return self._follow(name, scope)
            if _record(store, OWN, _ARRIVING, _text(scope)) is None:  # else it is a copy that is not whole yet
                return name
        return ""

    def _follow(self, name: str, scope: Scope) -> str:
        seen = set()
        while onward := _gone_to(self._stores[name], scope):
            seen.add(name)
            if onward not in self._stores or onward in seen:
                raise StoreError(
                    f"A scope was moved to the database {onward!r}, which is not in the list.", "Put it into the list."
                )
            name = onward
        return name

    def _home(self, scope: Scope) -> str:
        """Return where a scope belongs: the best database that it has not left before, since no journal comes back.

        Where it has left them all it stays.
        """
        order = [name for name in ranked(scope, self._weights) if self._weights[name] > 0]
        return next((name for name in order if not _gone_to(self._stores[name], scope)), "") or self._found(scope)

    def _elsewhere(self, name: str) -> set[Scope]:
        """Return the scopes of which a database has something without being their place, and this store's own."""
        store = self._stores[name]
        arriving = (Scope(*json.loads(record.name)) for record in store.records(_ARRIVING, scope=OWN))
        copies = {scope for scope in arriving if self._found(scope) != name}
        return copies | {record.scope for record in store.records(_MOVED)} | {OWN}

    # The list of databases

    def _agree(self, change: bool) -> None:
        """Compare the list with what each database knows, and write it into those that are new."""
        own = json.dumps(self._weights, sort_keys=True)
        known = {name: _listed(store) for name, store in self._stores.items()}
        if all(found is not None and found[0] == own for found in known.values()):
            return
        before = {name: found for name, found in known.items() if found is not None}
        if before and not change:
            raise InvalidSetting(
                f"The databases {sorted(before)} know another list than {sorted(self._stores)}.",
                "Open it with the same list, or move the scopes: `reverie store rebalance`.",
            )
        older = next((found[0] for found in before.values() if found[0] != own), "{}")
        for name in sorted(known, key=lambda name: (name not in before, name)):  # those that are in use first
            self._tell(name, own, older)

    def _tell(self, name: str, own: str, before: str) -> None:
        self._keep(name, Record(OWN, _LIST, _ONE, "", json.dumps({"now": own, "before": before}, sort_keys=True)))

    def _keep(self, name: str, record: Record | None, old: Record | None = None) -> None:
        """Write or end a record of this store's own in a database."""
        store = self._stores[name]
        sought = record or old
        assert sought is not None
        with store.begin(OWN, durable=True) as tx:
            tx.append(self._draft(OWN, Recorded(_record(store, OWN, sought.sort, sought.name), record)))

    def _draft(self, scope: Scope, payload: Recorded | Erased) -> Draft:
        action = Action.ERASE if isinstance(payload, Erased) else Action.RECORD
        return Draft(scope, self._clock.now(), _ACTOR, action, "moved", payload, self._ids.salt())

    # Writing

    @contextmanager
    def begin(self, scope: Scope, *, durable: bool) -> Iterator[Transaction]:
        """Open a write transaction in the database that holds the scope, wherever it has been moved meanwhile.

        Raises Conflict for a new scope where the list of databases was changed after this store was opened.
        """
        for _ in range(_TRIES):
            name = self.place(scope)
            store = self._stores[name]
            with self._alone_to_make(scope, name) as free, store.begin(scope, durable=durable) as tx:
                if free and not _gone_to(store, scope):  # asked within the transaction: it stays until the end
                    self._require_list(scope, name)
                    yield tx
                    return
            self._places.pop(scope, None)
        raise StoreBusy("A scope is being moved again and again.", "Try again in a moment.")

    @contextmanager
    def _alone_to_make(self, scope: Scope, name: str) -> Iterator[bool]:
        """For a new scope, while databases are added: keep those who know the old list from making it as well.

        Yields whether it is still to be made, or is there already in its place.
        """
        store = self._stores[name]
        listed = None if store.head(scope)[0] else _listed(store)
        before = json.loads(listed[1]) if listed else {}
        known = {one: weight for one, weight in before.items() if one in self._stores}
        former = ranked(scope, known)[0] if known else name
        if former == name:
            yield True
            return
        with self._stores[former].begin(scope, durable=False):
            yield not self._stores[former].head(scope)[0]

    def _require_list(self, scope: Scope, name: str) -> None:
        """Raise Conflict where a scope is new and this database knows another list."""
        store = self._stores[name]
        if not store.head(scope)[0] and (_listed(store) or ("",))[0] != json.dumps(self._weights, sort_keys=True):
            raise Conflict("The list of databases has changed.", "Open the store again, with the new list.")

    def append(self, draft: Draft, durable: bool) -> Event:
        """Write one event that adds no memories; whether its scope was moved is asked within the transaction."""
        with self.begin(draft.scope, durable=durable) as tx:
            return tx.append(draft)

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of existing memories, in one transaction for each database."""
        groups = _grouped(rows, lambda row: self.place(row[0]))
        for name, store in self._stores.items():
            store.put_vectors(model, groups.get(name, []))

    def outdated(self, keep: ModelInfo) -> list[Scope]:
        """Return the scopes that have, or had, vectors of other models than this and its second one."""
        held = ((name, scope) for name, store in self._stores.items() for scope in store.outdated(keep))
        return sorted(scope for name, scope in held if self.place(scope) == name)

    def drop_vectors(self, scope: Scope, *, keep: ModelInfo) -> int:
        """Delete a scope's vectors of all models but this and its second one."""
        return self._at(scope).drop_vectors(scope, keep=keep)

    def reindex(self, scope: Scope, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
        """Replace the indexed terms of a scope's memories, in one transaction."""
        self._at(scope).reindex(scope, analyzer, entries)

    def reindexed(self, analyzer: str) -> None:
        """Record that the terms of all scopes are of this version of the analyzer, in every database."""
        for store in self._stores.values():
            store.reindexed(analyzer)

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield the store's seals, ascending: each database has all, and one that was exchanged has fewer."""
        return max(self._stores.values(), key=lambda store: sum(1 for _ in store.seals())).seals()

    def seal(self, number: int, text: str) -> None:
        """Keep a seal in every database."""
        for store in self._stores.values():
            store.seal(number, text)

    # Moving

    def rebalance(self, entries: Entries, models: Sequence[ModelInfo] = ()) -> Moved:
        """Move every scope to where it belongs, with the vectors of these models, while others read and write.

        One that broke off is gone on with.

        A scope is only locked while its last events are copied. What it leaves behind is erased as memories are: its
        old journal keeps hashes without content. Records without texts, such as grants, stay readable in it.
        """
        self._places.clear()
        moved = []
        for scope in self._everywhere():
            name, home = self.place(scope), self._home(scope)
            if name != home:
                self._move(scope, (name, home), entries, models)
                moved.append((scope, name, home))
            for old in self._stores:
                self._clean(scope, old)
        for name, store in self._stores.items():
            self._tell(name, json.dumps(self._weights, sort_keys=True), "{}")
            store.compact()
        return Moved(tuple(moved))

    def _everywhere(self) -> list[Scope]:
        return sorted({scope for store in self._stores.values() for scope in store.scopes()} - {OWN})

    def _move(self, scope: Scope, way: tuple[str, str], entries: Entries, models: Sequence[ModelInfo]) -> None:
        old, new = way
        source, target = self._stores[old], self._stores[new]
        with source.alone(scope):
            if _record(target, OWN, _ARRIVING, _text(scope)) is None:
                self._keep(new, Record(OWN, _ARRIVING, _text(scope), old, "{}"))
            self._copy(scope, source, target, entries)
            _copy_vectors(scope, models, source, target)
            with source.begin(scope, durable=True) as tx:  # nobody writes there from here on
                self._copy(scope, source, target, entries)
                seq, head = source.head(scope)
                if target.head(scope) != (seq, head):
                    raise StoreCorrupt("A moved journal differs from its original.", "Run `reverie doctor`.")
                _copy_vectors(scope, models, source, target)
                body = json.dumps({"head": head, "seq": seq, "to": new}, sort_keys=True)
                tx.append(self._draft(scope, Recorded(None, Record(scope, _MOVED, _ONE, new, body))))
            self._places[scope] = new

    def _copy(self, scope: Scope, source: Store, target: Store, entries: Entries) -> None:
        """Let the target adopt what it lacks of a journal."""
        seq, head = target.head(scope)
        if seq and next(iter(islice(source.events(scope, after=seq - 1), 1))).hash != head:
            raise StoreCorrupt("A copy of a journal differs from its original.", "Run `reverie doctor`.")
        events = source.events(scope, after=seq)
        while batch := list(islice(events, _BATCH)):
            with target.begin(scope, durable=True) as tx:
                for event in batch:
                    tx.adopt(event, entries(target, event))

    def _clean(self, scope: Scope, name: str) -> None:
        """Erase what a scope left in a database, and end the note that it is arriving there."""
        store, place = self._stores[name], self.place(scope)
        note = _record(store, OWN, _ARRIVING, _text(scope))
        if note is not None and name == place:
            self._keep(name, None, note)
        elif note is not None and name != self._home(scope):  # a copy that broke off, and has another home by now
            with store.begin(scope, durable=True) as tx:
                if store.head(scope)[0]:
                    tx.append(self._draft(scope, Recorded(None, Record(scope, _MOVED, _ONE, place, "{}"))))
            self._keep(name, None, note)
        if name != place and _gone_to(store, scope) and (left := [one.id for one in store.memories(scope)]):
            with store.begin(scope, durable=True) as tx:
                reach = tx.events_about(scope, left)
                tx.append(
                    self._draft(scope, Erased(tuple(left), tuple(reach.emptied), reasons=tuple(reach.unreasoned)))
                )

    # Reading one scope

    def ahead(self, scope: Scope, model: ModelInfo | None, do: Callable[[], T], writes: bool) -> T:
        """Run a call that names one scope; a database on a server answers its first questions together."""
        far = distant(self._at(scope))
        return do() if far is None else far.ahead(scope, model, do, writes)

    def corpus(self, scope: Scope, model: ModelInfo | None) -> Corpus:
        """Return the scope's searchable columns."""
        return self._at(scope).corpus(scope, model)

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return the memory of this id in this scope; None where there is none."""
        return self._at(scope).memory(scope, memory_id)

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories of these ids, in the given order; unknown ids are left out."""
        return self._at(scope).named(scope, memory_ids)

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes that have formed memories, all of which are superseded."""
        return self._at(scope).outlived(scope, episode_ids)

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode."""
        return self._at(scope).formed(scope)

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` accesses."""
        return self._at(scope).often(scope, least)

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source."""
        return self._at(scope).made_from(scope, episode_id)

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that wrote, changed, linked or recalled a memory."""
        return self._at(scope).history(scope, memory_id)

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the edges of the scope, or those that touch one of these memories."""
        return self._at(scope).relations(scope, memory_ids)

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return pairs of formed memories recalled together."""
        return self._at(scope).companions(scope, memory_ids)

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories by time said, then position, then order of writing."""
        return self._at(scope).memories(scope, session=session, start=start, end=end, limit=limit)

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last messages of a session, by position."""
        return self._at(scope).latest(scope, session, limit, holding)

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Map memory ids to the ids that their messages came with."""
        return self._at(scope).message_ids(scope)

    def stats(self, scope: Scope) -> Stats:
        """Count the memories, sessions, events and so on of a scope; the size is that of its database."""
        return self._at(scope).stats(scope)

    def health(self, scope: Scope, now: datetime) -> Health:
        """Compute the health counts of a scope; the size is that of its database."""
        return self._at(scope).health(scope, now)

    def events(self, scope: Scope, *, after: int = 0, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of a scope's journal after number ``after``."""
        return self._at(scope).events(scope, after=after, actions=actions)

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope's journal."""
        return self._at(scope).head(scope)

    def alone(self, scope: Scope) -> AbstractContextManager[None]:
        """Lock a scope for work on the whole of it."""
        return self._at(scope).alone(scope)

    # Reading all

    def records(self, sort: str, *, scope: Scope | None = None, about: str | None = None) -> list[Record]:
        """Return the records of a sort, by scope and name."""
        if scope is not None:
            return self._at(scope).records(sort, scope=scope, about=about)
        found: list[Record] = []
        for name, store in self._stores.items():
            elsewhere = self._elsewhere(name)
            found += [one for one in store.records(sort, about=about) if one.scope not in elsewhere]
        return sorted(found, key=by_name)

    def scopes(self) -> list[Scope]:
        """Return every scope that has or had a memory."""
        found: set[Scope] = set()
        for name, store in self._stores.items():
            found |= set(store.scopes()) - self._elsewhere(name)
        return sorted(found)

    def heads(self) -> dict[Scope, tuple[int, str]]:
        """Return the head of every scope's journal, scopes in order."""
        found: dict[Scope, tuple[int, str]] = {}
        for name, store in self._stores.items():
            elsewhere = self._elsewhere(name)
            found |= {scope: head for scope, head in store.heads().items() if scope not in elsewhere}
        return dict(sorted(found.items()))

    def mark(self) -> int:
        """Return a number that rises with every event: the sum of those of the databases, without this store's own."""
        marks = {name: store.mark() for name, store in self._stores.items()}
        total = sum(marks.values()) - sum(store.head(OWN)[0] for store in self._stores.values())
        self._marks[total] = marks
        for old in list(self._marks)[:-_REMEMBERED_MARKS]:
            del self._marks[old]
        return total

    def happened(self, after: int, actions: Collection[Action]) -> bool:
        """Whether an event of these kinds was written after the mark was ``after``; perhaps, after an old mark."""
        marks = self._marks.get(after, {})
        return any(store.happened(marks.get(name, 0), actions) for name, store in self._stores.items())

    def unindexed(self, model: ModelInfo, limit: int, scope: Scope | None = None) -> list[Memory]:
        """Return up to ``limit`` memories without a vector of this model, of a scope or of any."""
        if scope is not None:
            return self._at(scope).unindexed(model, limit, scope)
        found: list[Memory] = []
        for name, store in self._stores.items():
            elsewhere = self._elsewhere(name)
            found += [memory for memory in store.unindexed(model, limit) if memory.scope not in elsewhere]
        return sorted(found, key=lambda memory: memory.recorded_at)[:limit]

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""
        if scope is not None:
            return self._at(scope).missing(model, scope)
        return sum(store.missing(model) for store in self._stores.values())

    def analyzer(self, scope: Scope | None = None) -> str:
        """Return the version of the analyzer that made the indexed terms; "" where the databases differ."""
        if scope is not None:
            return self._at(scope).analyzer(scope)
        found = {store.analyzer() for store in self._stores.values()}
        return found.pop() if len(found) == 1 else ""

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Check every database for damage; each fault names its database."""
        return [_in(name, fault) for name, store in self._stores.items() for fault in store.check(replay=replay)]

    def advice(self) -> list[Fault]:
        """Return the remarks of every database that makes any."""
        advising = ((name, store) for name, store in self._stores.items() if isinstance(store, Adviser))
        return [_in(name, fault) for name, store in advising for fault in store.advice()]

    def queue(self) -> Jobs | None:
        """Return the jobs of all databases as one queue; None where not all keep jobs."""
        queues = {name: store.queue() if isinstance(store, Queued) else None for name, store in self._stores.items()}
        kept = {name: queue for name, queue in queues.items() if queue is not None}
        return ShardedJobs(kept, self.place) if len(kept) == len(queues) else None

    def digest(self, scope: Scope | None = None) -> str:
        """Return a SHA-256 over everything but vectors and terms, of a scope or of all, as one store would."""
        if scope is not None:
            return self._at(scope).digest(scope)
        return digest_of_all((one, self._at(one).digest(one)) for one in self.scopes())

    def merge_index(self) -> None:
        """Merge the segments of every text index."""
        for store in self._stores.values():
            store.merge_index()

    def compact(self) -> int:
        """Shrink every database to its contents; return how many bytes that freed."""
        return sum(store.compact() for store in self._stores.values())

    def backup(self, path: Path) -> None:
        """Write a consistent copy of each database into the folder ``path``, one after another.

        ``databases.json`` in it names the file of each database. A scope that is moved meanwhile may be in two of them,
        or in none: do not rebalance during a backup. Raises Conflict where something is there already.
        """
        if path.exists():
            raise Conflict(f"There is something at {path} already.", "Choose another name, or move it away.")
        files = {name: f"{number}.db" for number, name in enumerate(self._stores)}
        self.mark()  # raises StoreClosed before anything is made
        path.mkdir()
        for name, store in self._stores.items():
            store.backup(path / files[name])
        (path / "databases.json").write_text(json.dumps(files), encoding="utf-8")

    def close(self) -> None:
        """Close every database."""
        for store in self._stores.values():
            store.close()


class ShardedJobs:
    """The jobs of several databases as one queue (``ports.Jobs``): a job is kept where its scope is when it is added.

    A scope that was moved may have jobs in two of them. ``place`` names the database of a scope.
    """

    def __init__(self, queues: Mapping[str, Jobs], place: Callable[[Scope], str]) -> None:
        self._queues = dict(queues)
        self._place = place
        self._claimed: dict[str, Jobs] = {}
        self._turns = count()

    def enqueue(self, job: Job) -> Job:
        """Add a waiting job; or return the open one of its scope, kind and key, if the key is not empty."""
        if job.key:
            same = (job.kind, job.key)
            found = next((one for one in self.jobs(job.scope) if one.is_open and (one.kind, one.key) == same), None)
            if found is not None:
                return found
        return self._queues[self._place(job.scope)].enqueue(job)

    def jobs(self, scope: Scope) -> list[Job]:
        """Return the jobs of a scope, newest first."""
        found = [job for queue in self._queues.values() for job in queue.jobs(scope)]
        return sorted(found, key=lambda job: (job.enqueued_at, job.id), reverse=True)

    def show(self, job_id: str, scope: Scope) -> Job:
        """Return one job. Raises NotFound, also for a job of another scope."""
        return self._of(job_id, scope).show(job_id, scope)

    def is_open(self) -> bool:
        """Whether a job is waiting or running, in any scope."""
        return any(queue.is_open() for queue in self._queues.values())

    @contextmanager
    def claim(self, at: datetime) -> Iterator[Job | None]:
        """Take the next job that nobody works on, of each database in turn; None: there is none."""
        queues, first = list(self._queues.values()), next(self._turns) % len(self._queues)
        with ExitStack() as held:
            for queue in (*queues[first:], *queues[:first]):
                with ExitStack() as trial:
                    job = trial.enter_context(queue.claim(at))
                    if job is not None:
                        held.push(trial.pop_all())
                        held.callback(self._claimed.pop, job.id)
                        self._claimed[job.id] = queue
                        yield job
                        return
            yield None

    def progress(self, job_id: str, done: int, total: int, at: datetime) -> bool:
        """Record how far a claimed job is; return False when somebody wants it cancelled."""
        return self._claimed[job_id].progress(job_id, done, total, at)

    def end(self, job_id: str, state: JobState, reason: str, at: datetime) -> None:
        """Record how an attempt at a claimed job ended."""
        self._claimed[job_id].end(job_id, state, reason, at)

    def cancel(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Cancel a job, at once or at its next step. Raises NotFound; Conflict if it has ended."""
        return self._of(job_id, scope).cancel(job_id, scope, at)

    def retry(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Let a failed or cancelled job wait again. Raises NotFound, Conflict."""
        return self._of(job_id, scope).retry(job_id, scope, at)

    def close(self) -> None:
        """Release the resources of every queue; jobs stay."""
        for queue in self._queues.values():
            queue.close()

    def _of(self, job_id: str, scope: Scope) -> Jobs:
        """Return the queue that holds a job of a scope; where none does, the one that would."""
        holding = (queue for queue in self._queues.values() if any(job.id == job_id for job in queue.jobs(scope)))
        return next(holding, self._queues[self._place(scope)])


def _in(name: str, fault: Fault) -> Fault:
    return replace(fault, what=f"In the database {name!r}: {fault.what}")


def _require_weights(weights: Sequence[float]) -> None:
    if min(weights, default=0.0) < 0 or not any(weights):
        raise InvalidSetting("No database can take a scope.", "Name at least one with a weight above 0, none below.")


def _copy_vectors(scope: Scope, models: Sequence[ModelInfo], source: Store, target: Store) -> None:
    """Copy the vectors of a scope that the target lacks; they are stored in half precision, so they stay exact."""
    for model in models:
        ours, theirs = source.corpus(scope, model), target.corpus(scope, model)
        if theirs.embedded < ours.embedded:
            ordinals = np.arange(ours.size)
            vectors, there = ours.vectors_of(ordinals), np.abs(theirs.vectors_of(ordinals)).max(axis=1) > 0
            memories = ours.fetch(ordinals.tolist())
            rows = [
                (scope, memory.id, vector)
                for memory, vector, has in zip(memories, vectors, there, strict=True)
                if not has and vector.any()
            ]
            target.put_vectors(model, rows)


def _text(scope: Scope) -> str:
    return json.dumps([scope.agent, scope.user, scope.project])


def ranked(scope: Scope, weights: Mapping[str, float]) -> list[str]:
    """Rank databases for a scope, best first, by the hash of both names and the database's weight; ties by name."""

    def score(name: str) -> float:
        said = json.dumps([name, scope.agent, scope.user, scope.project])
        uniform = int.from_bytes(sha256(said.encode()).digest()[:8], "big") / 2.0**64
        return rendezvous_score(uniform, weights[name])

    return sorted(weights, key=lambda name: (-score(name), name))


def _record(store: Store, scope: Scope, sort: str, name: str) -> Record | None:
    return next((record for record in store.records(sort, scope=scope) if record.name == name), None)


def _gone_to(store: Store, scope: Scope) -> str:
    """Return the name of the database that a scope was moved to from this one; "" where it was not."""
    found = _record(store, scope, _MOVED, _ONE)
    return "" if found is None else found.about


def _listed(store: Store) -> tuple[str, str] | None:
    """Return the list of databases that one knows, and the one before while scopes are moved; None in a new one."""
    found = _record(store, OWN, _LIST, _ONE)
    if found is None:
        return None
    lists = json.loads(found.body)
    return str(lists["now"]), str(lists["before"])


def _grouped(rows: Sequence[T], place: Callable[[T], str]) -> dict[str, list[T]]:
    found: dict[str, list[T]] = {}
    for row in rows:
        found.setdefault(place(row), []).append(row)
    return found
