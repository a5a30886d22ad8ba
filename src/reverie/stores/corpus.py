"""The searchable columns of one scope: every store appends rows of memories, recall reads frozen views.

Also each message's neighbours in its session, and the number of terms in the window around each message.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from reverie.formulas.bm25 import window_sums
from reverie.ports import CORPUS_MB
from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.postings import PostingsCache, Tallies, TermPostings
from reverie.stores.vectors import Found, GrowingColumn, HalfArray, VectorIndex, VectorView
from reverie.types import (
    KIND_CODES,
    RECALLED_STATES,
    BoolArray,
    FloatArray,
    IntArray,
    Kind,
    Memory,
    ModelInfo,
    State,
    TimeArray,
)

_NAME_BYTES = 200
"""About how many bytes the name of a speaker or session takes in a table of names."""
_MB = 1_000_000
_BULK = 512
"""From so many rows on, sorting everything once is cheaper than following the chain for each row."""


class SessionLinks:
    """Each message's predecessor and successor in its session; formed memories have neither."""

    __slots__ = ("_codes", "_following", "_last", "_places", "_previous", "_sessions", "_settled")

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._last: dict[int, int] = {}
        self._settled = True
        self._sessions = GrowingColumn(np.int32)
        self._places = GrowingColumn(np.int64)
        self._previous = GrowingColumn(np.int64)
        self._following = GrowingColumn(np.int64)

    @property
    def previous(self) -> IntArray:
        """(n,) ordinal of the message before, −1 for none."""
        self._settle()
        return self._previous.values

    @property
    def following(self) -> IntArray:
        """(n,) ordinal of the message after, −1 for none."""
        self._settle()
        return self._following.values

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, and about those of the sessions' names."""
        columns = (self._sessions, self._places, self._previous, self._following)
        return sum(column.nbytes for column in columns) + len(self._codes) * _NAME_BYTES

    def part(self) -> None:
        """Copy the arrays, so that those already returned no longer change."""
        self._previous.part()
        self._following.part()

    def append(self, chained: BoolArray, sessions: Sequence[str] | Names, places: IntArray) -> None:
        """Add rows; ``chained``: which of them are messages of a session."""
        first, count = len(self._sessions), len(sessions)
        codes = np.where(chained, codes_of(sessions, self._codes), -1)
        self._sessions.extend(codes, count)
        self._places.extend(places, count)
        self._previous.extend(-1, count)
        self._following.extend(-1, count)
        if count >= _BULK or not self._settled:
            self._settled = False
            return
        for ordinal, code in enumerate(codes.tolist(), first):
            if code >= 0:
                self._link(ordinal, code)

    def _link(self, ordinal: int, code: int) -> None:
        places, previous, following = self._places.values, self._previous.values, self._following.values
        after, before = -1, self._last.get(code, -1)
        while before >= 0 and places[before] > places[ordinal]:
            after, before = before, int(previous[before])
        previous[ordinal], following[ordinal] = before, after
        if before >= 0:
            following[before] = ordinal
        if after >= 0:
            previous[after] = ordinal
        else:
            self._last[code] = ordinal

    def _settle(self) -> None:
        """Link all rows at once, after one or many large appends."""
        if self._settled:
            return
        self._settled = True
        sessions, places = self._sessions.values, self._places.values
        rows = np.flatnonzero(sessions >= 0)
        rows = rows[np.lexsort((rows, places[rows], sessions[rows]))]
        codes = sessions[rows]
        same = codes[1:] == codes[:-1]
        before, after = rows[:-1], rows[1:]
        self._previous.values[after] = np.where(same, before, -1)
        self._following.values[before] = np.where(same, after, -1)
        if len(rows):
            self._previous.values[rows[0]] = self._following.values[rows[-1]] = -1
            ends = np.flatnonzero(np.append(~same, True))
            self._last = dict(zip(codes[ends].tolist(), rows[ends].tolist(), strict=True))


