"""The searchable columns of scopes, kept in memory and up to date; terms are looked up here, not by the server."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from threading import RLock
from typing import Protocol

import numpy as np

from reverie.errors import NotFound, StoreCorrupt
from reverie.stores.codec import FOREVER
from reverie.stores.corpus import Access, CorpusView, LiveCorpus, Rows
from reverie.stores.postgres import rows
from reverie.stores.postgres.connection import Link, Row, Statement
from reverie.stores.postgres.keys import Keys
from reverie.stores.postgres.rows import Box, raw, string
from reverie.stores.vectors import HalfArray, unpack
from reverie.types import KIND_CODES, ROLE_CODES, STATE_CODES, FloatArray, IntArray, Memory, ModelInfo, Scope

SCOPES_KEPT = 64
_BYTES = 2_048
"""About what a memory takes, with a vector of 512 dimensions."""
MEMORIES_KEPT = (512 << 20) // _BYTES
"""Most scopes, and most memories, in the corpora that are kept; the least recently used are dropped first."""

_FEW = 2_000
"""Most new memories that are added to a corpus in the round trip that asks for the scope's state."""
_PAGE = 4_096
"""Rows that are asked for at once; the next page is made while the one before is read."""
_STATE = """
SELECT s.id, s.version, s.stamp, s.memories, m.id, coalesce(s.memories - l.n, 0), b.id, coalesce(s.memories - k.n, 0),
  s.seq, s.head, s.top
FROM scope s LEFT JOIN model m ON m.tenant = s.tenant AND m.key = %s
  LEFT JOIN lacking l ON l.scope = s.id AND l.model = m.id
  LEFT JOIN model b ON b.tenant = s.tenant AND b.key = %s LEFT JOIN lacking k ON k.scope = s.id AND k.model = b.id
WHERE s.tenant = %s AND s.agent = %s AND s.usr = %s AND s.project = %s
"""
_ROWS = """
SELECT ord, kind, state, session, place, speaker, role, at, began, valid_until, length, words, terms
FROM memory WHERE scope = %s AND ord > %s ORDER BY ord LIMIT %s
"""
"""Without vectors: to join them, a server without statistics compared every row with every other."""
_TERMS = 12
_ENDS = """
SELECT DISTINCT m.ord, m.valid_until, m.state FROM touch t JOIN memory m ON m.scope = t.scope AND m.ord = t.ord
WHERE t.scope = %s AND t.event > %s ORDER BY m.ord
"""
_VECTORS = "SELECT ord, v FROM vector WHERE scope = %s AND model = %s AND ord > %s ORDER BY ord LIMIT %s"
_SNAPSHOT: Statement = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
_END: Statement = ("COMMIT", ())


@dataclass(frozen=True, slots=True)
class LoadedState:
    """The state of a scope that a corpus was made from; the corpus is current as long as the scope's state is equal."""

    scope: int = 0
    version: int = 0
    stamp: int = 0
    memories: int = 0
    model: int | None = None
    embedded: int = 0
    second: int | None = None
    second_embedded: int = 0


