"""The searchable columns of one scope: blocks of rows in, frozen views out. Both stores fill the same corpus.

A view stays as of its moment while the corpus behind it grows; columns that can change in old rows (neighbours,
validity) are copied first if somebody still holds a view.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import numpy as np

from reverie.stores.columns import Column
from reverie.stores.links import Links
from reverie.stores.moments import FOREVER, to_micros
from reverie.stores.postings import PostingsCache, TermPostings
from reverie.stores.tallies import Tallies
from reverie.stores.vectors import Found, HalfArray, VectorIndex, VectorView
from reverie.stores.windows import WindowLengths
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

_RECALLED = np.array([state in RECALLED_STATES for state in State])

Fetch: TypeAlias = Callable[[list[int]], list[Memory]]
Read: TypeAlias = Callable[[str], tuple[IntArray, FloatArray]]
"""token → keys (ascending) of the memories that hold it, and how often."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A block of memories in order of writing; ``keys`` are the store's own, ascending, moments in microseconds."""

    keys: IntArray
    kinds: IntArray
    states: IntArray
    sessions: Sequence[str]
    places: IntArray
    speakers: Sequence[str]
    roles: IntArray
    said_at: IntArray
    valid_from: IntArray
    valid_until: IntArray
    lengths: FloatArray
    words: FloatArray
    tokens: Sequence[Sequence[str]] | None


@dataclass(frozen=True, slots=True)
class Access:
    """How a corpus reaches back into its store: memories and postings by key, under the store's lock."""

    fetch: Fetch
    read: Read
    lock: AbstractContextManager[object]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class CorpusView:
    """One scope as of one moment (``ports.Corpus``)."""

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
        """How many memories."""
        return len(self.keys)

    @property
    def embedded(self) -> int:
        """How many of them have a vector of the model."""
        return 0 if self.vectors is None else self.vectors.embedded

    def recallable(self, now: datetime) -> BoolArray | None:
        """(n,) which memories hold at ``now`` and are in a state that is recalled; None when all are."""
        moment = to_micros(now)
        holding = None if moment < self.first_end else self.valid_until > moment
        if self.awake is None or holding is None:
            return holding if self.awake is None else self.awake
        return holding & self.awake

    def postings(self, term: str) -> TermPostings:
        """Where the term occurs."""
        with self.access.lock:
            return self.cache.find(term, len(self.keys))

    def window_lengths(self, radius: int) -> FloatArray:
        """(n,) terms within ``radius`` messages of each memory, in its session."""
        with self.access.lock:
            return self.windows.find(self.lengths, self.previous, self.following, radius)

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """(n,) how often any of these terms occurs in each memory."""
        with self.access.lock:
            return self.tallies.find(terms, len(self.keys), self.cache.find)

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> Found:
        """The ``top_k`` memories of highest centred cosine, descending, ties by ordinal."""
        if self.vectors is None or self.vectors.embedded == 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return self.vectors.nearest(query, top_k, among)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Exact centred cosines of these memories; 0 where one has no vector."""
        if self.vectors is None:
            return np.zeros(len(ordinals), np.float32)
        return self.vectors.similarities(query, ordinals)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Exact raw cosines of these memories; 0 where one has no vector."""
        if self.vectors is None:
            return np.zeros(len(ordinals), np.float32)
        return self.vectors.cosines(query, ordinals)

    @property
    def centre(self) -> FloatArray | None:
        """Where query and memory are seen from; None without vectors."""
        return None if self.vectors is None else self.vectors.mean

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """The vectors of these memories; a row of zeros where one has none."""
        if self.vectors is None:
            return np.zeros((len(ordinals), 0), np.float32)
        return self.vectors.of(ordinals)

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """The memories themselves, in the order asked for.

        Raises:
            NotFound: one of them was erased since this view was taken.
        """
        with self.access.lock:
            return self.access.fetch(self.keys[np.asarray(ordinals, np.int64)].tolist())


class LiveCorpus:
    """The growing columns of one scope behind its views; guarded by the store's lock."""

    def __init__(self, access: Access, model: ModelInfo | None, expected: int = 0) -> None:
        self._access = access
        self._keys = Column(np.int64)
        self._lengths = Column(np.float32)
        self._words = Column(np.float32)
        self._speakers = Column(np.int64)
        self._roles = Column(np.int64)
        self._said_at = Column(np.float64)
        self._valid_from = Column(np.float64)
        self._valid_until = Column(np.int64)
        self._kinds = Column(np.int8)
        self._states = Column(np.int8)
        self._awake = Column(np.bool_)
        self._first_end = FOREVER
        self._links = Links()
        self._windows = WindowLengths()
        self._terms = 0.0
        self._names: dict[str, int] = {}
        self._speaker_names: tuple[str, ...] = ()
        self._cache = PostingsCache(self._read)
        self._tallies = Tallies()
        beside = None if model is None else model.second
        self.vectors = None if model is None else VectorIndex(model.dims, expected)
        self.second = None if beside is None else VectorIndex(beside.dims, expected)
        self._view: CorpusView | None = None
        self._views: list[weakref.ref[CorpusView]] = []

    @property
    def keys(self) -> IntArray:
        """(n,) the store's keys, ascending."""
        return self._keys.values

    def ordinals(self, keys: IntArray) -> IntArray:
        """The ordinals of memories by key."""
        return np.searchsorted(self._keys.values, keys)

    def append(self, rows: Rows) -> None:
        """Add memories; none of them has a vector yet."""
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
        self._speakers.extend([self._names.setdefault(name, len(self._names)) for name in rows.speakers], count)
        self._kinds.extend(rows.kinds, count)
        self._states.extend(rows.states, count)
        self._awake.extend(_RECALLED[rows.states], count)
        self._links.append(rows.kinds == KIND_CODES[Kind.EPISODE], rows.sessions, rows.places)
        self._terms += float(rows.lengths.sum(dtype=np.float64))  # whole numbers: exact in whatever order
        self._windows.append(self._lengths.values, self._links, held)
        self._cache.append(rows.tokens, count)
        self._tallies.append(rows.tokens)
        for index in (self.vectors, self.second):
            if index is not None:
                index.extend(count)

    def set_valid_until(self, keys: IntArray, moments: IntArray) -> None:
        """Change the validity of memories."""
        if self._is_held():
            self._valid_until.part()
        self._valid_until.values[self.ordinals(keys)] = moments
        self._first_end = int(self._valid_until.values.min(initial=FOREVER))

    def set_state(self, keys: IntArray, states: IntArray) -> None:
        """Change the state of memories, by code."""
        if self._is_held():
            self._states.part()
            self._awake.part()
        ordinals = self.ordinals(keys)
        self._states.values[ordinals] = states
        self._awake.values[ordinals] = _RECALLED[states]

    def fill(self, keys: IntArray, rows: HalfArray, *, second: bool = False) -> None:
        """Set the vectors of memories; ``second``: those of the model that stands beside the corpus's own."""
        index = self.second if second else self.vectors
        if index is not None:
            self._view = None
            index.fill(self.ordinals(keys), rows)

    def view(self) -> CorpusView:
        """The scope as it is now; the same object while nothing changes."""
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
        """Whether somebody still holds a view, so that old rows must be copied before they change."""
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