class WindowLengths:
    """Terms in the window of ``radius`` messages around each message; computed for a radius when first needed."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[int, GrowingColumn] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return sum(kept.nbytes for kept in self._kept.values())

    def append(self, lengths: FloatArray, links: SessionLinks, held: bool) -> None:
        """Update the windows after messages were added; ``held``: earlier arrays are in use and must not change."""
        for radius, kept in self._kept.items():
            if held:
                kept.part()
            fresh = np.arange(len(kept), len(lengths))
            kept.extend(0.0, len(fresh))
            touched = around(fresh, links, radius)
            kept.values[touched] = window_sums(lengths, links.previous, links.following, touched, radius)

    def find(self, lengths: FloatArray, previous: IntArray, following: IntArray, radius: int) -> FloatArray:
        """(n,) number of terms in the window around each message of these columns."""
        kept = self._kept.get(radius)
        if kept is None:
            kept = self._kept[radius] = GrowingColumn(np.float32)
            everyone = np.arange(len(lengths))
            kept.extend(window_sums(lengths, previous, following, everyone, radius), len(lengths))
        elif len(kept) != len(lengths):  # columns as of an earlier moment, before messages came
            return window_sums(lengths, previous, following, np.arange(len(lengths)), radius)
        return kept.values


def around(centres: IntArray, links: SessionLinks, radius: int) -> IntArray:
    """Return the ordinals of these messages and of all within ``radius`` of them, each once, ascending."""
    found = [centres]
    for neighbours in (links.previous, links.following):
        at = centres
        for _ in range(radius):
            at = neighbours[at]
            at = at[at >= 0]
            found.append(at)
    is_near = np.zeros(len(links.previous), np.bool_)
    is_near[np.concatenate(found)] = True
    return np.flatnonzero(is_near)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a block's rows, each distinct one once: row i has ``distinct[codes[i]]``."""

    distinct: Sequence[str]
    codes: IntArray

    def __len__(self) -> int:
        return len(self.codes)


def codes_of(names: Sequence[str] | Names, known: dict[str, int]) -> IntArray:
    """Return the number of each name in a table of names, (n,); names that come first are added to it."""
    if isinstance(names, Names):
        found = [known.setdefault(name, len(known)) for name in names.distinct]
        return np.array(found, np.int64)[names.codes]
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)


_RECALLED = np.array([state in RECALLED_STATES for state in State])

Fetch: TypeAlias = Callable[[list[int]], list[Memory]]
Read: TypeAlias = Callable[[str], tuple[IntArray, FloatArray]]
"""Function from a token to the keys (ascending) of the memories that contain it, and how often each does."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A block of memories in order of writing; ``keys`` are the store's own, ascending, moments in microseconds."""

    keys: IntArray
    kinds: IntArray
    states: IntArray
    sessions: Sequence[str] | Names
    places: IntArray
    speakers: Sequence[str] | Names
    roles: IntArray
    said_at: IntArray
    valid_from: IntArray
    valid_until: IntArray
    lengths: FloatArray
    words: FloatArray
    tokens: Sequence[Sequence[str]] | None