class Terms:
    """Which memories contain a term: those loaded at first as sorted arrays, later ones as lists."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes: list[IntArray] = []
        self._ords: list[IntArray] = []
        self._starts: IntArray | None = None
        self._sorted: IntArray = np.empty(0, np.int64)
        self._late: dict[str, list[tuple[int, int]]] = {}

    def load(self, ords: Sequence[int], tokens: Sequence[Sequence[str]]) -> None:
        """Add many memories with their tokens."""
        numbers = self._numbers
        flat = list(chain.from_iterable(tokens))
        fresh = [one for one in dict.fromkeys(flat) if one not in numbers]
        numbers.update(zip(fresh, range(len(numbers), len(numbers) + len(fresh)), strict=True))
        self._codes.append(np.fromiter(map(numbers.__getitem__, flat), np.int64, len(flat)))
        self._ords.append(np.repeat(np.array(ords, np.int64), list(map(len, tokens))))

    def add(self, ord_: int, tokens: Sequence[str]) -> None:
        """Add one memory after those loaded."""
        for name, times in Counter(tokens).items():
            self._late.setdefault(name, []).append((ord_, times))

    def find(self, name: str) -> tuple[IntArray, FloatArray]:
        """Return the memories that contain a token, ascending, and how often each does."""
        if self._codes:
            self._sort()
        code, ords, counts = self._numbers.get(name), np.empty(0, np.int64), np.empty(0, np.int64)
        if code is not None and self._starts is not None and code + 1 < len(self._starts):
            ords, counts = np.unique(self._sorted[self._starts[code] : self._starts[code + 1]], return_counts=True)
        if late := self._late.get(name):
            ords = np.append(ords, np.array([ord_ for ord_, _ in late], np.int64))
            counts = np.append(counts, np.array([times for _, times in late], np.int64))
        return ords, counts.astype(np.float32)

    def _sort(self) -> None:
        codes, ords = np.concatenate(self._codes), np.concatenate(self._ords)
        self._sorted = ords[np.argsort(codes, kind="stable")]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(self._numbers)))])
        self._codes, self._ords = [], []


@dataclass(slots=True)
class _Loaded:
    lock: RLock = field(default_factory=RLock)
    live: LiveCorpus | None = None
    terms: Terms = field(default_factory=Terms)
    state: LoadedState = field(default_factory=LoadedState)


class Means(Protocol):
    """What the corpora need of their store."""

    link: Link
    tenant: int
    keys: Keys

    def box(self, scope: Scope) -> Box:
        """Return what seals the scope's words."""
        ...

    def look_again(self) -> None:
        """Drop what this thread saw of its call's scope."""
        ...


