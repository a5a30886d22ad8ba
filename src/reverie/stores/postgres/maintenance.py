"""Check a tenant's rows against their journals, hash them, copy them into a file; and the history of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from reverie.answers import Fault, Stats
from reverie.errors import StoreCorrupt
from reverie.events import GATED, Event, Remembered
from reverie.stores import codec
from reverie.stores.codec import from_micros
from reverie.stores.digest import digest, digest_of_all
from reverie.stores.postgres import rows
from reverie.stores.postgres.connection import Link, Row
from reverie.stores.postgres.keys import Keys, lost
from reverie.stores.postgres.rows import Box, raw, string
from reverie.stores.ram import RamStore
from reverie.stores.ram import back_up as into_file
from reverie.stores.vectors import unpack, widen
from reverie.types import Episode, FloatArray, IndexEntry, Memory, ModelInfo, Record, Scope

PAGE = 1_024
_MOST = 20
_RESTORE = "Restore the server's last backup."
_COUNTS = {
    "scope's memories": """SELECT s.id FROM scope s
        WHERE memories <> (SELECT count(*) FROM memory m WHERE m.scope = s.id)""",
    "scope's events": """SELECT s.id FROM scope s
        WHERE seq <> (SELECT count(*) FROM event e WHERE e.scope = s.id)
          OR seq <> (SELECT sum(n) FROM unnest(did) n)""",
    "model's vectors": """SELECT l.scope FROM lacking l JOIN scope s ON s.id = l.scope
        WHERE s.memories - l.n <> (SELECT count(*) FROM vector v WHERE v.scope = l.scope AND v.model = l.model)""",
}
_STRAYS = {
    f"rows of {table} without a memory": f"""SELECT 1 FROM {table} t
        WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.scope = t.scope AND m.ord = t.{column})"""
    for table, column in (
        ("access", "ord"),
        ("vector", "ord"),
        ("source", "ord"),
        ("touch", "ord"),
        ("relation", "source"),
        ("relation", "target"),
    )
}


_STATS = """
SELECT count(*), count(*) - count(valid_until), count(DISTINCT session), count(DISTINCT speaker), min(at), max(at)
FROM memory WHERE scope = %s
"""
_STATS_BESIDE = """
SELECT s.seq, coalesce((SELECT max(s.memories - n) FROM lacking WHERE scope = s.id), 0),
  coalesce((SELECT sum(n) FROM access WHERE scope = s.id), 0)::bigint,
  (SELECT count(*) FROM event WHERE scope = s.id AND note = %s)
FROM scope s WHERE s.id = %s
"""
_BYTES = """
SELECT coalesce((SELECT sum(pg_column_size(e.*)) FROM event e WHERE e.scope = %s), 0)::bigint
  + coalesce((SELECT sum(pg_column_size(m.*)) FROM memory m WHERE m.scope = %s), 0)::bigint
  + coalesce((SELECT sum(pg_column_size(v.*)) FROM vector v WHERE v.scope = %s), 0)::bigint
"""


class Readable(Protocol):
    """What is read of a store (``PostgresStore`` has it)."""

    link: Link
    tenant: int
    keys: Keys

    def box(self, scope: Scope) -> Box:
        """Return what seals the scope's words."""
        ...

    def number_of(self, scope: Scope) -> int | None:
        """Return the row number of a scope; None if nothing was written to it."""
        ...

    def scopes(self) -> list[Scope]:
        """Return every scope."""
        ...

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope."""
        ...

    def in_order(self, scope: Scope) -> list[Memory]:
        """Return the memories of a scope in order of writing."""
        ...

    def kept(self, sort: str | None, scope: Scope | None, about: str | None) -> list[Record]:
        """Return records; of every sort if that is None."""
        ...

    def analyzer(self) -> str:
        """Return the version of the analyzer that made the indexed terms."""
        ...

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the store's seals, ascending."""
        ...


