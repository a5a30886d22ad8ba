"""Apply each event to the tables of the SQLite store: journal row, memories, vectors and index terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from reverie.errors import InvalidInput
from reverie.events import (
    Action,
    Change,
    Changed,
    Erased,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Payload,
    Reach,
    Recalled,
    Recorded,
    Related,
    Remembered,
)
from reverie.stores import codec
from reverie.stores.codec import plain_change, plain_standing, to_micros
from reverie.stores.drafts import taken, touched
from reverie.stores.erasure import EventReader, reach
from reverie.stores.sqlite import journal, reads, terms
from reverie.stores.sqlite.connection import Connection, string, text, whole
from reverie.stores.sqlite.reads import named
from reverie.stores.vectors import HalfArray, pack
from reverie.types import BEGINNING, Episode, IndexEntry, Kind, Memory, ModelInfo, Relation, Scope, State

Reword: TypeAlias = Callable[[int, str], None]
"""Sets a memory's text and index entry, by key."""

_KEY = "SELECT key FROM memory WHERE scope = ? AND id = ?"
_STANDINGS = "SELECT memory, data FROM standing WHERE memory IN ({})"
_PUT_STANDING = "INSERT OR REPLACE INTO standing VALUES (?, ?, ?)"
_ADD_ACCESS = """
INSERT INTO access (memory, count, last_at) VALUES (?, ?, ?)
ON CONFLICT (memory) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at
"""
_MET = """
INSERT INTO companion VALUES (?, ?, 1, ?, ?)
ON CONFLICT (first, second) DO UPDATE SET count = count + 1, last = excluded.last
"""
_LISTS = ("sources", "entities", "keywords")
_RELOAD = frozenset({"text", "kind", "at", "valid_from"})
"""Changes of these fields make a corpus in memory be loaded anew."""


def keep_standing(connection: Connection, key: int, memory: Memory) -> None:
    """Store a new memory's Lifecycle state and access count, if they are not the defaults."""
    if memory.standing is not BEGINNING and memory.standing != BEGINNING:
        data = text(codec.write(plain_standing(memory.standing)))
        connection.run(_PUT_STANDING, (key, memory.standing.state.value, data))
    if memory.accesses or memory.last_access is not None:
        connection.run("INSERT INTO access VALUES (?, ?, ?)", (key, memory.accesses, _micros(memory.last_access)))


def keep_sources(connection: Connection, scope: int, key: int, memory: Memory) -> None:
    """Store from which episodes a memory was formed."""
    if memory.kind is not Kind.EPISODE:
        rows = [(scope, text(episode), key) for episode in sorted(set(memory.sources))]
        connection.run_many("INSERT OR IGNORE INTO source VALUES (?, ?, ?)", rows)


def touch(connection: Connection, scope: int, position: int, payload: Payload | None) -> None:
    """Record which existing memories an event affected, for ``history``.

    Memories it wrote name the event themselves, and recalls are searched in the journal; neither is recorded here.
    """
    if isinstance(payload, Remembered | Formed | Recalled):
        return
    found = named(connection, scope, touched(payload))
    rows = [(key, position) for key, _ in found.values()]
    connection.run_many("INSERT OR IGNORE INTO touch VALUES (?, ?)", rows)