class Corpora:
    """The corpora kept in memory, by scope and model."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._link = means.link
        self._lock = RLock()
        self._most = MEMORIES_KEPT
        self._loaded: OrderedDict[tuple[Scope, ModelInfo | None], _Loaded] = OrderedDict()

    def limit(self, most_mb: int) -> None:
        """Keep at most about so many megabytes, counted as memories of ``_BYTES`` each."""
        self._most = max(1, (most_mb << 20) // _BYTES)

    def forget(self, scope: Scope | None = None) -> None:
        """Drop the corpora of a scope, or all; each is loaded anew when next needed."""
        with self._lock:
            for key in [key for key in self._loaded if scope is None or key[0] == scope]:
                del self._loaded[key]

    def view(self, scope: Scope, model: ModelInfo | None, seen: list[Row] | None = None) -> CorpusView:
        """Return the scope's searchable columns, up to date; ``seen``: its state, if that was just asked for."""
        with self._lock:
            loaded = self._loaded.setdefault((scope, model), _Loaded())
            self._loaded.move_to_end((scope, model))
        with loaded.lock:
            try:
                with np.errstate(over="raise"):
                    self._refresh(scope, model, loaded, seen)
            except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
                raise StoreCorrupt(
                    f"The memories of {scope} cannot be read ({error}).", "Run `reverie doctor`."
                ) from error
            finally:
                self._drop_some()
            assert loaded.live is not None
            return loaded.live.view()

    def _drop_some(self) -> None:
        with self._lock:
            total = sum(held.state.memories for held in self._loaded.values())
            while len(self._loaded) > 1 and (len(self._loaded) > SCOPES_KEPT or total > self._most):
                total -= self._loaded.popitem(last=False)[1].state.memories

    def state_query(self, scope: Scope, model: ModelInfo | None) -> Statement:
        """Return the query for the state of a scope."""
        named = [raw(one.key) for one in model.each] if model else []
        keys = [*named, None, None][:2]
        return _STATE, (*keys, self._means.tenant, scope.agent, scope.user, scope.project)

    def _refresh(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded, seen: list[Row] | None) -> None:
        query = self.state_query(scope, model)
        now = _state(self._link.rows(*query) if seen is None else seen)
        if loaded.live is None:
            if not self._load_small(scope, model, loaded, query, now):
                self._load_whole(scope, model, loaded, query)
            return
        before = loaded.state
        if now == before:
            return
        more: list[Statement] = [
            (_ENDS, (before.scope, before.version)),
            (_ROWS, (before.scope, _last(loaded.live), _FEW + 1)),
            (_VECTORS, (before.scope, before.model or 0, _last(loaded.live), _FEW + 1)),
        ]
        found = self._together([query, *more])
        state = _state(found[0])
        if not self._update(scope, loaded, state, found[1:]):
            self._load_whole(scope, model, loaded, query)

    def _together(self, statements: list[Statement]) -> list[list[Row]]:
        """Run queries in one round trip on one state of the store."""
        if self._link.held is not None:
            return self._link.reading(lambda connection: self._link.trip(connection, statements))
        whole = [_SNAPSHOT, *statements, _END]
        return self._link.reading(lambda connection: self._link.trip(connection, whole))[1:-1]

    def _update(self, scope: Scope, loaded: _Loaded, state: LoadedState, found: list[list[Row]]) -> bool:
        """Apply what changed to a corpus (ends of validity, rows, vectors); False if it must be loaded anew."""
        before, live = loaded.state, loaded.live
        ends, fresh, vectors = found
        assert live is not None
        same = (before.scope, before.stamp, before.model, before.second)
        if (state.scope, state.stamp, state.model, state.second) != same or state.version < before.version:
            return False
        if len(fresh) > _FEW or len(live.keys) + len(fresh) != state.memories:
            return False
        box = self._means.box(scope)
        self._append(box, loaded, fresh, few=True)
        if live.vectors is not None:
            live.fill(*_vectors(box, vectors, live.vectors.dims))
        _set_ends(live, [row for row in ends if not fresh or row[0] < fresh[0][0]])
        loaded.state = state
        return self._is_filled(live, state) or self._fill(scope, live, state)

    @staticmethod
    def _is_filled(live: LiveCorpus, state: LoadedState) -> bool:
        first = live.vectors is None or live.vectors.embedded == state.embedded
        return first and (live.second is None or live.second.embedded == state.second_embedded)

    def _fill(self, scope: Scope, live: LiveCorpus, state: LoadedState) -> bool:
        """Add the vectors that were made later; whether all that the scope has are there now."""
        box = self._means.box(scope)
        for index, model, second in ((live.vectors, state.model, False), (live.second, state.second, True)):
            if index is None or model is None:
                continue
            absent = live.keys[index.absent]
            if len(absent) == 0:
                continue
            after, wanted = int(absent[0]) - 1, frozenset(absent.tolist())

            fill = partial(_fill, live, box, wanted, second)
            self._each_page(_VECTORS, (state.scope, model), after, fill)
        return self._is_filled(live, state)

    def _load_small(
        self, scope: Scope, model: ModelInfo | None, loaded: _Loaded, query: Statement, now: LoadedState
    ) -> bool:
        """Load a small corpus in one round trip; False if it is large, or has changed since it was in state ``now``."""
        if not 0 < now.memories <= _PAGE:
            return False
        wanted = [(_ROWS, (now.scope, 0, _PAGE + 1)), (_VECTORS, (now.scope, now.model or 0, 0, _PAGE + 1))]
        asked, found, vectors = self._together([query, *wanted])
        state = _state(asked)
        if (state.scope, state.model, state.memories) != (now.scope, now.model, len(found)):
            return False
        live = self._started(scope, model, loaded, state)
        box = self._means.box(scope)
        self._append(box, loaded, found, few=False)
        if live.vectors is not None:
            live.fill(*_vectors(box, vectors, live.vectors.dims))
        return self._is_filled(live, state) or self._fill(scope, live, state)

    def _started(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded, state: LoadedState) -> LiveCorpus:
        """Begin a corpus that has no rows yet."""
        terms = loaded.terms = Terms()
        live = LiveCorpus(self._access(scope, state.scope, terms, loaded.lock), model, state.memories)
        loaded.live, loaded.state = live, state
        return live

    def _load_whole(self, scope: Scope, model: ModelInfo | None, loaded: _Loaded, query: Statement) -> None:
        """Load a corpus anew, on one state of the store."""
        loaded.live = None
        self._means.keys.forget(scope)
        with self._link.snapshot():
            box = self._means.box(scope)  # raises if its key was destroyed meanwhile
            state = _state(self._link.rows(*query))
            live = self._started(scope, model, loaded, state)
            if state.memories:
                self._each_page(_ROWS, (state.scope,), 0, partial(self._append, box, loaded, few=False))
            if not self._is_filled(live, state):
                self._fill(scope, live, state)

    def _each_page(self, query: str, values: tuple[object, ...], after: int, do: Callable[[list[Row]], object]) -> None:
        """Call ``do`` with page after page of rows, in order of their first column, on one state of the store."""
        with self._link.snapshot():
            held = self._link.held
            assert held is not None
            connection = held()
            page = self._link.trip(connection, [(query, (*values, after, _PAGE))])[0]
            while len(page) == _PAGE:
                self._link.send(connection, [(query, (*values, page[-1][0], _PAGE))])
                try:
                    do(page)
                finally:
                    page = self._link.trip(connection, [])[0]
            if page:
                do(page)

    @staticmethod
    def _append(box: Box, loaded: _Loaded, found: list[Row], *, few: bool) -> None:
        """Add rows; asks the server nothing, as more rows may be under way."""
        live = loaded.live
        if not found or live is None:
            return
        tokens = [rows.tokens_of(box, row[_TERMS]) for row in found]
        if few:
            for row, held in zip(found, tokens, strict=True):
                loaded.terms.add(row[0], held)
        else:
            loaded.terms.load([row[0] for row in found], tokens)
        live.append(_columns(box, found, tokens if few else None))

    def _access(self, scope: Scope, number: int, terms: Terms, lock: RLock) -> Access:
        link, means, box = self._link, self._means, self._means.box(scope)

        def fetch(wanted: list[int]) -> list[Memory]:
            found = link.rows(*rows.by_ord(number, wanted))
            held = {row[0]: row for row in found}
            try:
                return [rows.memory(box, scope, held[ord_]) for ord_ in wanted]
            except KeyError:
                means.look_again()
                raise NotFound("A memory was erased while it was being recalled.", "Ask again.") from None

        return Access(fetch, terms.find, lock)


