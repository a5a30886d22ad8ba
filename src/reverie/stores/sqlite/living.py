"""What the events of a memory's life do to the tables: formed, changed, related, recalled together.

As everywhere, rows are a pure function of the events. What has since been erased is passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, TypeAlias

from reverie.events import Change, Event, FieldChange, Formed, Recalled, Related, Remembered
from reverie.stores import codec
from reverie.stores.moments import to_micros
from reverie.stores.plain import plain_change, plain_standing
from reverie.stores.sqlite import keys
from reverie.stores.sqlite.connection import Connection, string, text
from reverie.stores.sqlite.reading import named
from reverie.stores.touching import touched
from reverie.types import BEGINNING, Kind, Memory, Relation, State

Reword: TypeAlias = Callable[[int, str], None]
"""Sets a memory's words and index entry, by key."""

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
"""Fields that corpora in memory cannot take over one by one."""


def keep_standing(connection: Connection, key: int, memory: Memory) -> None:
    """How a new memory stands, where that is not as all begin."""
    if memory.standing is not BEGINNING and memory.standing != BEGINNING:
        data = text(codec.write(plain_standing(memory.standing)))
        connection.run(_PUT_STANDING, (key, memory.standing.state.value, data))
    if memory.accesses or memory.last_access is not None:
        connection.run("INSERT INTO access VALUES (?, ?, ?)", (key, memory.accesses, _micros(memory.last_access)))


def keep_sources(connection: Connection, scope: int, key: int, memory: Memory) -> None:
    """From which episodes a memory was formed."""
    if memory.kind is not Kind.EPISODE:
        rows = [(scope, text(episode), key) for episode in sorted(set(memory.sources))]
        connection.run_many("INSERT OR IGNORE INTO source VALUES (?, ?, ?)", rows)


def touch(connection: Connection, scope: int, event: Event) -> None:
    """Note which memories an event touched, among those that are there.

    Not which it wrote: they name it; nor which it recalled: that is looked up when somebody asks.
    """
    if isinstance(event.payload, Remembered | Formed | Recalled):
        return
    found = named(connection, scope, touched(event.payload))
    rows = [(key, event.seq) for key, _ in found.values()]
    connection.run_many("INSERT OR IGNORE INTO touch VALUES (?, ?)", rows)


def recall(connection: Connection, scope: int, at: int, memories: Sequence[str]) -> None:
    """Count an access of each memory, and which formed ones came together."""
    found = named(connection, scope, memories)
    counts = Counter(name for name in memories if name in found)
    connection.run_many(_ADD_ACCESS, [(found[name][0], count, at) for name, count in counts.items()])
    formed = [(name, key) for name, (key, kind) in found.items() if kind != Kind.EPISODE.value]
    if len(formed) > 1:
        pairs = combinations(sorted(formed), 2)
        connection.run_many(_MET, [(first, second, at, at) for (_, first), (_, second) in pairs])


def change(connection: Connection, scope: int, changes: Sequence[Change], reword: Reword) -> None:
    """Change memories; ``reword`` is called for one whose words change."""
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


def _change(connection: Connection, key: int, one: Change, plain: dict[str, Any], reword: Reword) -> None:
    own = {field.name: field for field in one.fields}
    if "text" in own:
        reword(key, str(own.pop("text").after))
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
    """How these memories stand, read at once and written at once."""

    def __init__(self, connection: Connection, memory_keys: Sequence[int]) -> None:
        self._connection = connection
        rows = connection.rows_among(_STANDINGS, memory_keys)
        self._held: dict[int, dict[str, Any]] = {key: json.loads(string(data)) for key, data in rows}
        self._touched: set[int] = set()

    def set(self, key: int, plain: dict[str, Any]) -> None:
        """Take over what a change says of a memory's standing."""
        fields = {name: value for name, value in plain.items() if name in _DEFAULTS}
        if fields:
            held = self._held.get(key, {}) | fields
            self._held[key] = {name: value for name, value in held.items() if value != _DEFAULTS[name]}
            self._touched.add(key)

    def write(self) -> None:
        """Write what was set; what stands at the beginning again has no row."""
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
        rows = [(keys.scope_of(key), text(episode), key) for episode in sorted(set(fields["sources"]))]
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
    """Take edges away and add edges, between memories that are there."""
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


def delete(connection: Connection, gone: Sequence[int]) -> None:
    """Take away everything about memories that go."""
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
