"""A write transaction in one scope: statements are collected and sent together, the commit in the last round trip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from reverie.errors import Conflict, StoreBusy, StoreClosed, StoreMissing
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    Erased,
    Event,
    Forgotten,
    Formed,
    Payload,
    Reach,
    Recalled,
    Recorded,
    Related,
    Remembered,
    changed,
)
from reverie.stores import codec
from reverie.stores.codec import to_micros
from reverie.stores.drafts import entries_for, require_scope, require_storable, taken, touched
from reverie.stores.erasure import CONTENT, EventReader, reach
from reverie.stores.postgres import rows
from reverie.stores.postgres.connection import Link, Row, Statement
from reverie.stores.postgres.keys import Keys
from reverie.stores.postgres.looks import Overtaken
from reverie.stores.postgres.rows import Box, Head, raw, string
from reverie.types import Episode, IndexEntry, Kind, Memory, ModelInfo, Scope

if TYPE_CHECKING:
    from psycopg import Connection

ACTIONS = ("remember", "recall", "form", "change", "relate", "dream", "forget", "erase", "record")
"""The places of ``scope.did``, which the tables keep: new ones are added at the end."""
_SOON = 48
"""Statements that are collected before they are sent, so that the server writes some while the next are made."""
_MOST = 1_000
"""Statements of which the server's answers are outstanding."""
_TRIES = 3
_RELOAD = frozenset({"text", "kind", "at", "valid_from"})
"""Changes of these fields make a corpus in memory be loaded anew."""