def recall(connection: Connection, scope: int, recalls: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Count the accesses of each memory by these recalls; record which formed memories were recalled together."""
    counts = Counter(name for _, memories in recalls for name in memories)
    found = named(connection, scope, list(counts))
    last = {name: at for at, memories in recalls for name in memories}
    connection.run_many(_ADD_ACCESS, [(key, counts[name], last[name]) for name, (key, _) in found.items()])
    formed = {name: key for name, (key, kind) in found.items() if kind != Kind.EPISODE.value}
    if len(formed) > 1:
        connection.run_many(_MET, [met for at, memories in recalls for met in _pairs(at, memories, formed)])


def _pairs(at: int, memories: Sequence[str], formed: dict[str, int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield each pair of formed memories that a recall injected: their keys, in the order of their ids, and when."""
    together = sorted({(name, formed[name]) for name in memories if name in formed})
    yield from ((first, second, at, at) for (_, first), (_, second) in combinations(together, 2))


def change(connection: Connection, scope: int, changes: Sequence[Change], reword: Reword) -> None:
    """Apply changes to the memories that still exist; ``reword`` is called for each change of text."""
    found = named(connection, scope, [one.memory for one in changes])
    standings = _Standings(connection, [key for key, _ in found.values()])
    reload = False
    for one in changes:
        if one.memory in found:
            key, _ = found[one.memory]
            plain = {name: now for name, (_, now) in plain_change(one)["fields"].items()}
            _change(connection, key, one, plain, reword)
            standings.set(key, plain)
            reload |= any(field.name in _RELOAD for field in one.fields)
    standings.write()
    if reload:
        connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (scope,))
        terms.settle(connection, scope)


def _change(connection: Connection, key: int, one: Change, plain: dict[str, Any], reword: Reword) -> None:
    own = {field.name: field for field in one.fields}
    if "text" in own:
        reword(key, str(own.pop("text").after))
    if "kind" in own or "at" in own:
        terms.drop(connection, [key])
    if "kind" in own:
        connection.run("UPDATE memory SET kind = ? WHERE key = ?", (plain["kind"], key))
    for name in ("at", "valid_until"):
        if name in own:
            connection.run(f"UPDATE memory SET {name} = ? WHERE key = ?", (_micros(own[name].after), key))
    lists = {name: plain[name] for name in _LISTS if name in own}
    if lists:
        _set_lists(connection, key, lists)
    _set_access(connection, key, own)


_DEFAULTS: dict[str, Any] = {
    name: list(value) if isinstance(value, tuple) else value
    for name, value in ((name, getattr(BEGINNING, name)) for name in BEGINNING.__slots__)
}


class _Standings:
    """The Lifecycle states of some memories, read by one query and written by one."""

    def __init__(self, connection: Connection, memory_keys: Sequence[int]) -> None:
        self._connection = connection
        rows = connection.rows_among(_STANDINGS, memory_keys)
        self._held: dict[int, dict[str, Any]] = {key: json.loads(string(data)) for key, data in rows}
        self._touched: set[int] = set()

    def set(self, key: int, plain: dict[str, Any]) -> None:
        """Apply the Lifecycle fields among the changed fields of a memory."""
        fields = {name: value for name, value in plain.items() if name in _DEFAULTS}
        if fields:
            held = self._held.get(key, {}) | fields
            self._held[key] = {name: value for name, value in held.items() if value != _DEFAULTS[name]}
            self._touched.add(key)

    def write(self) -> None:
        """Write what was set; a state that is all defaults again has no row."""
        kept = [(key, self._held[key]) for key in sorted(self._touched) if self._held[key]]
        rows = [(key, held.get("state", State.ACTIVE.value), text(codec.write(held))) for key, held in kept]
        gone = [(key,) for key in sorted(self._touched) if not self._held[key]]
        self._connection.run_many(_PUT_STANDING, rows)
        self._connection.run_many("DELETE FROM standing WHERE memory = ?", gone)


def _set_lists(connection: Connection, key: int, fields: dict[str, Any]) -> None:
    row = connection.row("SELECT lists, kind FROM memory WHERE key = ?", (key,))
    assert row is not None
    held = ([], [], []) if row[0] is None else json.loads(string(row[0]))
    lists = [fields.get(name, was) for name, was in zip(_LISTS, held, strict=True)]
    data = text(codec.write(lists)) if any(lists) else None
    connection.run("UPDATE memory SET lists = ? WHERE key = ?", (data, key))
    if "sources" in fields and row[1] != Kind.EPISODE.value:
        connection.run("DELETE FROM source WHERE memory = ?", (key,))
        rows = [(reads.scope_of(key), text(episode), key) for episode in sorted(set(fields["sources"]))]
        connection.run_many("INSERT OR IGNORE INTO source VALUES (?, ?, ?)", rows)


