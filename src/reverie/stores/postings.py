"""Where terms occur in one scope: read from the store when first asked for, kept, extended as memories are written."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from reverie.stores.tokens import token
from reverie.types import FloatArray, IntArray

Source: TypeAlias = Callable[[str], tuple[IntArray, FloatArray]]
"""token → ascending ordinals of every memory written so far that holds it, and how often."""

KEPT = 4_000_000
"""Most entries kept for one scope (12 bytes each): the terms not asked for longest go first."""

TAIL = 4_096
"""Memories whose terms are kept at hand before they are merged into the kept postings and forgotten."""


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Ascending ordinals of the memories that hold a term, and how often each does."""

    ordinals: IntArray
    counts: FloatArray


@dataclass(slots=True)
class _Kept:
    postings: TermPostings
    covered: int


class PostingsCache:
    """Postings of one scope by token, good for every moment since the scope was loaded."""

    __slots__ = ("_entries", "_kept", "_limit", "_size", "_source", "_tail", "_tail_start")

    def __init__(self, source: Source, limit: int = KEPT) -> None:
        self._source = source
        self._limit = limit
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._entries = 0
        self._size = 0
        self._tail: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._tail_start = 0

    def append(self, tokens: Sequence[Sequence[str]] | None, count: int) -> None:
        """Note ``count`` new memories; ``tokens`` None: they are to be read from the source when asked for."""
        if tokens is None:
            self._forget()
            self._size = self._tail_start = self._size + count
            return
        for ordinal, held in enumerate(tokens, self._size):
            for name, times in Counter(held).items():
                self._tail[name].append((ordinal, times))
        self._size += count
        if self._size - self._tail_start > TAIL:
            for name in list(self._kept):
                if name in self._kept:  # extending one may push another out
                    self._extend(name)
            self._tail.clear()
            self._tail_start = self._size

    def find(self, term: str, size: int) -> TermPostings:
        """Postings of a term among the first ``size`` memories."""
        name = token(term)
        kept = self._kept.get(name)
        if kept is None or kept.covered < self._tail_start:
            kept = self._load(name)
        elif kept.covered < self._size:
            kept = self._extend(name)
        self._kept.move_to_end(name)
        postings = kept.postings
        if len(postings.ordinals) and postings.ordinals[-1] >= size:
            end = int(np.searchsorted(postings.ordinals, size))
            return TermPostings(postings.ordinals[:end], postings.counts[:end])
        return postings

    def _load(self, name: str) -> _Kept:
        ordinals, counts = self._source(name)
        return self._keep(name, TermPostings(ordinals, counts))

    def _extend(self, name: str) -> _Kept:
        kept = self._kept[name]
        fresh = [entry for entry in self._tail.get(name, ()) if entry[0] >= kept.covered]
        if not fresh:
            kept.covered = self._size
            return kept
        old = kept.postings
        ordinals = np.append(old.ordinals, np.array([ordinal for ordinal, _ in fresh], np.int64))
        counts = np.append(old.counts, np.array([times for _, times in fresh], np.float32))
        return self._keep(name, TermPostings(ordinals, counts))

    def _keep(self, name: str, postings: TermPostings) -> _Kept:
        before = self._kept.pop(name, None)
        self._entries += len(postings.ordinals) - (len(before.postings.ordinals) if before else 0)
        kept = self._kept[name] = _Kept(postings, self._size)
        while self._entries > self._limit and len(self._kept) > 1:
            self._entries -= len(self._kept.popitem(last=False)[1].postings.ordinals)
        return kept

    def _forget(self) -> None:
        self._kept.clear()
        self._tail.clear()
        self._entries = 0