_WHERE = "tenant = %s AND agent = %s AND usr = %s AND project = %s"
_LOCK = f"SELECT id, seq, head, top, memories, key FROM scope WHERE {_WHERE} FOR NO KEY UPDATE"
_MODELS = f"SELECT model FROM lacking WHERE scope = (SELECT id FROM scope WHERE {_WHERE})"
# A NULL head is refused: the scope's key was destroyed after the caller had looked at it.
_BUMP = f"""
UPDATE scope SET seq = %s, head = CASE WHEN length(key) = 9 THEN NULL ELSE %s END,
  version = greatest(version, %s), stamp = stamp + %s, top = %s, memories = %s,
  did = ARRAY[{", ".join(f"did[{i + 1}] + %s" for i in range(len(ACTIONS)))}] WHERE id = %s
"""
_ADD_EVENT = f"INSERT INTO event VALUES ({', '.join(['%s'] * 16)})"
_PLACE = "SELECT max(place) FROM event WHERE scope = %s AND session = %s"
_TAKEN = """
SELECT message_id FROM event WHERE scope = %s AND message_id = ANY(%s)
UNION ALL SELECT id FROM memory WHERE scope = %s AND id = ANY(%s)
"""
_PLACES = "SELECT session, max(place) FROM event WHERE scope = %s AND session = ANY(%s) GROUP BY session"
_FIND = """
(SELECT seq, payload FROM event WHERE scope = %s AND message_id = %s)
UNION ALL
(SELECT seq, payload FROM event WHERE scope = %s AND action = 'remember' AND payload IS NOT NULL
  AND seq = (SELECT event FROM memory WHERE scope = %s AND id = %s))
"""
_ADD_VECTOR = "INSERT INTO vector (scope, model, ord, tenant, v) VALUES (%s, %s, %s, %s, %s)"
_LACK = "UPDATE lacking SET n = n + %s WHERE scope = %s AND model = %s"
_ADD_LACK = "INSERT INTO lacking (scope, model, tenant, n) VALUES (%s, %s, %s, %s)"
_UNLACK = """
UPDATE lacking l SET n = n + %s + (SELECT count(*) FROM vector v
  WHERE v.scope = %s AND v.model = l.model AND v.ord = ANY(%s)) WHERE l.scope = %s
"""
_ADD_SOURCE = "INSERT INTO source (scope, episode, ord, tenant) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
_SET_ACCESS = """
INSERT INTO access (scope, ord, tenant, n, last) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (scope, ord) DO UPDATE SET n = excluded.n, last = excluded.last
"""
_ACCESSED = """
INSERT INTO access (scope, ord, tenant, n, last)
SELECT m.scope, m.ord, m.tenant, c.n, %s FROM unnest(%s::bytea[], %s::bigint[]) c (id, n),
  LATERAL (SELECT scope, ord, tenant FROM memory WHERE scope = %s AND id = c.id OFFSET 0) m
ON CONFLICT (scope, ord) DO UPDATE SET n = access.n + excluded.n, last = excluded.last
"""
_MET = """
INSERT INTO companion (scope, first, second, tenant, n, since, last)
SELECT a.scope, a.ord, b.ord, a.tenant, 1, %s, %s FROM memory a JOIN memory b ON a.scope = b.scope AND a.id < b.id
WHERE a.scope = %s AND b.scope = %s AND a.id = ANY(%s) AND b.id = ANY(%s)
  AND a.kind <> 'episode' AND b.kind <> 'episode'
ON CONFLICT (scope, first, second) DO UPDATE SET n = companion.n + 1, last = excluded.last
"""
_UNRELATE = """
DELETE FROM relation WHERE scope = %s AND kind = %s AND source = (SELECT ord FROM memory WHERE scope = %s AND id = %s)
  AND target = (SELECT ord FROM memory WHERE scope = %s AND id = %s)
"""
_RELATE = """
INSERT INTO relation (scope, source, target, kind, tenant, confidence, at)
SELECT a.scope, a.ord, b.ord, %s, a.tenant, %s, %s FROM memory a, memory b
WHERE a.scope = %s AND a.id = %s AND b.scope = %s AND b.id = %s
ON CONFLICT (scope, source, target, kind) DO UPDATE SET confidence = excluded.confidence, at = excluded.at
"""
_TOUCH = """
INSERT INTO touch (scope, ord, event, tenant)
SELECT scope, ord, %s, tenant FROM memory WHERE scope = %s AND id = ANY(%s)
ON CONFLICT DO NOTHING
"""
_KEEP_RECORD = """
INSERT INTO record (scope, sort, name, tenant, about, body, event) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (scope, sort, name) DO UPDATE SET about = excluded.about, body = excluded.body, event = excluded.event
"""
_LATER = f"{rows.EVENT} WHERE scope = %s AND action IN ('form', 'change', 'forget', 'relate') AND payload IS NOT NULL"
_WRITTEN = """
SELECT m.event, m.id FROM memory m WHERE m.scope = %s AND m.event IN (
  SELECT event FROM memory WHERE scope = %s AND id = ANY(%s) UNION
  SELECT k.event FROM source s JOIN memory k ON k.scope = s.scope AND k.ord = s.ord
    WHERE s.scope = %s AND s.episode = ANY(%s))
"""
_NAMED = "SELECT seq FROM event WHERE scope = %s AND seq = ANY(%s) AND seq < %s"


class Means(Protocol):
    """What a transaction needs of its store."""

    link: Link
    tenant: int
    keys: Keys
    numbers: dict[Scope, int]
    last_session: dict[int, str]

    def model_number(self, model: ModelInfo) -> int:
        """Return the number of a model, adding it if need be."""
        ...

    def box(self, scope: Scope) -> Box:
        """Return what seals the scope's words."""
        ...

    def saw(self, scope: Scope, own: list[Row]) -> None:
        """Keep a scope's records as they are now."""
        ...

    def ended(self, scope: Scope, done: bool) -> None:
        """Take note of the end of a transaction in a scope; ``done``: it was committed."""
        ...