def stats(store: Readable, scope: Scope) -> Stats:
    """Count the memories, sessions, speakers and events of a scope; with the bytes of its rows."""
    number = store.number_of(scope) or 0
    with store.link.snapshot():
        memories, current, sessions, speakers, first, last = store.link.rows(_STATS, (number,))[0]
        beside = store.link.row(_STATS_BESIDE, (rows.note(GATED), number)) or (0, 0, 0, 0)
        size = bytes_of(store.link, number)
    events, embedded, accesses, gated = beside
    return Stats(
        scope=scope,
        memories=memories,
        current=current,
        sessions=sessions,
        speakers=speakers,
        accesses=accesses,
        embedded=embedded,
        first_at=None if first is None else from_micros(first),
        last_at=None if last is None else from_micros(last),
        events=events,
        disk_bytes=size,
        gated=gated,
    )


def bytes_of(link: Link, number: int) -> int:
    """Return how many bytes the rows of a scope take."""
    return int(link.rows(_BYTES, (number, number, number))[0][0])


def page(link: Link, number: int, after: int, actions: Sequence[str] | None) -> list[Row]:
    """Return the next rows of a scope's journal after an event; ``actions``: only these."""
    only, values = "", list[object]()
    if actions is not None:
        only = "AND action = ANY(%s)"
        values.append(list(actions))
        if not {"remember", "recall"} & set(actions):
            only += " AND action NOT IN ('remember', 'recall')"  # so that the small index is used
    sql = f"{rows.EVENT} WHERE scope = %s AND seq > %s {only} ORDER BY seq LIMIT {PAGE}"
    return link.rows(sql, (number, after, *values))


def history(link: Link, box: Box, scope: Scope, number: int, memory_id: str) -> list[Event]:
    """Return the events that wrote, affected or recalled a memory, in order."""
    row = link.row("SELECT event, ord FROM memory WHERE scope = %s AND id = %s", (number, raw(memory_id)))
    if row is None:
        return []
    first, ord_ = row
    among = "seq = %s OR seq IN (SELECT event FROM touch WHERE scope = %s AND ord = %s)"
    found = link.rows(f"{rows.EVENT} WHERE scope = %s AND ({among})", (number, first, number, ord_))
    recalls = link.rows(f"{rows.EVENT} WHERE scope = %s AND action = 'recall' AND seq > %s", (number, first))
    named = codec.dump(memory_id)
    events = [rows.event(box, scope, one)[0] for one in found]
    events += [rows.event(box, scope, one)[0] for one in recalls if one[5] is not None and named in box.open(one[5])]
    return sorted(events, key=lambda event: event.seq)


def journal(store: Readable, scope: Scope, *, decoded: bool = True) -> Iterator[tuple[Event, bytes | None]]:
    """Yield the events of a scope with their encoded payloads, in order."""
    number, after = store.number_of(scope), 0
    while number is not None:
        found = page(store.link, number, after, None)
        yield from (rows.event(store.box(scope), scope, row, decoded=decoded) for row in found)
        if len(found) < PAGE:
            return
        after = found[-1][0]


def digest_of(store: Readable, scope: Scope | None) -> str:
    """Return the SHA-256 of a scope, or of all."""
    if scope is None:
        return digest_of_all((one, digest_of(store, one)) for one in store.scopes())
    marks, episodes = [], list[Episode]()
    for event, _ in journal(store, scope):
        marks.append((event.seq, event.hash, event.payload is None))
        if isinstance(event.payload, Remembered):
            episodes.append(event.payload.episode)
    return digest(scope, marks, episodes, store.in_order(scope), store.kept(None, scope, None))


