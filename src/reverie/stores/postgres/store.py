"""The store of a team: a PostgreSQL database that many processes use, each scope with its journal and memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from reverie.answers import Fault, Health, Stats
from reverie.errors import NotFound, StoreBusy, StoreError
from reverie.events import Action, Draft, Event
from reverie.stores import codec
from reverie.stores.codec import from_micros, to_micros
from reverie.stores.corpus import CorpusView
from reverie.stores.digest import by_name
from reverie.stores.drafts import sealed_already
from reverie.stores.exclusive import taken
from reverie.stores.health import health
from reverie.stores.postgres import keys, maintenance, rows, schema
from reverie.stores.postgres.connection import Row, Statement
from reverie.stores.postgres.looks import Looks, Overtaken
from reverie.stores.postgres.rows import Box, raw, string
from reverie.stores.postgres.search import Corpora
from reverie.stores.postgres.writes import ACTIONS, PostgresTransaction
from reverie.stores.sqlite.cipher import Key
from reverie.stores.vectors import pack
from reverie.types import (
    Companions,
    FloatArray,
    IndexEntry,
    Memory,
    ModelInfo,
    Record,
    Relation,
    RelationKind,
    Scope,
    State,
)

if TYPE_CHECKING:
    from psycopg import Connection

    from reverie.stores.postgres.jobs import PostgresJobs

PAGE = 256
_MARKS_KEPT = 1_024
T = TypeVar("T")
_TIMELINE = f"""
{rows.MEMORY} WHERE m.scope = %s AND (m.at, m.place, m.ord) > (%s, %s, %s) AND m.at < %s {{}}
ORDER BY m.at, m.place, m.ord LIMIT %s
"""
_LATEST = f"""
{rows.MEMORY} WHERE m.scope = %s AND m.session = %s AND m.kind = 'episode'
  AND (m.valid_until IS NULL OR m.valid_until > %s)
ORDER BY m.place DESC, m.ord DESC LIMIT %s
"""
_OUTLIVED = f"""
SELECT s.episode FROM source s JOIN memory m ON m.scope = s.scope AND m.ord = s.ord
WHERE s.scope = %s AND s.episode = ANY(%s)
GROUP BY s.episode HAVING bool_and(m.state = '{State.SUPERSEDED.value}')
"""
_RELATION = """
SELECT x.id, y.id, r.kind, r.confidence, r.at FROM relation r
  JOIN memory x ON x.scope = r.scope AND x.ord = r.source JOIN memory y ON y.scope = r.scope AND y.ord = r.target
WHERE r.scope = %s
"""
_COMPANION = """
SELECT x.id, y.id, c.n, c.since, c.last FROM companion c
  JOIN memory x ON x.scope = c.scope AND x.ord = c.first JOIN memory y ON y.scope = c.scope AND y.ord = c.second
WHERE c.scope = %s
"""
_MESSAGE_IDS = """
SELECT payload FROM event WHERE scope = %s AND message_id IS NOT NULL AND payload IS NOT NULL
"""
_LACKING = """
SELECT s.id, s.agent, s.usr, s.project FROM scope s
  LEFT JOIN lacking l ON l.scope = s.id AND l.model = %s
WHERE s.tenant = %s AND coalesce(l.n, s.memories) > 0 {} ORDER BY s.id
"""
_OUTDATED = """
SELECT DISTINCT s.agent, s.usr, s.project FROM lacking l JOIN scope s ON s.id = l.scope JOIN model m ON m.id = l.model
WHERE m.tenant = %s AND NOT m.key = ANY(%s)
"""
_SET = """
INSERT INTO setting (tenant, name, value) VALUES (%s, %s, %s)
ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value
"""
_WITHOUT = f"""
{rows.MEMORY} WHERE m.scope = %s AND NOT EXISTS (
  SELECT 1 FROM vector v WHERE v.scope = m.scope AND v.model = %s AND v.ord = m.ord) ORDER BY m.ord LIMIT %s