class PostgresTransaction:
    """A write transaction for ``with`` (``ports.Transaction``).

    ``assumed``: rows of the scope's records on which the caller relies; ``head``: the scope's last event and counts
    (``rows.head_in``), for a transaction that adds no memories. If the scope has others, ``Overtaken`` is raised.
    """

    def __init__(
        self, means: Means, scope: Scope, durable: bool, *, assumed: list[Row] | None = None, head: Row | None = None
    ) -> None:
        self._means = means
        self._link = means.link
        self._scope = scope
        self._durable = durable
        self._assumed = assumed
        self._guessed = head is not None
        self._connection: Connection[Row] | None = None
        self._head: Head | None = None
        self._begun = self._open = False
        self._failed: BaseException | None = None
        self._pending: list[Statement] = []
        self._unanswered = 0
        self._places: dict[str, int] = {}
        self._absent: set[str] = set()
        if head is not None:
            number, seq, own, top, memories = head
            self._head = Head(number, seq, own.hex(), top, memories, set())
            self._pending, self._begun = self._opening, True

    def __enter__(self) -> PostgresTransaction:
        if self._link.held is not None:
            raise StoreBusy("This thread is writing already.", "End the first transaction before the next.")
        self._connection = self._link.take()
        self._link.hold(self.ready)
        self._open = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._open = False
        done = False
        try:
            if kind is None and self._failed is not None:
                raise self._failed
            if kind is None and self._begun:
                self._send([("COMMIT", ())], commits=True)
            done = kind is None
        finally:
            self._link.hold(None)
            if self._connection is not None:
                self._link.rollback(self._connection)
                self._link.give(self._connection)
            if done and self._head is not None:
                self._means.numbers[self._scope] = self._head.number
            self._means.ended(self._scope, done)

    def ready(self) -> Connection[Row]:
        """Return the connection, with the transaction begun and everything written so far."""
        self._ask()
        assert self._connection is not None
        return self._connection

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Seal a draft as the scope's next event, apply it and return it."""
        self._require_open()
        require_scope(draft, self._scope)
        encoded = codec.encode(draft)
        head = self._writable()
        event = codec.seal(draft, encoded, head.seq + 1, head.hash)
        self._apply(event, encoded, index)
        return event

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append an event of another journal unchanged; raises StoreCorrupt if it does not continue this one."""
        self._require_open()
        require_scope(event, self._scope)
        encoded = codec.payload_bytes(event)
        head = self._locked()
        codec.require(event, encoded, (head.seq if head else 0) + 1, head.hash if head else codec.NO_HASH)
        self._writable()
        self._apply(event, encoded, index)

    def next_seq(self, scope: Scope, session: str) -> int:
        """Return the sequence number for the next message of a session."""
        self._require_open()
        if scope != self._scope:
            return self._place_elsewhere(scope, session)
        if session not in self._places:
            if (number := self._number()) is None:
                return 0
            self._means.last_session[number] = session
            if session not in self._places:
                self._places[session] = _following(self._ask((_PLACE, (number, self._key(session))))[0])
        return self._places[session]

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """Find an episode by the message id that its host gave it, or by its own id; None if there is none."""
        self._require_open()
        number = self._means.numbers.get(scope) or (self._number() if scope == self._scope else None)
        if number is None:
            return None
        if message_id in self._absent and scope == self._scope:
            return None
        box, known = self._means.box(scope), raw(message_id)
        found = self._ask((_FIND, (number, box.key(known), number, number, known)))[0]
        for _, stored in found:
            payload = codec.decode(Action.REMEMBER, scope, box.open(stored))
            assert isinstance(payload, Remembered)
            if message_id in (payload.episode.message_id, payload.episode.id):
                return payload.episode
        return None

    def expect(self, message_ids: Collection[str], sessions: Collection[str]) -> None:
        """Look up in one round trip which of these ids are taken and where these sessions end, for many messages."""
        self._require_open()
        taken_ids, ends = set[str](), dict[str, int]()
        number = self._means.numbers.get(self._scope) or self._number()  # if known, asked for as the scope is locked
        if number is not None:
            ids, names = [raw(name) for name in message_ids], {self._key(name): name for name in message_ids}
            wanted = {self._key(name): name for name in sessions}
            known = (number, list(names), number, ids)
            found, last = self._ask((_TAKEN, known), (_PLACES, (number, list(wanted))))
            taken_ids = {names[one] if one in names else string(one) for (one,) in found}
            ends = {wanted[session]: place for session, place in last}
        self._absent.update(set(message_ids) - taken_ids)
        self._places |= {name: ends.get(name, -1) + 1 for name in sessions if name not in self._places}

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that lose their content, or only their reason, when these memories are erased."""
        self._require_open()
        number = self._number() if scope == self._scope else self._means.numbers.get(scope)
        return Reach((), ()) if number is None else self._about(number, memory_ids)

    def _place_elsewhere(self, scope: Scope, session: str) -> int:
        number = self._means.numbers.get(scope)
        found = None if number is None else self._ask((_PLACE, (number, self._means.box(scope).key(raw(session)))))
        return _following(found[0]) if found else 0

    # -- the conversation with the server

    def _ask(self, *statements: Statement) -> list[list[Row]]:
        """Send what is pending and these statements in one round trip; return the rows of these."""
        if self._begun:
            if not (self._pending or self._unanswered or statements or (self._head and self._head.dirty)):
                return []
            return self._send(list(statements))
        for left in reversed(range(_TRIES)):
            try:
                return self._begin(statements)
            except StoreMissing:
                if not left:
                    raise
                lost, self._connection = self._connection, None  # given back once, even if there is no other
                assert lost is not None
                self._link.give(lost)
                self._link.refresh()
                self._connection = self._link.take()
        raise AssertionError("unreachable")

    @property
    def _opening(self) -> list[Statement]:
        """Begin, and lock the scope: always in this order, so that no two writers wait for each other."""
        names = (self._means.tenant, self._scope.agent, self._scope.user, self._scope.project)
        soon: list[Statement] = [] if self._durable else [("SET LOCAL synchronous_commit = off", ())]
        return [("BEGIN", ()), *soon, (_LOCK, names)]

    def _begin(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Begin and lock the scope in the round trip of the first statements, with what is likely to be asked next."""
        names = (self._means.tenant, self._scope.agent, self._scope.user, self._scope.project)
        begin = [*self._opening, (_MODELS, names)]
        session, place = self._likely_place()
        begin += place
        if self._assumed is not None:
            begin.append(rows.records_of(self._means.tenant, self._scope))
        assert self._connection is not None
        found = self._link.trip(self._connection, [*begin, *statements])
        self._begun = True
        at = [one for one, _ in begin].index(_LOCK)
        if found[at]:
            self._head = self._met(found[at][0], found[at + 1])
        if place:
            self._places.setdefault(session, _following(found[at + 2]))
        self._require_assumed(found[len(begin) - 1])
        return found[len(begin) :]

    def _require_assumed(self, own: list[Row]) -> None:
        if self._assumed is not None and own != self._assumed:
            self._means.saw(self._scope, own)
            raise Overtaken

    def _likely_place(self) -> tuple[str, list[Statement]]:
        """Return the session last written in this scope, and what asks for its next place; nothing if none is known."""
        known = self._means.numbers.get(self._scope, 0)
        session = self._means.last_session.get(known)
        box = self._means.keys.known(self._scope)  # not asked for: that would begin again
        if session is None or box is None:
            return "", []
        return session, [(_PLACE, (known, box.key(raw(session))))]

    def _send(self, statements: list[Statement], *, commits: bool = False) -> list[list[Row]]:
        pending, self._pending = self._pending, []
        if self._head is not None and self._head.dirty:
            pending.append(self._bump(self._head))
        written, self._unanswered = self._unanswered + len(pending), 0
        assert self._connection is not None
        try:
            found = self._link.trip(self._connection, [*pending, *statements], commits=commits)
        except BaseException as error:
            self._failed = error
            if self._guessed and isinstance(error, Conflict):  # there is an event of this number
                raise Overtaken from error
            raise
        return found[written:]

    def _send_on(self) -> None:
        """Send what is pending without waiting for its answers, which the next round trip brings."""
        pending, self._pending = self._pending, []
        self._unanswered += len(pending)
        assert self._connection is not None
        self._link.send(self._connection, pending)

    def _bump(self, head: Head) -> Statement:
        did = [head.did[action] for action in ACTIONS]
        values = (head.seq, bytes.fromhex(head.hash), head.version, head.stamp, head.top, head.memories, *did)
        head.written()
        return _BUMP, (*values, head.number)

    def _locked(self) -> Head | None:
        if not self._begun:
            self._ask()
        return self._head

    def _number(self) -> int | None:
        head = self._locked()
        return None if head is None else head.number

    def _writable(self) -> Head:
        """Return the locked row of the scope, adding it if nothing was written there yet."""
        head = self._locked()
        if head is not None:
            return head
        names = (self._means.tenant, self._scope.agent, self._scope.user, self._scope.project)
        new = self._means.keys.new_scope(self._scope)
        _, found, models = self._ask(new, (_LOCK, names), (_MODELS, names))
        if not found:
            raise self._means.keys.outdated()
        head = self._head = self._met(found[0], models)
        return head

    def _met(self, row: Row, models: list[Row]) -> Head:
        """Return what is known of the scope by its locked row. Raises NotFound if its key is missing or destroyed."""
        number, seq, own, top, memories, key = row
        self._means.keys.meet(self._scope, key)
        return Head(number, seq, own.hex(), top, memories, {model for (model,) in models})

    def _key(self, name: str) -> bytes:
        return self._means.box(self._scope).key(raw(name))

    def _require_open(self) -> None:
        if not self._open:
            raise StoreClosed("This transaction has ended.", "Begin a new one.")
        if self._failed is not None:
            raise self._failed

    # -- events

    def _apply(self, event: Event, encoded: bytes | None, index: Sequence[IndexEntry]) -> None:
        try:
            require_storable(event.payload)
            self._write(event, encoded, entries_for(event.payload, index))
            if self._unanswered + len(self._pending) > _MOST:
                self._ask()
            elif len(self._pending) > _SOON:
                self._send_on()
        except BaseException as error:
            self._failed = error  # half of it may be written, so the transaction can only be rolled back
            raise

    def _write(self, event: Event, encoded: bytes | None, index: Sequence[IndexEntry]) -> None:
        head = self._head
        assert head is not None
        self._journal(head, event, encoded)
        head.seq, head.hash = event.seq, event.hash
        head.did[event.action.value] += 1
        if event.action is not Action.RECALL:
            head.version = event.seq
        self._apply_payload(head, event, event.payload, index)
        if isinstance(event.payload, Changed | Related | Forgotten) and (ids := touched(event.payload)):
            self._queue(_TOUCH, event.seq, head.number, [raw(name) for name in ids])

    def _apply_payload(self, head: Head, event: Event, payload: Payload | None, index: Sequence[IndexEntry]) -> None:
        match payload:
            case Remembered():
                self._remember(head, event.seq, payload, index)
            case Formed():
                self._remove([memory.id for memory in payload.removed])
                self._add(head, event.seq, payload.added, index)
            case Recalled():
                for at, memories in payload.each(event.at):
                    self._recall(head.number, to_micros(at), memories)
                self._change(head, payload.changes, ())
            case Changed():
                self._change(head, payload.changes, index)
            case Related():
                self._relate(head.number, payload)
            case Forgotten() | Recorded() | Erased():
                self._rest(head, event, payload)

    def _rest(self, head: Head, event: Event, payload: Forgotten | Recorded | Erased) -> None:
        if isinstance(payload, Forgotten):
            end = None if payload.after is None else to_micros(payload.after)
            sql = "UPDATE memory SET valid_until = %s WHERE scope = %s AND id = %s"
            self._queue(sql, end, head.number, raw(payload.memory))
        elif isinstance(payload, Recorded):
            self._record(head.number, event.seq, payload)
        else:
            self._erase(head, event, payload)

    def _queue(self, sql: str, *values: object) -> None:
        self._pending.append((sql, values))

    def _journal(self, head: Head, event: Event, encoded: bytes | None) -> None:
        box = self._means.box(self._scope)
        said = event.payload.episode if isinstance(event.payload, Remembered) else None
        known = None if said is None or said.message_id is None else box.key(raw(said.message_id))
        self._queue(
            _ADD_EVENT,
            head.number,
            event.seq,
            self._means.tenant,
            to_micros(event.at),
            box.seal(raw(event.actor)),
            event.action.value,
            box.seal(raw(event.why)),
            rows.note(event.why),
            None if encoded is None else box.seal(encoded),
            None if encoded is None or event.salt is None else box.seal(event.salt),
            bytes.fromhex(event.digest),
            bytes.fromhex(event.previous),
            bytes.fromhex(event.hash),
            None if said is None else box.key(raw(said.session)),
            None if said is None else said.seq,
            known,
        )

    def _remember(self, head: Head, seq: int, payload: Remembered, index: Sequence[IndexEntry]) -> None:
        episode = payload.episode
        self._add(head, seq, payload.memories, index)
        self._absent -= {episode.id, str(episode.message_id), *(memory.id for memory in payload.memories)}
        if episode.session in self._places:
            self._places[episode.session] = max(self._places[episode.session], episode.seq + 1)

    def _add(self, head: Head, seq: int, memories: Sequence[Memory], index: Sequence[IndexEntry]) -> None:
        if not memories:
            return
        if len({memory.id for memory in memories}) < len(memories):
            raise taken("memory", memories[-1].id)
        box, scope, tenant = self._means.box(self._scope), head.number, self._means.tenant
        found = Counter[int]()
        for memory, entry in zip(memories, index, strict=True):
            head.top += 1
            self._queue(rows.ADD_MEMORY, *rows.memory_row(box, (scope, head.top, tenant, seq), memory, entry))
            if memory.accesses or memory.last_access is not None:
                self._set_access(scope, head.top, memory)
            self._keep_sources(scope, head.top, memory)
            if entry.vector is not None and entry.model is not None:
                model = self._means.model_number(entry.model)
                found[model] += 1
                self._queue(_ADD_VECTOR, scope, model, head.top, tenant, rows.vector(box, entry.vector, entry.model))
        head.memories += len(memories)
        self._lack(head, len(memories), found)

    def _lack(self, head: Head, count: int, found: Counter[int]) -> None:
        """Count, for each model with vectors in the scope, how many of the new memories have none of it."""
        for model in head.models:
            if lack := count - found[model]:
                self._queue(_LACK, lack, head.number, model)
        for model in found.keys() - head.models:
            self._queue(_ADD_LACK, head.number, model, self._means.tenant, head.memories - found[model])
            head.models.add(model)

    def _keep_sources(self, scope: int, ord_: int, memory: Memory) -> None:
        if memory.kind is not Kind.EPISODE:
            for episode in sorted(set(memory.sources)):
                self._queue(_ADD_SOURCE, scope, raw(episode), ord_, self._means.tenant)

    def _set_access(self, scope: int, ord_: int, memory: Memory) -> None:
        if memory.accesses == 0 and memory.last_access is None:
            self._queue("DELETE FROM access WHERE scope = %s AND ord = %s", scope, ord_)
        else:
            last = None if memory.last_access is None else to_micros(memory.last_access)
            self._queue(_SET_ACCESS, scope, ord_, self._means.tenant, memory.accesses, last)

    def _held(self, number: int, ids: Iterable[str]) -> dict[str, tuple[int, Memory]]:
        """Return number and content of those of these memories that exist."""
        wanted = [raw(name) for name in dict.fromkeys(ids)]
        found = self._ask(rows.by_id(number, wanted))[0]
        box = self._means.box(self._scope)
        return {string(row[1]): (row[0], rows.memory(box, self._scope, row)) for row in found}

    def _recall(self, scope: int, at: int, memories: Sequence[str]) -> None:
        counts = Counter(memories)
        if counts:
            names = [raw(name) for name in sorted(counts)]
            self._queue(_ACCESSED, at, names, [counts[name] for name in sorted(counts)], scope)
            if len(counts) > 1:
                self._queue(_MET, at, at, scope, scope, names, names)

    def _change(self, head: Head, changes: Sequence[Change], index: Sequence[IndexEntry]) -> None:
        if not changes:
            return
        held = self._held(head.number, (change.memory for change in changes))
        before = dict(held)
        entries = iter(index)
        for change in changes:
            entry = next(entries) if change.rewords else None
            if change.memory not in held:
                continue
            ord_, memory = held[change.memory]
            held[change.memory] = ord_, changed(memory, change)
            self._beside(head, held[change.memory], {one.name for one in change.fields}, entry)
        box = self._means.box(self._scope)
        for name, (ord_, memory) in held.items():
            if memory is not before[name][1]:
                self._queue(rows.SET_MEMORY, *rows.changed_row(box, head.number, ord_, memory))

    def _beside(self, head: Head, held: tuple[int, Memory], names: set[str], entry: IndexEntry | None) -> None:
        """Write what a change of these fields changes in other tables; ``entry``: the new words' index entry."""
        ord_, memory = held
        head.stamp += bool(names & _RELOAD)
        if entry is not None:
            self._reword(head, ord_, entry)
        if names & {"accesses", "last_access"}:
            self._set_access(head.number, ord_, memory)
        if names & {"sources", "kind"}:
            self._queue("DELETE FROM source WHERE scope = %s AND ord = %s", head.number, ord_)
            self._keep_sources(head.number, ord_, memory)

    def _reword(self, head: Head, ord_: int, entry: IndexEntry) -> None:
        box, scope = self._means.box(self._scope), head.number
        terms = rows.line(box, entry.terms)
        sql = "UPDATE memory SET length = %s, words = %s, terms = %s WHERE scope = %s AND ord = %s"
        self._queue(sql, len(entry.terms), entry.words, terms, scope, ord_)
        self._drop_vectors(scope, [ord_], staying=1)
        if entry.vector is None or entry.model is None:
            return
        model = self._means.model_number(entry.model)
        packed = rows.vector(box, entry.vector, entry.model)
        self._queue(_ADD_VECTOR, scope, model, ord_, self._means.tenant, packed)
        if model in head.models:
            self._queue(_LACK, -1, scope, model)
        else:
            self._queue(_ADD_LACK, scope, model, self._means.tenant, head.memories - 1)
            head.models.add(model)

    def _drop_vectors(self, scope: int, ords: list[int], *, staying: int) -> None:
        """Drop the vectors of memories of which so many stay; the others no longer lack one either."""
        self._queue(_UNLACK, staying - len(ords), scope, ords, scope)
        self._queue("DELETE FROM vector WHERE scope = %s AND ord = ANY(%s)", scope, ords)

    def _relate(self, scope: int, payload: Related) -> None:
        for edge in payload.removed:
            self._queue(_UNRELATE, scope, edge.kind.value, scope, raw(edge.source), scope, raw(edge.target))
        for edge in payload.added:
            ends = scope, raw(edge.source), scope, raw(edge.target)
            self._queue(_RELATE, edge.kind.value, edge.confidence, to_micros(edge.at), *ends)

    def _record(self, scope: int, seq: int, payload: Recorded) -> None:
        sort, name = raw(payload.record.sort), self._means.box(self._scope).same(raw(payload.record.name))
        if payload.after is None:
            self._queue("DELETE FROM record WHERE scope = %s AND sort = %s AND name = %s", scope, sort, name)
        else:
            body = self._means.box(self._scope).seal(raw(payload.after.body))
            self._queue(_KEEP_RECORD, scope, sort, name, self._means.tenant, raw(payload.after.about), body, seq)

    def _remove(self, ids: Sequence[str]) -> None:
        head = self._head
        assert head is not None
        if ids:
            wanted = [raw(name) for name in ids]
            sql = "SELECT ord FROM memory WHERE scope = %s AND id = ANY(%s)"
            self._delete(head, [row[0] for row in self._ask((sql, (head.number, wanted)))[0]])

    def _delete(self, head: Head, ords: list[int]) -> None:
        """Delete memories with all that belongs to them."""
        if not ords:
            return
        self._drop_vectors(head.number, ords, staying=0)
        for table, column in (
            ("access", "ord"),
            ("touch", "ord"),
            ("source", "ord"),
            ("relation", "source"),
            ("relation", "target"),
            ("companion", "first"),
            ("companion", "second"),
            ("memory", "ord"),
        ):
            self._queue(f"DELETE FROM {table} WHERE scope = %s AND {column} = ANY(%s)", head.number, ords)
        head.memories -= len(ords)
        head.stamp += 1

    def _about(self, number: int, memory_ids: Sequence[str]) -> Reach:
        box = self._means.box(self._scope)
        later = [rows.event(box, self._scope, row)[0] for row in self._ask((_LATER, (number,)))[0]]

        def written(ids: Collection[str]) -> tuple[Collection[int], Collection[str]]:
            names = [raw(name) for name in ids]
            found = self._ask((_WRITTEN, (number, number, names, number, names)))[0]
            return {row[0] for row in found}, {string(row[1]) for row in found}

        return reach(memory_ids, written, [EventReader(one.seq, one.why, one.payload) for one in later])

    def _erase(self, head: Head, erasing: Event, payload: Erased) -> None:
        """Delete the memories that the named events wrote, and the content of these events from the journal."""
        number = head.number
        about = self._about(number, payload.memories)
        actions = sorted(action.value for action in CONTENT)
        named, quoting = self._ask(
            (f"{_NAMED} AND action = ANY(%s)", (number, rows.numbers(payload.events), erasing.seq, actions)),
            (_NAMED, (number, rows.numbers(payload.reasons), erasing.seq)),
        )
        emptied = sorted({*about.emptied, *(row[0] for row in named)})
        unreasoned = {*about.unreasoned, *(row[0] for row in quoting)} - set(emptied)
        gone = self._ask(("SELECT ord FROM memory WHERE scope = %s AND event = ANY(%s)", (number, emptied)))[0]
        self._delete(head, [row[0] for row in gone])
        self._queue("DELETE FROM record WHERE scope = %s AND event = ANY(%s)", number, emptied)
        sql = """UPDATE event SET payload = NULL, salt = NULL, session = NULL, place = NULL, message_id = NULL
            WHERE scope = %s AND seq = ANY(%s)"""
        reasons = sorted({*emptied, *unreasoned})
        told = self._ask((f"{rows.EVENT} WHERE scope = %s AND seq = ANY(%s)", (number, reasons)))[0]
        box = self._means.box(self._scope)
        for row in told:
            event, _ = rows.event(box, self._scope, row, decoded=False)
            why = codec.without_reason(event).why
            if why != event.why:
                self._queue(
                    "UPDATE event SET why = %s WHERE scope = %s AND seq = %s", box.seal(raw(why)), number, row[0]
                )
        self._queue(sql, number, emptied)
        self._places.clear()
        self._means.last_session.pop(number, None)
        head.stamp += 1


def _following(found: Sequence[Row]) -> int:
    return 0 if not found or found[0][0] is None else int(found[0][0]) + 1
