"""What each event does to the tables: an applied event's payload and index entries in, rows out.

The rows are a pure function of the events; nothing here looks at a clock or makes an id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.errors import StoreCorrupt
from reverie.stores import codec
from reverie.stores.drafts import taken
from reverie.stores.moments import to_micros
from reverie.stores.sqlite import journal, keys, lexical
from reverie.stores.sqlite.connection import Connection, text
from reverie.stores.vectors import HalfArray, pack
from reverie.types import (
    Action,
    Episode,
    Erased,
    Event,
    Forgotten,
    IndexEntry,
    Memory,
    ModelInfo,
    Payload,
    Recalled,
    Remembered,
    Scope,
)

_FIND_SCOPE = "SELECT id FROM scope WHERE agent = ? AND user = ? AND project = ?"
_ADD_EPISODE = "INSERT INTO episode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_MEMORY = "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_ACCESS = """
INSERT INTO access (memory, count, last_at) SELECT key, 1, ? FROM memory WHERE scope = ? AND id = ?
ON CONFLICT (memory) DO UPDATE SET count = count + 1, last_at = excluded.last_at
"""
_NAMED = """
SELECT e.value FROM json_each(?) e JOIN event ON seq = e.value WHERE scope = ? AND action = 'remember' AND seq < ?
"""
_COVER = """
INSERT INTO coverage (scope, model, count) VALUES (?, ?, ?)
ON CONFLICT (scope, model) DO UPDATE SET count = count + excluded.count
"""
_BUMP = """
UPDATE scope SET version = max(version, ?), top = top + ?, memories = memories + ?, events = events + 1 WHERE id = ?
"""
_NUMBERS_MAX = 10_000


UNSCRUBBED = "unscrubbed"
"""Noted in the file from an erasure until its bytes are gone too."""


def scope_id(connection: Connection, scope: Scope) -> int | None:
    """The scope's number; None where nothing was written to it."""
    known = connection.numbers.get(scope)
    if known is None:
        row = connection.row(_FIND_SCOPE, (scope.agent, scope.user, scope.project))
        known = None if row is None else _note(connection, scope, row[0])
    return known


def model_id(connection: Connection, model: ModelInfo) -> int:
    """The model's number, a new one if need be. Numbers are never given to another model."""
    known = connection.numbers.get(model)
    if known is not None:
        return known
    row = connection.row("SELECT id FROM model WHERE key = ?", (model.key,))
    if row is None:
        values = (model.key, model.name, model.revision, model.dims)
        row = connection.row("INSERT INTO model (key, name, revision, dims) VALUES (?, ?, ?, ?) RETURNING id", values)
        assert row is not None
        keys.require_room("models", row[0], keys.MODELS_MAX)
    return _note(connection, model, row[0])


def _note(connection: Connection, name: Scope | ModelInfo, number: int) -> int:
    if len(connection.numbers) >= _NUMBERS_MAX:
        connection.numbers.clear()
    connection.numbers[name] = number
    return number


def apply(connection: Connection, event: Event, raw: bytes | None, index: Sequence[IndexEntry]) -> None:
    """Write a sealed event and everything that follows from it."""
    scope = scope_id(connection, event.scope) or _add_scope(connection, event.scope)
    journal.write(connection, scope, event, raw)
    count = len(index)
    version = 0 if event.action is Action.RECALL else event.seq
    connection.run(_BUMP, (version, count, count, scope))
    match event.payload:
        case Remembered() as payload:
            row = connection.row("SELECT top FROM scope WHERE id = ?", (scope,))
            assert row is not None
            _remember(connection, scope, event.seq, payload, list(enumerate(index, row[0] - count + 1)))
        case Recalled() as payload:
            at = to_micros(event.at)
            connection.run_many(_ADD_ACCESS, [(at, scope, text(memory)) for memory in payload.memories])
        case Forgotten() as payload:
            connection.run(
                "UPDATE memory SET valid_until = ? WHERE scope = ? AND id = ?",
                (_micros(payload.after), scope, text(payload.memory)),
            )
        case Erased() as payload:
            _erase(connection, scope, event, payload)


def add_vectors(connection: Connection, model: int, rows: Iterable[tuple[int, HalfArray]]) -> None:
    """Store the vectors of memories by key."""
    base = keys.vector_base(model)
    for key, row in rows:
        data = row.astype("<f2", copy=False).tobytes()
        if connection.run("INSERT INTO vector VALUES (?, ?) ON CONFLICT DO NOTHING", (base + key, data)):
            connection.run(_COVER, (keys.scope_of(key), model, 1))
            continue
        # Replaced: whoever has loaded the old one must load all anew, as nothing else tells.
        connection.run("UPDATE vector SET data = ? WHERE key = ?", (data, base + key))
        connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (keys.scope_of(key),))


def drop_vectors(connection: Connection, keep: ModelInfo) -> int:
    """Delete the vectors of every other model; how many went."""
    dropped = 0
    for (model,) in connection.rows("SELECT id FROM model WHERE key <> ?", (keep.key,)):
        bounds = (keys.vector_base(model), keys.vector_base(model + 1) - 1)
        dropped += connection.run("DELETE FROM vector WHERE key BETWEEN ? AND ?", bounds)
        connection.run(
            "UPDATE scope SET stamp = stamp + 1 WHERE id IN (SELECT scope FROM coverage WHERE model = ?)", (model,)
        )
        connection.run("DELETE FROM coverage WHERE model = ?", (model,))
    return dropped