def _set_access(connection: Connection, key: int, fields: dict[str, FieldChange]) -> None:
    if "accesses" not in fields and "last_access" not in fields:
        return
    row = connection.row("SELECT count, last_at FROM access WHERE memory = ?", (key,)) or (0, None)
    count = fields["accesses"].after if "accesses" in fields else row[0]
    last = _micros(fields["last_access"].after) if "last_access" in fields else row[1]
    if count == 0 and last is None:
        connection.run("DELETE FROM access WHERE memory = ?", (key,))
    else:
        connection.run("INSERT OR REPLACE INTO access VALUES (?, ?, ?)", (key, count, last))


def relate(connection: Connection, scope: int, payload: Related) -> None:
    """Remove relations, then add relations whose two memories exist."""
    for relation in payload.removed:
        ends = _ends(connection, scope, relation)
        if ends is not None:
            connection.run(
                "DELETE FROM relation WHERE source = ? AND target = ? AND kind = ?", (*ends, relation.kind.value)
            )
    for relation in payload.added:
        ends = _ends(connection, scope, relation)
        if ends is not None:
            values = (*ends, relation.kind.value, relation.confidence, to_micros(relation.at))
            connection.run("INSERT OR REPLACE INTO relation VALUES (?, ?, ?, ?, ?)", values)


def record(connection: Connection, scope: int, position: int, payload: Recorded) -> None:
    """Keep, replace or delete a record that is no memory."""
    key = scope, text(payload.record.sort), text(payload.record.name)
    if payload.after is None:
        connection.run("DELETE FROM record WHERE scope = ? AND sort = ? AND name = ?", key)
    else:
        row = (*key, text(payload.after.about), text(payload.after.body), position)
        connection.run("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)", row)


def delete(connection: Connection, gone: Sequence[int]) -> None:
    """Delete the rows of other tables that belong to deleted memories."""
    rows = [(key,) for key in gone]
    for table, column in (
        ("access", "memory"),
        ("touch", "memory"),
        ("standing", "memory"),
        ("source", "memory"),
        ("relation", "source"),
        ("relation", "target"),
        ("companion", "first"),
        ("companion", "second"),
    ):
        connection.run_many(f"DELETE FROM {table} WHERE {column} = ?", rows)


def _ends(connection: Connection, scope: int, relation: Relation) -> tuple[int, int] | None:
    source = connection.row(_KEY, (scope, text(relation.source)))
    target = connection.row(_KEY, (scope, text(relation.target)))
    return None if source is None or target is None else (source[0], target[0])


def _micros(at: object) -> int | None:
    return to_micros(at) if isinstance(at, datetime) else None


_FIND_SCOPE = "SELECT id FROM scope WHERE agent = ? AND user = ? AND project = ?"
_ADD_EPISODE = "INSERT INTO episode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_MEMORY = "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_NAMED = """
SELECT position FROM json_each(?) e CROSS JOIN event ON scope = ? AND seq = e.value
WHERE action IN ('remember', 'form', 'change', 'forget', 'relate', 'record') AND seq < ?
"""
_QUOTING = "SELECT position FROM json_each(?) e CROSS JOIN event ON scope = ? AND seq = e.value WHERE seq < ?"
_LATER = """
SELECT position, action, why, payload FROM event
WHERE scope = ? AND action NOT IN ('remember', 'recall') AND action IN ('form', 'change', 'forget', 'relate')
"""
_WRITTEN = (
    "SELECT event FROM memory WHERE scope = ? AND id = ?",
    "SELECT event FROM memory WHERE key IN (SELECT memory FROM source WHERE scope = ? AND episode = ?)",
)
_NEXT = "SELECT key, event FROM memory WHERE key >= ? AND key < ? ORDER BY key LIMIT 1"
_OF_EVENT = "SELECT key, id FROM memory WHERE key BETWEEN ? AND ? AND event = ?"
_KEY_OF = "SELECT key FROM memory WHERE scope = ? AND id = ?"
_LACK = "UPDATE lacking SET count = count + ? WHERE scope = ? AND model = ?"
_ADD_LACK = "INSERT INTO lacking SELECT id, ?, memories - ? FROM scope WHERE id = ?"
_ADD_VECTOR = "INSERT INTO vector VALUES (?, ?) ON CONFLICT DO NOTHING"
_STORED = np.dtype("<f2")
_BUMP = """
UPDATE scope SET version = max(version, ?), top = top + ?, memories = memories + ?, events = events + 1 WHERE id = ?
"""
_TOP = "SELECT top FROM scope WHERE id = ?"
_NUMBERS_MAX = 10_000


