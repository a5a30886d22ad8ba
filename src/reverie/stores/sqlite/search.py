"""Keep the full-text index (FTS5) of the SQLite file, and load each scope's corpus for recall.

Loaded corpora stay in memory and are updated with what any process has written since.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reverie.errors import StoreCorrupt, StoreReadOnly
from reverie.events import Action
from reverie.stores import codec
from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.corpus import Access, CorpusView, LiveCorpus, Rows
from reverie.stores.postings import TAIL, tokens_line
from reverie.stores.sqlite import reads
from reverie.stores.sqlite.connection import Connection, Row, string, text
from reverie.stores.vectors import HalfArray, VectorIndex, unpack
from reverie.types import KIND_CODES, ROLE_CODES, STATE_CODES, FloatArray, IntArray, Memory, ModelInfo, Scope, beginning


def line(scope: int, terms: Sequence[str]) -> str:
    """Encode the terms of one memory as the line of tokens that is indexed."""
    return tokens_line(f"{scope}¦", terms)


def add(connection: Connection, key: int, tokens: str) -> None:
    """Add a memory to the index by its line of tokens, which its row holds as well."""
    connection.run("INSERT INTO lexical (rowid, tokens) VALUES (?, ?)", (key, tokens))


def drop(connection: Connection, key: int) -> None:
    """Remove a memory from the index; its row must still hold the old tokens."""
    connection.run(
        "INSERT INTO lexical (lexical, rowid, tokens) SELECT 'delete', key, tokens FROM memory WHERE key = ?", (key,)
    )


def remove(connection: Connection, memory_keys: Iterable[int]) -> None:
    """Remove memories from the index, and their terms from its pages; their rows must still exist."""
    for key in memory_keys:
        drop(connection, key)
    merge(connection)


def merge(connection: Connection) -> None:
    """Merge the segments of the index, so that removed terms leave its pages."""
    connection.run("INSERT INTO lexical (lexical) VALUES ('optimize')")


def read(connection: Connection, scope: int, name: str) -> tuple[IntArray, FloatArray]:
    """Return the keys (ascending) of a scope's memories that contain a token, and how often each does."""
    base = reads.base(scope)
    connection.make_occurrences()
    row = connection.row("SELECT group_concat(doc - ?) FROM temp.occurrence WHERE term = ?", (base, f"{scope}¦{name}"))
    if row is None or row[0] is None:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    # One string of numbers is parsed in C; fetching as many rows takes four times as long.
    found = np.fromstring(row[0], np.int64, sep=",")
    found.sort(kind="stable")  # usually sorted already: the index lists a term's memories in order
    is_edge = np.ones(len(found) + 1, np.bool_)
    np.not_equal(found[1:], found[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    return found[edges[:-1]] + base, (edges[1:] - edges[:-1]).astype(np.float32)


def split(tokens: str, scope: int) -> list[str]:
    """Return the tokens of a line, without the scope's number."""
    prefix = len(f"{scope}¦")
    return [name[prefix:] for name in tokens.split(" ")] if tokens else []


def rebuild(connection: Connection) -> None:
    """Replace the index by a new one of the tokens that the memories' rows hold now."""
    from reverie.stores.sqlite.schema import statements  # only reindexing needs the schema's words

    connection.run("DROP TABLE lexical")
    for sql in statements(1):
        if re.search(r"^(CREATE VIRTUAL TABLE|INSERT INTO) lexical", sql, re.MULTILINE):
            connection.run(sql)
    connection.run("INSERT INTO lexical (lexical) VALUES ('rebuild')")


def require_sound(connection: Connection) -> None:
    """Raise StoreCorrupt if the index does not match the memories' tokens."""
    try:
        connection.run("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)")
    except StoreReadOnly:
        _compare_counts(connection)


def _compare_counts(connection: Connection) -> None:
    """Check the index by reading alone, less thoroughly: FTS5's own check needs a writable file."""
    connection.make_occurrences()
    indexed: dict[int, int] = dict(connection.rows("SELECT doc, count(*) FROM temp.occurrence GROUP BY doc"))
    for block in connection.blocks("SELECT key, tokens FROM memory WHERE tokens <> ''"):
        for key, held in block:
            if indexed.pop(key, 0) != held.count(" ") + 1:
                raise StoreCorrupt(f"The index does not hold all terms of memory {key}.", "Run `reverie doctor`.")
    if indexed:
        raise StoreCorrupt("The index holds terms of memories that are not there.", "Run `reverie doctor`.")


SCOPES_KEPT = 32
MEMORIES_KEPT = 2_000_000
"""Most memories in the corpora that are kept; the least recently refreshed are dropped first, the last one never."""

_STATE = """
SELECT s.id, s.version, s.stamp, s.memories, coalesce(s.memories - l.count, 0), m.id,
  coalesce(s.memories - beside.count, 0), second.id
FROM scope s LEFT JOIN model m ON m.key = ? LEFT JOIN lacking l ON l.scope = s.id AND l.model = m.id
  LEFT JOIN model second ON second.key = ?
  LEFT JOIN lacking beside ON beside.scope = s.id AND beside.model = second.id
WHERE s.agent = ? AND s.user = ? AND s.project = ?
"""
_COLUMNS = """
SELECT m.key, kind, s.state, session, place, speaker, role, at, valid_until, length, words,
  CASE WHEN instr(s.data, '"valid_from"') THEN s.data END
FROM memory m LEFT JOIN standing s ON s.memory = m.key WHERE m.key > ? AND m.key < ? ORDER BY m.key
"""
_WHOLE = """
SELECT m.key, kind, s.state, session, place, speaker, role, at, valid_until, length, words,
  CASE WHEN instr(s.data, '"valid_from"') THEN s.data END, tokens, v.data
FROM memory m LEFT JOIN standing s ON s.memory = m.key LEFT JOIN vector v ON v.key = m.key + ?
WHERE m.key > ? AND m.key < ? ORDER BY m.key
"""
_TOKENS, _VECTOR = 12, 13
_CHANGES = "SELECT action, payload FROM event WHERE scope = ? AND position > ? AND action NOT IN ('remember', 'recall')"
_VECTORS_OF = "SELECT key, data FROM vector WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key"
_VECTORS_FROM = "SELECT key, data FROM vector WHERE key BETWEEN ? AND ? ORDER BY key"
_FEW = 1_000
_END = """
SELECT key, valid_until, s.state FROM memory m LEFT JOIN standing s ON s.memory = m.key WHERE scope = ? AND id = ?
"""
_SEEN = ("valid_until", "state")
"""The fields of a memory's life that a corpus contains."""


@dataclass(frozen=True, slots=True)
class LoadedState:
    """The state of a scope that a corpus was made from; the corpus is current as long as the scope's state is equal."""

    scope: int
    version: int
    stamp: int
    memories: int
    embedded: int
    model: int | None
    second_embedded: int
    second: int | None


_NOTHING = LoadedState(0, 0, 0, 0, 0, None, 0, None)


@dataclass(slots=True)
class _Loaded:
    live: LiveCorpus
    state: LoadedState
    seen: object


class Corpora:
    """The corpora kept in memory, by scope and model."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._loaded: OrderedDict[tuple[Scope, ModelInfo | None], _Loaded] = OrderedDict()
        self._unsure = False

    def taken_back(self) -> None:
        """Forget what was read inside a transaction that was rolled back."""
        if self._unsure:
            self.forget()

    def forget(self) -> None:
        """Drop all corpora; each is loaded anew when next needed."""
        self._loaded.clear()
        self._unsure = False

    def view(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, up to date."""
        seen = self._connection.state
        loaded = self._loaded.get((scope, model))
        if loaded is None or loaded.seen != seen:
            loaded = self._refresh(scope, model, loaded)
            loaded.seen = seen
        return loaded.live.view()

    def _refresh(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded | None) -> _Loaded:
        self._unsure |= self._connection.writing
        self._loaded.pop((scope, model), None)  # should this fail midway, the corpus must not be used again
        try:
            with self._connection.reading(), np.errstate(over="raise"):
                loaded = self._read(scope, model, loaded)
        except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
            raise StoreCorrupt(f"The memories of {scope} cannot be read ({error}).", "Run `reverie doctor`.") from error
        self._keep(scope, model, loaded)
        return loaded

    def _read(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded | None) -> _Loaded:
        second = model.second if model else None
        named = (model.key if model else None, second.key if second else None)
        row = self._connection.row(_STATE, (*named, scope.agent, scope.user, scope.project))
        state = _NOTHING if row is None else LoadedState(*row)
        if loaded is None or not self._update(loaded, state):
            live = LiveCorpus(self._access(scope, state.scope), model, state.memories)
            loaded = _Loaded(live, state, None)
            self._append(live, state)
            self._fill(live, state)
        loaded.state = state
        return loaded

    def _update(self, loaded: _Loaded, state: LoadedState) -> bool:
        """Apply to a corpus what changed in the file; False if it must be loaded anew."""
        live, before = loaded.live, loaded.state
        if state == before:
            return True
        if (state.scope, state.stamp) != (before.scope, before.stamp):
            return False
        if state.embedded < before.embedded or state.second_embedded < before.second_embedded:
            return False
        if state.version != before.version:
            changes = self._connection.rows(_CHANGES, (state.scope, before.version))
            if any(action == Action.ERASE for action, _ in changes):
                return False
            self._append(live, state)
            self._set_ends(live, state, _touched(changes))
        self._fill(live, state)
        return True

    def _append(self, live: LiveCorpus, state: LoadedState) -> None:
        """Append new memories to a corpus: a few with their terms and vectors at once, many without."""
        last = int(live.keys[-1]) if len(live.keys) else reads.base(state.scope)
        end = reads.base(state.scope + 1)
        if len(live.keys) and state.memories - len(live.keys) <= TAIL:
            dims = live.vectors.dims if live.vectors else 0
            base = reads.vector_base(state.model or 0)  # no vector has model 0
            for block in self._connection.blocks(_WHOLE, (base, last, end)):
                live.append(_rows(block, [split(row[_TOKENS], state.scope) for row in block]))
                live.fill(*_vectors([(row[0], row[_VECTOR]) for row in block if row[_VECTOR] is not None], dims))
        else:
            for block in self._connection.blocks(_COLUMNS, (last, end)):
                live.append(_rows(block, None))

    def _fill(self, live: LiveCorpus, state: LoadedState) -> None:
        if live.vectors is not None and state.model is not None and live.vectors.embedded != state.embedded:
            self._fill_one(live, live.vectors, state.model, second=False)
        if live.second is not None and state.second is not None and live.second.embedded != state.second_embedded:
            self._fill_one(live, live.second, state.second, second=True)

    def _fill_one(self, live: LiveCorpus, index: VectorIndex, model: int, *, second: bool) -> None:
        base = reads.vector_base(model)
        absent = base + live.keys[index.absent]
        dims = index.dims
        if len(absent) <= _FEW:
            blocks = self._connection.blocks(_VECTORS_OF, (str(absent.tolist()),))
        else:
            blocks = self._connection.blocks(_VECTORS_FROM, (int(absent[0]), int(absent[-1])))
        for block in blocks:
            live.fill(*_vectors([(row[0] - base, row[1]) for row in block], dims), second=second)

    def _set_ends(self, live: LiveCorpus, state: LoadedState, touched: set[str]) -> None:
        found = [self._connection.row(_END, (state.scope, text(memory_id))) for memory_id in touched]
        rows = sorted(
            (row[0], FOREVER if row[1] is None else row[1], _code(row[2])) for row in found if row is not None
        )
        if rows:
            number, ends, states = np.array(rows, np.int64).T
            live.set_valid_until(number, ends)
            live.set_state(number, states)

    def _access(self, scope: Scope, number: int) -> Access:
        connection = self._connection

        def fetch(wanted: list[int]) -> list[Memory]:
            return reads.by_keys(connection, scope, wanted)

        return Access(fetch, lambda name: read(connection, number, name), connection.lock)

    def _keep(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded) -> None:
        self._loaded[scope, model] = loaded
        total = sum(len(held.live.keys) for held in self._loaded.values())
        while len(self._loaded) > 1 and (len(self._loaded) > SCOPES_KEPT or total > MEMORIES_KEPT):
            _, dropped = self._loaded.popitem(last=False)
            total -= len(dropped.live.keys)


def _touched(changes: list[Row]) -> set[str]:
    """Return the ids of memories whose validity or state was changed."""
    touched: set[str] = set()
    for action, payload in changes:
        if payload is None or action not in (Action.FORGET, Action.CHANGE):
            continue
        plain = codec.load(payload)
        if action == Action.FORGET:
            touched.add(plain["memory"])
        else:
            touched.update(one["id"] for one in plain["changes"] if any(name in one["fields"] for name in _SEEN))
    return touched


def _code(state: str | None) -> int:
    """Return the code of a state; a memory without a stored Lifecycle state is active, which has code 0."""
    return 0 if state is None else STATE_CODES[state]


def _begin(said_at: int, life: str | bytes | None) -> int:
    """Return from when a memory is valid, in microseconds: as set in its Lifecycle state, else when it was said."""
    return said_at if life is None else to_micros(beginning(json.loads(string(life))["valid_from"]))


def _vectors(found: list[tuple[int, bytes]], dims: int) -> tuple[IntArray, HalfArray]:
    rows = unpack(b"".join([data for _, data in found]), max(dims, 1))
    if len(rows) != len(found):
        raise ValueError("a vector has not the model's dimensions")
    return np.array([key for key, _ in found], np.int64), rows


def _rows(block: list[Row], tokens: list[list[str]] | None) -> Rows:
    key, kinds, states, sessions, places, speakers, roles, said_at, ends, lengths, words, lives, *_ = zip(
        *block, strict=True
    )
    return Rows(
        keys=np.array(key, np.int64),
        kinds=np.array([KIND_CODES[kind] for kind in kinds], np.int64),
        states=np.array([_code(state) for state in states], np.int64),
        sessions=[string(session) for session in sessions],
        places=np.array(places, np.int64),
        speakers=[string(speaker) for speaker in speakers],
        roles=np.array([ROLE_CODES[role] for role in roles], np.int64),
        said_at=np.array(said_at, np.int64),
        valid_from=np.array([_begin(*said) for said in zip(said_at, lives, strict=True)], np.int64),
        valid_until=np.array([FOREVER if end is None else end for end in ends], np.int64),
        lengths=np.array(lengths, np.float32),
        words=np.array(words, np.float32),
        tokens=tokens,
    )