def _fill(live: LiveCorpus, box: Box, wanted: frozenset[int], second: bool, page: list[Row]) -> None:
    index = live.second if second else live.vectors
    if index is not None:
        live.fill(*_vectors(box, [row for row in page if row[0] in wanted], index.dims), second=second)


def _set_ends(live: LiveCorpus, touched: list[Row]) -> None:
    if touched:
        keys = np.array([row[0] for row in touched], np.int64)
        live.set_valid_until(keys, np.array([FOREVER if row[1] is None else row[1] for row in touched], np.int64))
        live.set_state(keys, np.array([STATE_CODES[row[2]] for row in touched], np.int64))


def _state(found: list[Row]) -> LoadedState:
    return LoadedState(*found[0][:8]) if found else LoadedState()


def _last(live: LiveCorpus) -> int:
    return int(live.keys[-1]) if len(live.keys) else 0


def _vectors(box: Box, found: list[Row], dims: int) -> tuple[IntArray, HalfArray]:
    stored = unpack(b"".join([box.open(data) for _, data in found]), max(dims, 1))
    if len(stored) != len(found):
        raise ValueError("a vector has not the model's dimensions")
    return np.array([ord_ for ord_, _ in found], np.int64), stored


def _columns(box: Box, found: list[Row], tokens: list[list[str]] | None) -> Rows:
    ords, kinds, states, sessions, places, speakers, roles, said, began, ends, lengths, words, *_ = zip(
        *found, strict=True
    )
    names = {one: string(box.open(one)) for one in set(speakers)}
    return Rows(
        keys=np.array(ords, np.int64),
        kinds=np.array([KIND_CODES[kind] for kind in kinds], np.int64),
        states=np.array([STATE_CODES[state] for state in states], np.int64),
        sessions=[session.decode("latin-1") for session in sessions],  # compared, never shown
        places=np.array(places, np.int64),
        speakers=[names[speaker] for speaker in speakers],
        roles=np.array([ROLE_CODES[role] for role in roles], np.int64),
        said_at=np.array(said, np.int64),
        valid_from=np.array(began, np.int64),
        valid_until=np.array([FOREVER if end is None else end for end in ends], np.int64),
        lengths=np.array(lengths, np.float32),
        words=np.array(words, np.float32),
        tokens=tokens,
    )