UNSCRUBBED = "unscrubbed"
"""Recorded in the file from an erasure until its bytes are overwritten too."""


def scope_id(connection: Connection, scope: Scope) -> int | None:
    """Return the row number of a scope; None if nothing was written to it."""
    known = connection.numbers.get(scope)
    if known is None:
        row = connection.row(_FIND_SCOPE, (scope.agent, scope.user, scope.project))
        known = None if row is None else _note(connection, scope, row[0])
    return known


def model_id(connection: Connection, model: ModelInfo) -> int:
    """Return the row number of a model, adding the model if need be. A number is never reused for another model."""
    known = connection.numbers.get(model)
    if known is not None:
        return known
    row = connection.row("SELECT id FROM model WHERE key = ?", (model.key,))
    if row is None:
        values = (model.key, model.name, model.revision, model.dims)
        row = connection.row("INSERT INTO model (key, name, revision, dims) VALUES (?, ?, ?, ?) RETURNING id", values)
        assert row is not None
        reads.require_room("models", row[0], reads.MODELS_MAX)
    return _note(connection, model, row[0])


def _note(connection: Connection, name: Scope | ModelInfo, number: int) -> int:
    if len(connection.numbers) >= _NUMBERS_MAX:
        connection.numbers.clear()
    connection.numbers[name] = number
    return number


def apply(connection: Connection, position: int, event: Event, raw: bytes | None, index: Sequence[IndexEntry]) -> None:
    """Write a sealed event to the journal, at a position, and apply it to the tables; ``raw``: its encoded payload."""
    scope = scope_id(connection, event.scope) or _add_scope(connection, event.scope)
    journal.write(connection, position, scope, event, raw)
    payload = event.payload
    count = len(index) if isinstance(payload, Remembered | Formed) else 0
    version = 0 if event.action is Action.RECALL else position
    top = _top(connection, scope, count)
    connection.run(_BUMP, (version, count, count, scope))
    numbered = enumerate(index, top + 1)  # each entry with its memory's key
    _lack(connection, scope, count, index)
    match payload:
        case Remembered():
            _remember(connection, scope, position, payload, list(numbered))
        case Formed():
            _form(connection, scope, position, payload, list(numbered))
        case Recalled():
            recall(connection, scope, [(to_micros(at), memories) for at, memories in payload.each(event.at)])
            if payload.changes:
                change(connection, scope, payload.changes, _no_words)
        case Changed():
            change(connection, scope, payload.changes, _Rewording(connection, scope, index))
        case Related():
            relate(connection, scope, payload)
        case Recorded() | Forgotten() | Erased():
            _rest(connection, scope, position, event, payload)
    touch(connection, scope, position, event.payload)


def _top(connection: Connection, scope: int, count: int) -> int:
    """Return the last key of a scope, before ``count`` memories are added."""
    tops = connection.ends.tops
    if (top := tops.get(scope)) is None:
        if not count:
            return 0
        row = connection.row(_TOP, (scope,))  # a query of its own: RETURNING costs twice as much
        top = 0 if row is None else whole(row[0])
    tops[scope] = top + count
    return top


