"""Load each scope's corpus for recall from the SQLite file.

Loaded corpora stay in memory and are updated with what any process has written since.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.errors import StoreCorrupt
from reverie.events import Action
from reverie.stores import codec
from reverie.stores.codec import FOREVER
from reverie.stores.corpus import Access, Budget, CorpusView, LiveCorpus, Rows
from reverie.stores.postings import TAIL
from reverie.stores.sqlite import columns, reads, terms
from reverie.stores.sqlite.connection import Connection, Row, string, text
from reverie.stores.vectors import HalfArray, VectorIndex, unpack
from reverie.types import KIND_CODES, ROLE_CODES, STATE_CODES, IntArray, Memory, ModelInfo, Scope

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
_VECTORS_JOINED = """
SELECT CAST(group_concat(data, '') AS BLOB) FROM (SELECT data FROM vector WHERE key BETWEEN ? AND ? ORDER BY key)
"""
"""A row for each vector takes twice as long to fetch."""
_JOINED = 1_024
"""Vectors that are fetched as one value; as many as fit in the processor's cache."""
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
    """The corpora kept in memory, by scope and model: at most so many bytes, the least recently used dropped first."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._loaded: dict[tuple[Scope, ModelInfo | None], _Loaded] = {}
        self._budget = Budget[tuple[Scope, ModelInfo | None]]()
        self._unsure = False

    def taken_back(self) -> None:
        """Forget what was read inside a transaction that was rolled back."""
        if self._unsure:
            self.forget()

    def forget(self) -> None:
        """Drop all corpora; each is loaded anew when next needed."""
        self._loaded.clear()
        self._budget.clear()
        self._unsure = False

    def limit(self, most_mb: int) -> None:
        """Keep at most so many megabytes from now on; corpora above that are dropped when one is next used."""
        self._budget = Budget(most_mb)
        self._loaded.clear()

    def view(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, up to date."""
        seen = self._connection.state
        loaded = self._loaded.get((scope, model))
        if loaded is None or loaded.seen != seen:
            loaded = self._refresh(scope, model, loaded)
            loaded.seen = seen
        view = loaded.live.view()
        for gone in self._budget.used((scope, model), loaded.live.nbytes):
            del self._loaded[gone]
        return view

    def _refresh(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded | None) -> _Loaded:
        self._unsure |= self._connection.writing
        self._budget.drop((scope, model))
        self._loaded.pop((scope, model), None)  # should this fail midway, the corpus must not be used again
        try:
            with self._connection.reading(), np.errstate(over="raise"):
                loaded = self._read(scope, model, loaded)
        except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
            raise StoreCorrupt(f"The memories of {scope} cannot be read ({error}).", "Run `reverie doctor`.") from error
        self._loaded[scope, model] = loaded
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
                live.append(_rows(block, [terms.split(row[_TOKENS], state.scope) for row in block]))
                live.fill(*_vectors([(row[0], row[_VECTOR]) for row in block if row[_VECTOR] is not None], dims))
        else:
            if not len(live.keys) and state.memories >= terms.BLOCK // 2:
                last = self._append_blocks(live, state.scope)
            self._append_rows(live, last, end)

    def _append_blocks(self, live: LiveCorpus, scope: int) -> int:
        """Append the memories of all blocks that have their columns in one value; return the last key of a block."""
        last = reads.base(scope)
        changing = columns.Changing(self._connection, scope, (last, reads.base(scope + 1)))
        query = "SELECT block, columns FROM block WHERE scope = ? ORDER BY block"
        for rows in self._connection.blocks(query, (scope,)):
            for number, data in rows:
                first = reads.base(scope) + number * terms.BLOCK
                self._append_rows(live, last, first)
                live.append(changing.applied(columns.unpacked(data, first)))
                last = first + terms.BLOCK - 1
        return last

    def _append_rows(self, live: LiveCorpus, last: int, end: int) -> None:
        if last + 1 < end:
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
            for block in self._connection.blocks(_VECTORS_OF, (str(absent.tolist()),)):
                live.fill(*_vectors([(row[0] - base, row[1]) for row in block], dims), second=second)
            return
        for first in range(int(absent[0]), int(absent[-1]) + 1, _JOINED):
            last = min(first + _JOINED - 1, int(absent[-1]))
            live.fill(*self._vectors_from(base, first, last, dims), second=second)

    def _vectors_from(self, base: int, first: int, last: int, dims: int) -> tuple[IntArray, HalfArray]:
        """Return the vectors with these keys, and the memories' keys; fetched as one value if none lacks."""
        row = self._connection.row(_VECTORS_JOINED, (first, last))
        if row is not None and row[0] is not None and len(row[0]) == 2 * dims * (last - first + 1):
            return np.arange(first - base, last - base + 1), unpack(row[0], dims)
        return _vectors([(key - base, data) for key, data in self._connection.rows(_VECTORS_FROM, (first, last))], dims)

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

        return Access(fetch, terms.Lookup(connection, number), connection.lock)


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
        valid_from=np.array([columns.begin(*said) for said in zip(said_at, lives, strict=True)], np.int64),
        valid_until=np.array([FOREVER if end is None else end for end in ends], np.int64),
        lengths=np.array(lengths, np.float32),
        words=np.array(words, np.float32),
        tokens=tokens,
    )