def events_about(connection: Connection, scope: int, memory_ids: Iterable[str]) -> set[int]:
    """The events that hold content of these memories."""
    query = "SELECT event FROM memory WHERE scope = ? AND id = ?"
    found = (connection.row(query, (scope, text(memory_id))) for memory_id in memory_ids)
    return {row[0] for row in found if row is not None}


def _add_scope(connection: Connection, scope: Scope) -> int:
    names = (scope.agent, scope.user, scope.project)
    added = connection.row("INSERT INTO scope (agent, user, project) VALUES (?, ?, ?) RETURNING id", names)
    assert added is not None
    keys.require_room("scopes", added[0], keys.SCOPES_MAX)
    connection.run("UPDATE scope SET top = ? WHERE id = ?", (keys.base(added[0]), added[0]))
    return _note(connection, scope, added[0])


def _remember(
    connection: Connection, scope: int, seq: int, payload: Remembered, index: Sequence[tuple[int, IndexEntry]]
) -> None:
    episode = payload.episode
    if not connection.run(_ADD_EPISODE, _episode_row(seq, scope, episode)):
        raise taken("message", str(episode.message_id))
    for memory, (key, entry) in zip(payload.memories, index, strict=True):
        tokens = lexical.line(scope, entry.terms)
        if not connection.run(_ADD_MEMORY, _memory_row(key, seq, memory, entry, episode.text, tokens)):
            raise taken("memory", memory.id)
        lexical.add(connection, key, tokens)
        if entry.vector is not None and entry.model is not None:
            add_vectors(connection, model_id(connection, entry.model), [(key, pack(entry.vector, entry.model))])


def _episode_row(seq: int, scope: int, episode: Episode) -> tuple[object, ...]:
    return (
        seq,
        text(episode.id),
        scope,
        text(episode.session),
        episode.seq,
        text(episode.speaker),
        episode.role.value,
        text(episode.text),
        to_micros(episode.at),
        None if episode.message_id is None else text(episode.message_id),
    )


def _memory_row(key: int, seq: int, memory: Memory, entry: IndexEntry, said: str, tokens: str) -> tuple[object, ...]:
    return (
        key,
        keys.scope_of(key),
        seq,
        text(memory.id),
        memory.kind.value,
        to_micros(memory.at),
        to_micros(memory.recorded_at),
        text(memory.session),
        memory.seq,
        text(memory.speaker),
        memory.role.value,
        _micros(memory.valid_until),
        len(entry.terms),
        entry.words,
        _lists(memory),
        None if memory.text == said else text(memory.text),
        tokens,
    )


def _micros(at: datetime | None) -> int | None:
    return None if at is None else to_micros(at)


def _lists(memory: Memory) -> str | bytes | None:
    lists = (memory.sources, memory.entities, memory.keywords)
    return text(codec.write(lists)) if any(lists) else None


def _erase(connection: Connection, scope: int, erasing: Event, payload: Erased) -> None:
    """Delete all that the named events wrote, and their content from the journal."""
    named = connection.rows(_NAMED, (codec.write(payload.events), scope, erasing.seq))
    events = events_about(connection, scope, payload.memories) | {row[0] for row in named}
    gone: list[int] = []
    for seq in sorted(events):
        gone += _keys_of(connection, scope, erasing.scope, seq)
        connection.run("DELETE FROM episode WHERE event = ?", (seq,))
    _delete(connection, scope, gone)
    journal.blank(connection, events)
    if events:
        connection.run(f"INSERT OR REPLACE INTO meta VALUES ('{UNSCRUBBED}', '')")


def _keys_of(connection: Connection, scope: int, name: Scope, seq: int) -> list[int]:
    """Keys of the memories an event wrote, by the ids in its payload."""
    row = connection.row("SELECT payload FROM event WHERE seq = ?", (seq,))
    if row is None or row[0] is None:
        return []
    payload: Payload = codec.decode(Action.REMEMBER, name, row[0])
    if not isinstance(payload, Remembered):
        raise StoreCorrupt(f"Event {seq} does not hold what it should.", "Restore the last backup.")
    found = (
        connection.row("SELECT key FROM memory WHERE scope = ? AND id = ? AND event = ?", (scope, text(m.id), seq))
        for m in payload.memories
    )
    return [row[0] for row in found if row is not None]


def _delete(connection: Connection, scope: int, gone: list[int]) -> None:
    if not gone:
        return
    lexical.remove(connection, gone)
    for (model,) in connection.rows("SELECT model FROM coverage WHERE scope = ?", (scope,)):
        base = keys.vector_base(model)
        count = connection.run_many("DELETE FROM vector WHERE key = ?", [(base + key,) for key in gone])
        connection.run(_COVER, (scope, model, -count))
    for table, column in (("access", "memory"), ("memory", "key")):
        connection.run_many(f"DELETE FROM {table} WHERE {column} = ?", [(key,) for key in gone])
    connection.run("UPDATE scope SET memories = memories - ? WHERE id = ?", (len(gone), scope))