def _lack(connection: Connection, scope: int, count: int, index: Sequence[IndexEntry]) -> None:
    """Count, for each model with vectors in the scope, how many of the new memories have no vector of it."""
    if not count:
        return
    models = _models(connection, scope)
    come = Counter(entry.model for entry in index if entry.vector is not None)
    found = {model_id(connection, model): some for model, some in come.items() if model is not None}
    for model in models:
        if lack := count - found.get(model, 0):
            connection.run(_LACK, (lack, scope, model))
    for model in found.keys() - models:
        connection.run(_ADD_LACK, (model, found[model], scope))
        connection.ends.models.pop(scope, None)


def _models(connection: Connection, scope: int) -> frozenset[int]:
    """Return the numbers of the models that a scope has, or had, vectors of."""
    known = connection.ends.models.get(scope)
    if known is None:
        known = frozenset(row[0] for row in connection.rows("SELECT model FROM lacking WHERE scope = ?", (scope,)))
        connection.ends.models[scope] = known
    return known


def _no_words(key: int, words: str) -> None:
    raise InvalidInput(f"A recall rewords a memory ({words!r}, {key}).", "Write a change event.")


class _Rewording:
    """Sets the text of one memory after another, each with the next index entry."""

    def __init__(self, connection: Connection, scope: int, index: Sequence[IndexEntry]) -> None:
        self._connection = connection
        self._scope = scope
        self._entries = iter(index)

    def __call__(self, key: int, words: str) -> None:
        connection, entry = self._connection, next(self._entries)
        terms.drop(connection, [key])
        tokens = terms.line(self._scope, entry.terms)
        connection.run(
            "UPDATE memory SET text = ?, tokens = ?, length = ?, words = ? WHERE key = ?",
            (text(words), tokens, len(entry.terms), entry.words, key),
        )
        _drop_vectors_of(connection, self._scope, [key])
        if entry.vector is not None and entry.model is not None:
            add_vectors(connection, model_id(connection, entry.model), [(key, pack(entry.vector, entry.model))])


def _rest(
    connection: Connection, scope: int, position: int, event: Event, payload: Recorded | Forgotten | Erased
) -> None:
    if isinstance(payload, Recorded):
        record(connection, scope, position, payload)
    elif isinstance(payload, Forgotten):
        end = _micros(payload.after)
        connection.run(
            "UPDATE memory SET valid_until = ? WHERE scope = ? AND id = ?", (end, scope, text(payload.memory))
        )
    else:
        _erase(connection, scope, event, payload)


def add_vectors(connection: Connection, model: int, rows: Iterable[tuple[int, HalfArray]]) -> None:
    """Store the vectors of memories by key."""
    base = reads.vector_base(model)
    for key, row in rows:
        data, scope = row.astype(_STORED, copy=False).tobytes(), reads.scope_of(key)
        if connection.run(_ADD_VECTOR, (base + key, data)):
            if not connection.run(_LACK, (-1, scope, model)):
                connection.run(_ADD_LACK, (model, 1, scope))
                connection.ends.models.pop(scope, None)
            continue
        # Replaced: nothing else shows this to a process that has loaded the old vector, so it must load all anew.
        connection.run("UPDATE vector SET data = ? WHERE key = ?", (data, base + key))
        connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (scope,))


def drop_vectors(connection: Connection, scope: int, keep: ModelInfo) -> int:
    """Delete a scope's vectors of all models except ``keep`` and its second model; return how many were deleted."""
    dropped = 0
    for model in reads.other_models(connection, scope, keep):
        first = reads.vector_base(model)
        bounds = (first + reads.base(scope), first + reads.base(scope + 1) - 1)
        dropped += connection.run("DELETE FROM vector WHERE key BETWEEN ? AND ?", bounds)
        connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (scope,))
        connection.run("DELETE FROM lacking WHERE model = ? AND scope = ?", (model, scope))
    connection.ends.models.pop(scope, None)
    return dropped