def check(store: Readable, *, replay: bool = True) -> list[Fault]:
    """Return every fault found, the most basic first; without ``replay`` none that only the journals show."""
    scopes = store.scopes()
    gone = dict(lost(store.link, store.keys, store.tenant, scopes))
    faults = [Fault("keys", what, _RESTORE) for what in gone.values()]
    scopes = [scope for scope in scopes if scope not in gone]
    faults += _faults_of(store, scopes) if replay else []
    for what, query in _COUNTS.items():
        if store.link.rows(query):
            faults.append(Fault("counts", f"The count of a {what} is wrong.", _RESTORE))
    for what, query in _STRAYS.items():
        if found := store.link.rows(query):
            faults.append(Fault("counts", f"There are {len(found)} {what}.", _RESTORE))
    sql = """SELECT 1 FROM vector v JOIN model m ON m.id = v.model
        WHERE octet_length(v.v) NOT IN (2 * m.dims, 2 * m.dims + %s) LIMIT 1"""
    if store.link.rows(sql, (rows.SEALED_MORE,)):
        faults.append(Fault("vectors", "A vector is damaged.", "Drop the model's vectors and embed again."))
    return faults


def _faults_of(store: Readable, scopes: Sequence[Scope]) -> list[Fault]:
    """Return how the journals of scopes are broken, or, if none is, how the rows differ from them."""
    broken = [f"The chain is broken: {what}." for scope in scopes for what in _breaks(store, scope)]
    if broken:
        return [Fault("journal", what, _RESTORE) for what in broken]
    return [Fault("memories", what, _RESTORE) for scope in scopes for what in _differing(store, scope)][:_MOST]


def _breaks(store: Readable, scope: Scope) -> Iterator[str]:
    chains, last = codec.Chains(), (0, codec.NO_HASH)
    try:
        for event, encoded in journal(store, scope, decoded=False):
            if wrong := chains.break_in(event, encoded):
                yield wrong
                return
            last = event.seq, event.hash
    except StoreCorrupt as error:
        yield error.message
        return
    if wrong := chains.unvouched():
        yield wrong
    if store.head(scope) != last:
        yield f"the last event of {scope} is not the one that was recorded"


def _differing(store: Readable, scope: Scope) -> Iterator[str]:
    """Yield how the rows of a scope differ from what its journal gives."""
    fresh = RamStore()
    with fresh.begin(scope, durable=False) as tx:
        for event, _ in journal(store, scope):
            tx.adopt(event)
    made = {memory.id: memory for memory in fresh.memories(scope)}
    held = {memory.id: memory for memory in store.in_order(scope)}
    for name in sorted(made.keys() | held.keys()):
        if made.get(name) != held.get(name):
            yield f"Memory {name} is missing or was changed."
    if fresh.digest(scope) != digest_of(store, scope):
        yield f"The rows of {scope} are not those of its journal."


def back_up(store: Readable, path: Path) -> None:
    """Write the journals of all scopes, their terms and vectors into a new SQLite file."""
    scopes = store.scopes()
    events = ((scope, (event for event, _ in journal(store, scope))) for scope in scopes)
    index = _entries(store, scopes), _vectors(store, scopes)
    into_file(path, events, store.analyzer(), index, store.seals(), store.keys.key)


def _entries(store: Readable, scopes: Sequence[Scope]) -> Iterator[tuple[Scope, str, IndexEntry]]:
    for scope in scopes:
        sql = "SELECT id, terms, words FROM memory WHERE scope = %s ORDER BY ord"
        for name, terms, words in store.link.rows(sql, (store.number_of(scope),)):
            yield scope, string(name), IndexEntry(tuple(rows.terms_of(store.box(scope), terms)), words)


def _vectors(
    store: Readable, scopes: Sequence[Scope]
) -> Iterator[tuple[ModelInfo, list[tuple[Scope, str, FloatArray]]]]:
    sql = """SELECT m.id, v.v FROM vector v JOIN memory m ON m.scope = v.scope AND m.ord = v.ord
        WHERE v.scope = %s AND v.model = %s ORDER BY v.ord"""
    for model, name, revision, dims in store.link.rows("SELECT id, name, revision, dims FROM model ORDER BY id"):
        for scope in scopes:
            box = store.box(scope)
            found = store.link.rows(sql, (store.number_of(scope), model))
            made = [(scope, string(one), widen(unpack(box.open(data), dims))[0]) for one, data in found]
            if made:
                yield ModelInfo(string(name), string(revision), dims), made