@dataclass(frozen=True, slots=True)
class Access:
    """How a corpus reads from its store: memories by key, postings by token, and the store's lock."""

    fetch: Fetch
    read: Read
    lock: AbstractContextManager[object]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class CorpusView:
    """The searchable columns of one scope at one moment, unchanged by later writes (``ports.Corpus``)."""

    keys: IntArray
    lengths: FloatArray
    mean_length: float
    words: FloatArray
    previous: IntArray
    following: IntArray
    windows: WindowLengths
    speaker_names: tuple[str, ...]
    speakers: IntArray
    roles: IntArray
    said_at: TimeArray
    valid_from: TimeArray
    valid_until: IntArray
    kinds: IntArray
    states: IntArray
    first_end: int
    awake: BoolArray | None
    vectors: VectorView | None
    second: VectorView | None
    cache: PostingsCache
    tallies: Tallies
    access: Access

    @property
    def size(self) -> int:
        """How many memories there are."""
        return len(self.keys)

    @property
    def embedded(self) -> int:
        """How many memories have a vector of the model."""
        return 0 if self.vectors is None else self.vectors.embedded

    def recallable(self, now: datetime) -> BoolArray | None:
        """(n,) which memories are valid at ``now`` and in a state that is recalled; None when all are."""
        moment = to_micros(now)
        holding = None if moment < self.first_end else self.valid_until > moment
        if self.awake is None or holding is None:
            return holding if self.awake is None else self.awake
        return holding & self.awake

    def postings(self, term: str) -> TermPostings:
        """Return which memories contain a term, and how often."""
        with self.access.lock:
            return self.cache.find(term, len(self.keys))

    def window_lengths(self, radius: int) -> FloatArray:
        """(n,) number of terms within ``radius`` messages of each memory, in its session."""
        with self.access.lock:
            return self.windows.find(self.lengths, self.previous, self.following, radius)

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """(n,) how many occurrences of any of these terms each memory has."""
        with self.access.lock:
            return self.tallies.find(terms, len(self.keys), self.cache.find)

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> Found:
        """Return the ``top_k`` memories of highest centred cosine with the query, descending, ties by ordinal."""
        if self.vectors is None or self.vectors.embedded == 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return self.vectors.nearest(query, top_k, among)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for one without a vector."""
        if self.vectors is None:
            return np.zeros(len(ordinals), np.float32)
        return self.vectors.similarities(query, ordinals)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these memories; 0 for one without a vector."""
        if self.vectors is None:
            return np.zeros(len(ordinals), np.float32)
        return self.vectors.cosines(query, ordinals)

    @property
    def centre(self) -> FloatArray | None:
        """The mean vector that is subtracted from query and memories; None without vectors."""
        return None if self.vectors is None else self.vectors.mean

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories; a row of zeros for one without a vector."""
        if self.vectors is None:
            return np.zeros((len(ordinals), 0), np.float32)
        return self.vectors.of(ordinals)

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """Return the memories with these ordinals, in the order given.

        Raises:
            NotFound: one of them was erased since this view was taken.
        """
        with self.access.lock:
            return self.access.fetch(self.keys[np.asarray(ordinals, np.int64)].tolist())


class LiveCorpus:
    """The columns of one scope, to which a store appends; ``view`` freezes them. Guarded by the store's lock."""

    def __init__(self, access: Access, model: ModelInfo | None, expected: int = 0) -> None:
        self._access = access
        self._keys = GrowingColumn(np.int64)
        self._lengths = GrowingColumn(np.float32)
        self._words = GrowingColumn(np.float32)
        self._speakers = GrowingColumn(np.int64)
        self._roles = GrowingColumn(np.int64)
        self._said_at = GrowingColumn(np.float64)
        self._valid_from = GrowingColumn(np.float64)
        self._valid_until = GrowingColumn(np.int64)
        self._kinds = GrowingColumn(np.int8)
        self._states = GrowingColumn(np.int8)
        self._awake = GrowingColumn(np.bool_)
        self._first_end = FOREVER
        self._links = SessionLinks()
        self._windows = WindowLengths()
        self._terms = 0.0
        self._names: dict[str, int] = {}
        self._speaker_names: tuple[str, ...] = ()
        self._cache = PostingsCache(self._read)
        self._tallies = Tallies()
        beside = None if model is None else model.second
        self.vectors = None if model is None else VectorIndex(model.dims, expected)
        self.second = None if beside is None else VectorIndex(beside.dims, expected)
        for column in self._columns:
            column.reserve(expected)
        self._view: CorpusView | None = None
        self._views: list[weakref.ref[CorpusView]] = []

    @property
    def keys(self) -> IntArray:
        """(n,) the store's keys, ascending."""
        return self._keys.values

    @property
    def nbytes(self) -> int:
        """Bytes of everything that is kept for the scope: columns, vectors, cached postings."""
        vectors = sum(index.nbytes for index in (self.vectors, self.second) if index is not None)
        derived = self._links.nbytes + self._windows.nbytes + self._cache.nbytes + self._tallies.nbytes
        return sum(one.nbytes for one in self._columns) + vectors + derived + len(self._names) * _NAME_BYTES

    @property
    def _columns(self) -> tuple[GrowingColumn, ...]:
        rows = self._keys, self._lengths, self._words, self._speakers, self._roles, self._said_at, self._valid_from
        return (*rows, self._valid_until, self._kinds, self._states, self._awake)

    def ordinals(self, keys: IntArray) -> IntArray:
        """Return the ordinals of memories by key."""
        if len(keys) > 1:  # many are usually a run without a gap, and need not be searched one by one
            first = int(np.searchsorted(self._keys.values, keys[0]))
            if np.array_equal(self._keys.values[first : first + len(keys)], keys):
                return np.arange(first, first + len(keys))
        return np.searchsorted(self._keys.values, keys)

    def append(self, rows: Rows) -> None:
        """Add memories, without vectors."""
        held = self._is_held()
        if held:
            self._links.part()
        count = len(rows.keys)
        self._keys.extend(rows.keys, count)
        self._lengths.extend(rows.lengths, count)
        self._words.extend(rows.words, count)
        self._roles.extend(rows.roles, count)
        self._said_at.extend(rows.said_at / 1e6, count)
        self._valid_from.extend(rows.valid_from / 1e6, count)
        self._valid_until.extend(rows.valid_until, count)
        self._first_end = min(self._first_end, int(rows.valid_until.min(initial=FOREVER)))
        self._speakers.extend(codes_of(rows.speakers, self._names), count)
        self._kinds.extend(rows.kinds, count)
        self._states.extend(rows.states, count)
        self._awake.extend(_RECALLED[rows.states], count)
        self._links.append(rows.kinds == KIND_CODES[Kind.EPISODE], rows.sessions, rows.places)
        self._terms += float(rows.lengths.sum(dtype=np.float64))  # whole numbers: exact in any order
        self._windows.append(self._lengths.values, self._links, held)
        self._cache.append(rows.tokens, count)
        self._tallies.append(rows.tokens)
        for index in (self.vectors, self.second):
            if index is not None:
                index.extend(count)

    def set_valid_until(self, keys: IntArray, moments: IntArray) -> None:
        """Change until when memories are valid (microseconds)."""
        if self._is_held():
            self._valid_until.part()
        self._valid_until.values[self.ordinals(keys)] = moments
        self._first_end = int(self._valid_until.values.min(initial=FOREVER))

    def set_state(self, keys: IntArray, states: IntArray) -> None:
        """Change the states of memories; ``states`` are codes (``STATE_CODES``)."""
        if self._is_held():
            self._states.part()
            self._awake.part()
        ordinals = self.ordinals(keys)
        self._states.values[ordinals] = states
        self._awake.values[ordinals] = _RECALLED[states]

    def fill(self, keys: IntArray, rows: HalfArray, *, second: bool = False) -> None:
        """Set the vectors of memories; ``second``: those of the corpus's second model."""
        index = self.second if second else self.vectors
        if index is not None:
            self._view = None
            index.fill(self.ordinals(keys), rows)

    def view(self) -> CorpusView:
        """Return the scope as it is now; the same object while nothing changes."""
        if self._view is None:
            if len(self._speaker_names) != len(self._names):
                self._speaker_names = tuple(self._names)
            self._view = CorpusView(
                keys=self._keys.values,
                lengths=self._lengths.values,
                mean_length=self._terms / max(len(self._keys), 1),
                words=self._words.values,
                previous=self._links.previous,
                following=self._links.following,
                windows=self._windows,
                speaker_names=self._speaker_names,
                speakers=self._speakers.values,
                roles=self._roles.values,
                said_at=self._said_at.values,
                valid_from=self._valid_from.values,
                valid_until=self._valid_until.values,
                kinds=self._kinds.values,
                states=self._states.values,
                first_end=self._first_end,
                awake=None if self._awake.values.all() else self._awake.values,
                vectors=None if self.vectors is None else self.vectors.view(),
                second=None if self.second is None else self.second.view(),
                cache=self._cache,
                tallies=self._tallies,
                access=self._access,
            )
            self._views = [view for view in self._views if view() is not None] + [weakref.ref(self._view)]
        return self._view

    def _is_held(self) -> bool:
        """Whether a view is still in use, so that old rows must be copied before they change."""
        self._view = None
        self._views = [view for view in self._views if view() is not None]
        return bool(self._views)

    def _read(self, name: str) -> tuple[IntArray, FloatArray]:
        keys, counts = self._access.read(name)
        last = self._keys.values[-1] if len(self._keys) else -1
        if len(keys) and keys[-1] > last:  # written since this corpus was last brought up to date
            end = int(np.searchsorted(keys, last, side="right"))
            keys, counts = keys[:end], counts[:end]
        return self.ordinals(keys), counts


K = TypeVar("K")


class Budget(Generic[K]):
    """Which of the things kept in memory to drop, so that together they take at most so many megabytes.

    The least recently used are dropped first, the one just used never.
    """

    def __init__(self, most_mb: int = CORPUS_MB) -> None:
        self.most = most_mb * _MB
        self._sizes: OrderedDict[K, int] = OrderedDict()
        self._total = 0

    def used(self, key: K, size: int) -> list[K]:
        """Note that a thing was used and how many bytes it takes now; return the keys of those to drop."""
        self.drop(key)
        self._sizes[key] = size
        self._total += size
        gone = []
        while self._total > self.most and len(self._sizes) > 1:
            dropped, freed = self._sizes.popitem(last=False)
            self._total -= freed
            gone.append(dropped)
        return gone

    def drop(self, key: K) -> None:
        """Forget a thing that is no longer kept; unknown ones are ignored."""
        self._total -= self._sizes.pop(key, 0)

    def clear(self) -> None:
        """Forget everything."""
        self._sizes.clear()
        self._total = 0

    @property
    def total(self) -> int:
        """Bytes of all that is kept."""
        return self._total