def reindex(connection: Connection, scope: int, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
    """Replace the index terms of a scope's memories, and record the analyzer's version for it."""
    connection.run("UPDATE memory SET length = 0, words = 0, tokens = '' WHERE scope = ?", (scope,))
    for name, entry in entries:
        made = (len(entry.terms), entry.words, terms.line(scope, entry.terms), scope, text(name))
        connection.run("UPDATE memory SET length = ?, words = ?, tokens = ? WHERE scope = ? AND id = ?", made)
    terms.rebuild(connection, scope)
    connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (scope,))
    connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"analyzer:{scope}", analyzer))


def reindexed(connection: Connection, analyzer: str) -> None:
    """Record the analyzer's version for all scopes; what was recorded for single ones goes."""
    connection.run("DELETE FROM meta WHERE name >= 'analyzer:' AND name < 'analyzer;'")
    connection.run("INSERT OR REPLACE INTO meta VALUES ('analyzer', ?)", (analyzer,))


def events_about(connection: Connection, scope: int, name: Scope, memory_ids: Sequence[str]) -> Reach:
    """Find, by position, the events that lose their content, or only their reason, when these memories are erased."""
    known: dict[str, tuple[set[int], set[str]]] = {}

    def written(ids: Collection[str]) -> tuple[set[int], set[str]]:
        known.update((one, _written(connection, scope, one)) for one in ids if one not in known)
        found = [known[one] for one in ids]
        return set().union(*(seqs for seqs, _ in found)), set().union(*(names for _, names in found))

    later = [row for row in connection.rows(_LATER, (scope,)) if row[3] is not None]
    read = [EventReader(at, string(why), codec.decode(Action(action), name, raw)) for at, action, why, raw in later]
    return reach(memory_ids, written, read)


def _written(connection: Connection, scope: int, memory_id: str) -> tuple[set[int], set[str]]:
    """Return the positions of the events that wrote a memory or were formed from it, and the ids of all they wrote."""
    events = {row[0] for query in _WRITTEN for row in connection.rows(query, (scope, text(memory_id)))}
    names = (name for position in events for _, name in _made_by(connection, scope, position))
    return events, {string(name) for name in names}


def _made_by(connection: Connection, scope: int, position: int) -> list[tuple[int, str]]:
    """Return key and id of the memories that an event wrote: within a scope, keys are in the order of the events."""

    def first(after: int) -> int:
        """The first key of a memory that an event after this one wrote."""
        low, high = reads.base(scope), reads.base(scope + 1)
        while low < high:
            middle = (low + high) // 2
            row = connection.row(_NEXT, (middle, high))
            if row is None or row[1] > after:
                high = middle
            else:
                low = row[0] + 1
        return low

    return connection.rows(_OF_EVENT, (first(position - 1), first(position) - 1, position))


def _add_scope(connection: Connection, scope: Scope) -> int:
    names = (scope.agent, scope.user, scope.project)
    added = connection.row("INSERT INTO scope (agent, user, project) VALUES (?, ?, ?) RETURNING id", names)
    assert added is not None
    reads.require_room("scopes", added[0], reads.SCOPES_MAX)
    connection.run("UPDATE scope SET top = ? WHERE id = ?", (reads.base(added[0]), added[0]))
    return _note(connection, scope, added[0])


def _remember(
    connection: Connection, scope: int, position: int, payload: Remembered, index: Sequence[tuple[int, IndexEntry]]
) -> None:
    episode = payload.episode
    if not connection.run(_ADD_EPISODE, _episode_row(position, scope, episode)):
        raise taken("message", str(episode.message_id))
    connection.ends.follow(scope, episode.session, episode.seq)
    for memory, (key, entry) in zip(payload.memories, index, strict=True):
        _add_memory(connection, key, _memory_row(key, position, memory, entry, episode.text), memory, entry)