"""
_SUMS = ", ".join(f"coalesce(sum(did[{i + 1}]), 0)::bigint" for i in range(len(ACTIONS)))
_DID = f"SELECT {_SUMS} FROM scope WHERE tenant = %s"
_LOCK_SCOPES = (
    "SELECT id, agent, usr, project FROM scope WHERE tenant = %s AND id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
)
_HELD = """
SELECT m.id, m.ord, EXISTS (SELECT 1 FROM vector v WHERE v.scope = m.scope AND v.model = %s AND v.ord = m.ord)
FROM memory m WHERE m.scope = %s AND m.id = ANY(%s)
"""
_PUT_VECTORS = """
INSERT INTO vector (scope, model, ord, tenant, v)
SELECT %s, %s, c.ord, %s, c.v FROM unnest(%s::bigint[], %s::bytea[]) c (ord, v)
ON CONFLICT (scope, model, ord) DO UPDATE SET v = excluded.v
"""
_PUT_LACKING = """
INSERT INTO lacking (scope, model, tenant, n) SELECT id, %s, tenant, memories - %s FROM scope WHERE id = %s
ON CONFLICT (scope, model) DO UPDATE SET n = lacking.n - %s
"""
_REINDEX = """
UPDATE memory m SET length = c.length, words = c.words, terms = c.terms
FROM unnest(%s::bytea[], %s::integer[], %s::bigint[], %s::bytea[]) c (id, length, words, terms)
WHERE m.scope = %s AND m.id = c.id
"""
_KINDS = {kind.value: kind for kind in RelationKind}


class PostgresStore:
    """A tenant's memories in a PostgreSQL database (``ports.Store``).

    ``source``: where the keys of an encrypted tenant come from.

    Raises:
        StoreMissing: the server does not answer, or there is no such tenant.
        StoreTooNew, StoreError: the schema is newer, older or missing; the key is missing or wrong; a pooler hands on
            connections between transactions; or psycopg is not installed.
    """

    def __init__(self, url: str, *, tenant: str = "default", source: keys.KeySource | None = None) -> None:
        self.tenant, self.link = schema.opened(url, tenant)
        try:
            self.keys = keys.unlocked(self.link, self.tenant, source)
        except BaseException:
            self.link.close()
            raise
        self._living = keys.LIVING if self.keys.master else ""
        self.numbers: dict[Scope, int] = {}
        self.last_session: dict[int, str] = {}
        self._models: dict[str, int] = {}
        self._corpora = Corpora(self)
        self._marks: dict[int, tuple[int, ...]] = {}
        self._lock = RLock()
        self._looks = Looks(self.link, self.tenant, self._corpora)

    @property
    def key(self) -> Key | None:
        """The master key; copies of the store are encrypted with it. None where nothing is encrypted."""
        return self.keys.key

    def box(self, scope: Scope) -> Box:
        """Return what seals the scope's words. Raises NotFound if its key is missing or destroyed."""
        return self.keys.box(scope)

    def shred(self, scope: Scope, at: datetime) -> list[str]:
        """Destroy the key of an encrypted scope, and delete its rows; return the ids of its memories.

        Raises:
            NotFound: nothing was ever said there, or its key was destroyed before.
            StoreError: the tenant is not encrypted, so there is no key to destroy.
        """
        self._looks.drop()
        if self.keys.master is None:
            raise StoreError("This tenant is not encrypted: there is no key to destroy.", "Erase its memories instead.")
        self.keys.forget(scope)
        self.box(scope)
        with self._changing() as ask:
            gone = keys.shred(ask, self.tenant, scope, at)
        self.keys.forget(scope)
        self.numbers.pop(scope, None)
        self._corpora.forget(scope)
        return gone

    def rewrap(self, key: Key) -> int:
        """Wrap the keys of all scopes with another master key; return how many. No other row is touched."""
        if self.keys.master is None:
            raise StoreError("This tenant is not encrypted: it has no master key.", "Name an encrypted tenant.")
        new = keys.Master(self.tenant, key, self.keys.master.random)
        with self._changing() as ask:
            count = keys.rewrap(ask, self.tenant, self.keys.master, new)
        self.keys.master = new
        return count

    def model_number(self, model: ModelInfo) -> int:
        """Return the number of a model, adding it if need be; that is kept whatever becomes of a transaction."""
        known = self._models.get(model.key)
        if known is None:
            sql = """INSERT INTO model (tenant, key, name, revision, dims) VALUES (%s, %s, %s, %s, %s)
                ON CONFLICT (tenant, key) DO UPDATE SET dims = excluded.dims RETURNING id"""
            values = (self.tenant, raw(model.key), raw(model.name), raw(model.revision), model.dims)
            connection = self.link.take()
            try:
                known = self._models[model.key] = self.link.trip(connection, [(sql, values)])[0][0][0]
            finally:
                self.link.give(connection)
        return known

    def begin(self, scope: Scope, *, durable: bool) -> PostgresTransaction:
        """Open a write transaction in a scope; ``durable``: it is on the server's disk before it returns."""
        return PostgresTransaction(self, scope, durable, assumed=self._looks.begin(scope))

    def ahead(self, scope: Scope, model: ModelInfo | None, do: Callable[[], T], writes: bool) -> T:
        """Run a call that names one scope, and answer what it asks before its first write in few round trips."""
        return self._looks.ahead(scope, model, do, writes)

    def look_again(self) -> None:
        """Drop what this thread's call saw of its scope."""
        self._looks.drop()

    def saw(self, scope: Scope, own: list[Row]) -> None:
        """Keep a scope's records as they are now."""
        self._looks.saw(scope, own)

    def append(self, draft: Draft, durable: bool) -> Event:
        """Write one event in a transaction of its own, in one round trip if nobody wrote in the scope meanwhile."""
        head = self._looks.head(draft.scope) if draft.action is Action.RECALL else None
        self._looks.drop()
        if head is not None:
            try:
                with PostgresTransaction(self, draft.scope, durable, head=head) as tx:
                    return tx.append(draft)
            except Overtaken:
                pass
        with self.begin(draft.scope, durable=durable) as tx:
            return tx.append(draft)

    def corpus(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, up to date with what any process has written."""
        self.link.require_open()
        seen = self._looks.state(scope, model)
        return self._corpora.view(scope, model, seen)

    def limit_corpora(self, most_mb: int) -> None:
        """Keep at most about so many megabytes of columns and vectors in memory; the scopes longest unused go first."""
        self._corpora.limit(most_mb)

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory by id; None if there is none."""
        return next(iter(self.named(scope, (memory_id,))), None)

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids, in the order of the ids; unknown ids are left out."""
        number = self._number(scope)
        if number is None:
            return []
        found = self.link.rows(*rows.by_id(number, [raw(name) for name in dict.fromkeys(memory_ids)]))
        held = {memory.id: memory for memory in (rows.memory(self.box(scope), scope, row) for row in found)}
        return [held[name] for name in memory_ids if name in held]

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes whose formed memories are all superseded (at least one was formed)."""
        number = self._number(scope)
        if number is None or not episode_ids:
            return set()
        return {string(row[0]) for row in self.link.rows(_OUTLIVED, (number, [raw(name) for name in episode_ids]))}

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, in order of writing."""
        return self._memories(scope, "m.kind <> 'episode' ORDER BY m.ord")

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` accesses, in order of writing."""
        among = "m.ord IN (SELECT ord FROM access WHERE scope = m.scope AND n >= %s) AND m.kind <> 'episode'"
        return self._memories(scope, f"{among} ORDER BY m.ord", least)

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source, in order of writing."""
        among = "m.ord IN (SELECT s.ord FROM source s WHERE s.scope = m.scope AND s.episode = %s) ORDER BY m.ord"
        return self._memories(scope, among, raw(episode_id))

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that affected a memory, in order."""
        number = self._number(scope)
        if number is None:
            return []
        return maintenance.history(self.link, self.box(scope), scope, number, memory_id)

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Map each episode's id to the message id that its host gave it; episodes without one are left out."""
        number = self._number(scope)
        found = {}
        for (stored,) in [] if number is None else self.link.rows(_MESSAGE_IDS, (number,)):
            episode = codec.load(self.box(scope).open(stored))["episode"]
            found[episode["id"]] = episode["message_id"]
        return found

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the relations of the scope, or only those with one of these memories at an end."""
        found = self._pairs(scope, _RELATION, memory_ids)
        made = [Relation(string(a), string(b), _KINDS[kind], sure, from_micros(at)) for a, b, kind, sure, at in found]
        return sorted(made, key=lambda relation: (relation.source, relation.target, relation.kind))

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return the pairs of formed memories that were recalled together, all or those with one of these memories."""
        found = self._pairs(scope, _COMPANION, memory_ids)
        made = [
            Companions(min(names), max(names), n, from_micros(since), from_micros(last))
            for names, n, since, last in (((string(a), string(b)), *rest) for a, b, *rest in found)
        ]
        return sorted(made, key=lambda pair: (pair.first, pair.second))

    def records(self, sort: str, *, scope: Scope | None = None, about: str | None = None) -> list[Record]:
        """Return the records of a sort, by scope and name: those of one scope, those about one name, or all."""
        known = self._looks.records(scope, about)
        if known is None:
            return self.kept(sort, scope, about)
        return [record for record in self._read_records(known) if record.sort == sort] if known else []

    def kept(self, sort: str | None, scope: Scope | None, about: str | None) -> list[Record]:
        """Return records as ``records``; of every sort if that is None."""
        number = None if scope is None else self._number(scope)
        if scope is not None and number is None:
            return []
        wanted: dict[str, object] = {"r.scope": number}
        wanted |= {"r.sort": None if sort is None else raw(sort), "r.about": None if about is None else raw(about)}
        given = {column: value for column, value in wanted.items() if value is not None}
        sql = " AND ".join([rows.RECORD, *(f"{column} = %s" for column in given)])
        return self._read_records(self.link.rows(sql, (self.tenant, *given.values())))

    def _read_records(self, stored: Sequence[Row]) -> list[Record]:
        found = []
        for *names, own, name, whom, body in stored:
            where = Scope(*names)
            try:
                box = self.box(where)
            except NotFound:  # its key is missing, which harms no other scope
                continue
            found.append(Record(where, string(own), string(box.open(name)), string(whom), string(box.open(body))))
        return sorted(found, key=by_name)

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories by time said, then sequence number, then order of writing; ``end`` is exclusive."""
        number = self._number(scope)
        if number is None:
            return
        after = (-(2**63) if start is None else to_micros(start) - 1, 2**63 - 1, 2**63 - 1)
        until = 2**63 - 1 if end is None else to_micros(end)
        name = None if session is None else self.box(scope).key(raw(session))
        only, values = ("", ()) if name is None else ("AND m.session = %s", (name,))
        left = limit
        while left is None or left > 0:
            size = PAGE if left is None else min(left, PAGE)
            found = self.link.rows(_TIMELINE.format(only), (number, *after, until, *values, size))
            yield from (rows.memory(self.box(scope), scope, row) for row in found)
            if len(found) < size:
                return
            after = (found[-1][4], found[-1][7], found[-1][0])
            left = None if left is None else left - size

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last ``limit`` messages of a session, oldest first; only those valid at ``holding`` if given."""
        number = self._number(scope)
        if number is None:
            return []
        since = -(2**63) if holding is None else to_micros(holding)
        values = (number, self.box(scope).key(raw(session)), since, None if limit is None else min(limit, 2**62))
        found = self.link.rows(_LATEST, values)
        return [rows.memory(self.box(scope), scope, row) for row in reversed(found)]

    def scopes(self) -> list[Scope]:
        """Return every scope that was ever written to, sorted."""
        sql = f"SELECT agent, usr, project FROM scope s WHERE tenant = %s {self._living}"
        found = self.link.rows(sql, (self.tenant,))
        return sorted(Scope(*row) for row in found)

    def stats(self, scope: Scope) -> Stats:
        """Count the memories, sessions, speakers and events of a scope; with the bytes of its rows."""
        return maintenance.stats(self, scope)

    def health(self, scope: Scope, now: datetime) -> Health:
        """Count a scope's memories by kind, tier and state, its junk and growth a day; with the bytes of its rows."""
        number = self._number(scope) or 0
        with self.link.snapshot():
            found = self.link.rows(f"{rows.MEMORY} WHERE m.scope = %s ORDER BY m.ord", (number,))
            sql = """SELECT m.ord, e.note FROM memory m JOIN event e ON e.scope = m.scope AND e.seq = m.event
                WHERE m.scope = %s AND e.scope = %s"""
            notes: dict[int, int] = dict(self.link.rows(sql, (number, number)))
            size = maintenance.bytes_of(self.link, number)
            events = self.head(scope)[0]
        box = self.box(scope)
        records = [(rows.memory(box, scope, row), rows.why_of(notes.get(row[0], 0))) for row in found]
        return replace(health(scope, records, now, events), disk_bytes=size)

    def events(self, scope: Scope, *, after: int = 0, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of a scope's journal after number ``after``, in order."""
        number = self._number(scope)
        only = None if actions is None else sorted(action.value for action in actions)
        after = min(max(after, 0), 2**63 - 1)
        while number is not None:
            page = maintenance.page(self.link, number, after, only)
            yield from (rows.event(self.box(scope), scope, row)[0] for row in page)
            if len(page) < maintenance.PAGE:
                return
            after = page[-1][0]

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope."""
        sql = "SELECT seq, head FROM scope WHERE tenant = %s AND agent = %s AND usr = %s AND project = %s"
        row = self.link.row(sql, (self.tenant, scope.agent, scope.user, scope.project))
        return (0, codec.NO_HASH) if row is None else (row[0], row[1].hex())

    def heads(self) -> dict[Scope, tuple[int, str]]:
        """Return the head of every scope's journal, scopes in order."""
        sql = f"SELECT agent, usr, project, seq, head FROM scope s WHERE tenant = %s AND seq > 0 {self._living}"
        found = {Scope(*row[:3]): (row[3], row[4].hex()) for row in self.link.rows(sql, (self.tenant,))}
        return dict(sorted(found.items()))

    def mark(self) -> int:
        """Return how many events were written, in all scopes of the tenant."""
        did = self._did()
        mark = sum(did)
        with self._lock:
            if len(self._marks) >= _MARKS_KEPT:
                self._marks.clear()
            self._marks[mark] = did
        return mark

    def happened(self, after: int, actions: Collection[Action]) -> bool:
        """Whether an event of one of these kinds was written after the mark; yes if that mark is long forgotten."""
        before = (0,) * len(ACTIONS) if after == 0 else self._marks.get(after)
        now = self._did()
        if before is None:
            return sum(now) != after
        return any(now[at] != before[at] for at, action in enumerate(ACTIONS) if action in actions)

    def _did(self) -> tuple[int, ...]:
        return tuple(self.link.rows(_DID, (self.tenant,))[0])

    def unindexed(self, model: ModelInfo, limit: int, scope: Scope | None = None) -> list[Memory]:
        """Return up to ``limit`` memories without a vector of this model: oldest scope first, then oldest memory."""
        model_number = self._known_model(model)
        found: list[Memory] = []
        if scope is None:
            living = _LACKING.format(self._living)
            lacking = [(row[0], Scope(*row[1:])) for row in self.link.rows(living, (model_number, self.tenant))]
        else:
            lacking = [(self._number(scope) or 0, scope)]
        for number, one in lacking:
            if len(found) >= limit:
                break
            page = self.link.rows(_WITHOUT, (number, model_number, limit - len(found)))
            found += [rows.memory(self.box(one), one, row) for row in page]
        return found

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""
        sql = f"""SELECT coalesce(sum(coalesce(l.n, s.memories)), 0)::bigint FROM scope s
            LEFT JOIN lacking l ON l.scope = s.id AND l.model = %s
            WHERE s.tenant = %s AND (%s OR s.id = %s) {self._living}"""
        number = None if scope is None else self._number(scope) or 0
        return int(self.link.rows(sql, (self._known_model(model), self.tenant, number is None, number or 0))[0][0])

    def _known_model(self, model: ModelInfo) -> int:
        """Return the number of a model; 0 if no vector of it was ever stored."""
        known = self._models.get(model.key)
        if known is None:
            row = self.link.row("SELECT id FROM model WHERE tenant = %s AND key = %s", (self.tenant, raw(model.key)))
            known = 0 if row is None else int(row[0])
        return known

    def put_vectors(self, model: ModelInfo, given: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of memories that are already written; a memory erased meanwhile is skipped."""
        self.link.require_open()
        packed: dict[Scope, dict[bytes, bytes]] = {}
        for scope, memory_id, vector in given:
            data = pack(vector, model).astype("<f2", copy=False).tobytes()
            packed.setdefault(scope, {})[raw(memory_id)] = self.box(scope).seal(data)
        numbered = {number: scope for scope in packed if (number := self._number(scope)) is not None}
        model_number = self.model_number(model)
        with self._changing() as ask:
            ask((_LOCK_SCOPES, (self.tenant, sorted(numbered))))
            for number in sorted(numbered):
                held = packed[numbered[number]]
                found = ask((_HELD, (model_number, number, list(held))))[0]
                values = (number, model_number, self.tenant, [row[1] for row in found], [held[row[0]] for row in found])
                fresh = sum(not row[2] for row in found)
                replaced = len(found) - fresh
                if found:
                    ask(
                        (_PUT_VECTORS, values),
                        (_PUT_LACKING, (model_number, fresh, number, fresh)),
                        # Nothing else shows a replaced vector to a process that has loaded the old one.
                        ("UPDATE scope SET stamp = stamp + %s WHERE id = %s", (int(replaced > 0), number)),
                    )

    def outdated(self, keep: ModelInfo) -> list[Scope]:
        """Return the scopes that have, or had, vectors of other models than ``keep`` and its second one."""
        kept = [raw(one.key) for one in keep.each]
        return sorted(Scope(*names) for names in self.link.rows(_OUTDATED, (self.tenant, kept)))

    def drop_vectors(self, scope: Scope, *, keep: ModelInfo) -> int:
        """Delete a scope's vectors of all models except ``keep`` and its second; return how many were deleted."""
        number = self._number(scope) or 0
        with self._changing() as ask:
            gone = ask(("SELECT id, key FROM model WHERE tenant = %s", (self.tenant,)))[0]
            kept = {raw(one.key) for one in keep.each}
            models = [row[0] for row in gone if row[1] not in kept]
            stamped = """UPDATE scope SET stamp = stamp + 1 WHERE id = %s
                AND EXISTS (SELECT 1 FROM lacking WHERE scope = %s AND model = ANY(%s))"""
            dropped = "WITH gone AS (DELETE FROM vector WHERE scope = %s AND model = ANY(%s) RETURNING 1)"
            found = ask(
                (stamped, (number, number, models)),
                (f"{dropped} SELECT count(*) FROM gone", (number, models)),
                ("DELETE FROM lacking WHERE scope = %s AND model = ANY(%s)", (number, models)),
            )
        return int(found[1][0][0])

    def analyzer(self, scope: Scope | None = None) -> str:
        """Return the version of the analyzer that made the indexed terms, of a scope or of all; "" in a new store."""
        names = ["analyzer"] if scope is None else ["analyzer", f"analyzer:{self._number(scope)}"]
        sql = "SELECT value FROM setting WHERE tenant = %s AND name = ANY(%s) ORDER BY length(name) DESC LIMIT 1"
        row = self.link.row(sql, (self.tenant, names))
        return "" if row is None else str(row[0])

    def reindex(self, scope: Scope, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
        """Replace the index terms of a scope's memories, in one transaction, and record the analyzer's version."""
        number = self._number(scope)
        if number is None:
            return
        with self._changing() as ask:
            ask(
                ("SELECT 1 FROM scope WHERE id = %s FOR UPDATE", (number,)),
                ("UPDATE memory SET length = 0, words = 0, terms = '' WHERE scope = %s", (number,)),
            )
            rest, box = iter(entries), self.box(scope)
            while batch := list(islice(rest, PAGE)):
                made = [(raw(name), len(e.terms), e.words, rows.line(box, e.terms)) for name, e in batch]
                ask((_REINDEX, (*map(list, zip(*made, strict=True)), number)))
            stamped = ("UPDATE scope SET stamp = stamp + 1 WHERE id = %s", (number,))
            ask(stamped, (_SET, (self.tenant, f"analyzer:{number}", analyzer)))

    def reindexed(self, analyzer: str) -> None:
        """Record that the terms of all scopes, and of those to come, are of this version of the analyzer."""
        self.link.require_open()
        with self._changing() as ask:
            gone = "DELETE FROM setting WHERE tenant = %s AND name LIKE 'analyzer:%%'"
            ask((gone, (self.tenant,)), (_SET, (self.tenant, "analyzer", analyzer)))

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the store's seals, ascending."""
        sql = "SELECT substr(name, 6)::bigint, value FROM setting WHERE tenant = %s AND name LIKE 'seal:%%' ORDER BY 1"
        yield from self.link.rows(sql, (self.tenant,))

    def seal(self, number: int, text: str) -> None:
        """Keep a seal. Raises Conflict if there is one of this number."""
        self.link.require_open()
        sql = "INSERT INTO setting VALUES (%s, %s, %s) ON CONFLICT DO NOTHING RETURNING 1"
        with self._changing() as ask:
            if not ask((sql, (self.tenant, f"seal:{number}", text)))[0]:
                raise sealed_already(number)

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Look for damage in the journals' chains, the memories and the vectors; return the faults."""
        with self.link.snapshot():
            return maintenance.check(self, replay=replay)

    def advice(self) -> list[Fault]:
        """Report what would prevent a write though nothing is damaged."""
        return []

    def digest(self, scope: Scope | None = None) -> str:
        """Return the SHA-256 of journal, episodes and memories, without vectors and terms; of a scope or of all."""
        with self.link.snapshot():
            return maintenance.digest_of(self, scope)

    @contextmanager
    def alone(self, scope: Scope) -> Iterator[None]:
        """Hold a scope's lock (an advisory one of a session) in a ``with`` block; others get Conflict at once."""
        named = f"{self.tenant}\x00{scope.canonical}".encode()
        key = int.from_bytes(blake2b(named, digest_size=8).digest(), "big", signed=True)
        connection = self.link.take()
        try:
            if not self.link.trip(connection, [("SELECT pg_try_advisory_lock(%s)", (key,))])[0][0][0]:
                raise taken()
            try:
                yield
            finally:
                self.link.trip(connection, [("SELECT pg_advisory_unlock(%s)", (key,))])
        finally:
            self.link.give(connection)

    def queue(self) -> PostgresJobs:
        """Return the tenant's jobs, which lie in the same database."""
        from reverie.stores.postgres.jobs import PostgresJobs

        return PostgresJobs(self.link, self.tenant, self.box)

    def merge_index(self) -> None:
        """Do nothing: terms are looked up in memory."""
        self.link.require_open()

    def compact(self) -> int:
        """Do nothing and return 0: the server frees room by itself."""
        self.link.require_open()
        return 0

    def backup(self, path: Path) -> None:
        """Write everything into a new SQLite file, as of one moment; raises Conflict if ``path`` exists."""
        with self.link.snapshot():
            maintenance.back_up(self, path)

    def close(self) -> None:
        """Close every connection; later calls raise StoreClosed."""
        self.link.close()

    def _memories(self, scope: Scope, among: str, *values: object) -> list[Memory]:
        number = self._number(scope)
        if number is None:
            return []
        found = self.link.rows(f"{rows.MEMORY} WHERE m.scope = %s AND {among}", (number, *values))
        return [rows.memory(self.box(scope), scope, row) for row in found]

    def in_order(self, scope: Scope) -> list[Memory]:
        """Return the memories of a scope in order of writing."""
        return self._memories(scope, "true ORDER BY m.ord")

    def _pairs(self, scope: Scope, query: str, memory_ids: Sequence[str] | None) -> list[Row]:
        number = self._number(scope)
        if number is None:
            return []
        if memory_ids is None:
            return self.link.rows(query, (number,))
        names = [raw(name) for name in memory_ids]
        return self.link.rows(f"{query} AND (x.id = ANY(%s) OR y.id = ANY(%s))", (number, names, names))

    def number_of(self, scope: Scope) -> int | None:
        """Return the row number of a scope; None if nothing was written to it."""
        return self._number(scope)

    def _number(self, scope: Scope) -> int | None:
        self.link.require_open()
        known = self.numbers.get(scope)
        if known is None:
            sql = "SELECT id, key FROM scope WHERE tenant = %s AND agent = %s AND usr = %s AND project = %s"
            row = self.link.row(sql, (self.tenant, scope.agent, scope.user, scope.project))
            known = None if row is None else int(row[0])
            if row is not None:
                self.keys.meet(scope, row[1])
            if known is not None and self.link.held is None:  # what a transaction added may be taken back
                self.numbers[scope] = known
        return known

    def ended(self, scope: Scope, done: bool) -> None:
        """Take note of the end of a transaction in a scope; ``done``: it was committed."""
        if not done:
            self._corpora.forget(scope)
            self.keys.forget(scope)  # may be that of a scope which was taken back

    @contextmanager
    def _changing(self) -> Iterator[Callable[..., list[list[Row]]]]:
        """Give a function that runs statements in a transaction over several scopes."""
        if self.link.held is not None:
            raise StoreBusy("This thread is writing already.", "End the first transaction before the next.")
        connection = self.link.take()

        def ask(*statements: Statement) -> list[list[Row]]:
            return self.link.trip(connection, statements)

        def ready() -> Connection[Row]:
            return connection

        try:
            ask(("BEGIN", ()))
            self.link.hold(ready)
            yield ask
            self.link.trip(connection, [("COMMIT", ())], commits=True)
        except BaseException:
            self._corpora.forget()
            raise
        finally:
            self.link.hold(None)
            self.link.rollback(connection)
            self.link.give(connection)