def _form(
    connection: Connection, scope: int, position: int, payload: Formed, index: Sequence[tuple[int, IndexEntry]]
) -> None:
    for memory, (key, entry) in zip(payload.added, index, strict=True):
        _add_memory(connection, key, _memory_row(key, position, memory, entry, None), memory, entry)
    removed = [connection.row(_KEY_OF, (scope, text(memory.id))) for memory in payload.removed]
    gone = [row[0] for row in removed if row is not None]
    if gone:
        _delete(connection, scope, gone)
        connection.run("UPDATE scope SET stamp = stamp + 1 WHERE id = ?", (scope,))


def _add_memory(connection: Connection, key: int, row: tuple[object, ...], memory: Memory, entry: IndexEntry) -> None:
    if not connection.run(_ADD_MEMORY, row):
        raise taken("memory", memory.id)
    terms.added(connection, key)
    keep_standing(connection, key, memory)
    keep_sources(connection, reads.scope_of(key), key, memory)
    _add_vector(connection, key, entry)


def _add_vector(connection: Connection, key: int, entry: IndexEntry) -> None:
    """Store the vector of a new memory; ``_lack`` has counted it."""
    if entry.vector is not None and entry.model is not None:
        data = pack(entry.vector, entry.model).astype(_STORED, copy=False).tobytes()
        connection.run(_ADD_VECTOR, (reads.vector_base(model_id(connection, entry.model)) + key, data))


def _episode_row(position: int, scope: int, episode: Episode) -> tuple[object, ...]:
    return (
        position,
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


def _memory_row(key: int, position: int, memory: Memory, entry: IndexEntry, said: str | None) -> tuple[object, ...]:
    return (
        key,
        reads.scope_of(key),
        position,
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
        terms.line(reads.scope_of(key), entry.terms),
    )


def _lists(memory: Memory) -> str | bytes | None:
    lists = (memory.sources, memory.entities, memory.keywords)
    return text(codec.write(lists)) if any(lists) else None


def _erase(connection: Connection, scope: int, erasing: Event, payload: Erased) -> None:
    """Delete the memories that the named events wrote, and the content of these events from the journal."""
    named = connection.rows(_NAMED, (codec.write(payload.events), scope, erasing.seq))
    about = events_about(connection, scope, erasing.scope, payload.memories)
    events = {*about.emptied, *(row[0] for row in named)}
    gone: list[int] = []
    for position in sorted(events):
        gone += [key for key, _ in _made_by(connection, scope, position)]
        connection.run("DELETE FROM episode WHERE event = ?", (position,))
        connection.run("DELETE FROM record WHERE scope = ? AND event = ?", (scope, position))
    connection.ends.places.clear()
    _delete(connection, scope, gone)
    quoting = connection.rows(_QUOTING, (codec.write(payload.reasons), scope, erasing.seq))
    unreasoned = {*about.unreasoned, *(row[0] for row in quoting)} - events
    journal.blank(connection, Reach(tuple(sorted(events)), tuple(sorted(unreasoned))))
    if events or unreasoned:
        connection.run(f"INSERT OR REPLACE INTO meta VALUES ('{UNSCRUBBED}', '')")


def _delete(connection: Connection, scope: int, gone: list[int]) -> None:
    if not gone:
        return
    terms.drop(connection, gone)
    _drop_vectors_of(connection, scope, gone)
    delete(connection, gone)
    connection.run_many("DELETE FROM memory WHERE key = ?", [(key,) for key in gone])
    connection.run("UPDATE scope SET memories = memories - ? WHERE id = ?", (len(gone), scope))
    connection.run("UPDATE lacking SET count = count - ? WHERE scope = ?", (len(gone), scope))
    terms.settle(connection, scope)


def _drop_vectors_of(connection: Connection, scope: int, gone: list[int]) -> None:
    for model in _models(connection, scope):
        base = reads.vector_base(model)
        count = connection.run_many("DELETE FROM vector WHERE key = ?", [(base + key,) for key in gone])
        connection.run(_LACK, (count, scope, model))
