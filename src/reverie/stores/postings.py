"""Postings of one scope: which memories contain a term, read from the store when first needed and then cached.

Terms are encoded as tokens of letters and digits that any tokeniser leaves unchanged. How often the terms of a list
occur in each message is cached the same way.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

import numpy as np

from reverie.stores.vectors import GrowingColumn
from reverie.types import FloatArray, IntArray

_LONGEST = 120
_MORE = "!-/:-`{-\x7f\u00a6\u00a7]|[\ud800-\udfff]"
_UNSAFE = re.compile(f"[\x00- {_MORE}")
"""All but lower-case ASCII, digits and what lies beyond ASCII; also § (the escape), ¦ (the separator), lone surrogates.
Lists what must be escaped, because that compiles ten times as fast as the complement."""
_UNSAFE_IN_LINE = re.compile(f"[\x00-\x1f{_MORE}")


def tokens_line(prefix: str, terms: Sequence[str]) -> str:
    """Return the tokens of terms, each with the prefix, separated by spaces."""
    joined = " ".join(terms)
    is_plain = _UNSAFE_IN_LINE.search(joined) is None and joined.count(" ") == len(terms) - 1
    if is_plain and max(map(len, terms)) <= _LONGEST:  # nearly always, and many times faster than term by term
        return prefix + joined.replace(" ", " " + prefix)
    return " ".join([prefix + token(term) for term in terms])


def token(term: str) -> str:
    """Encode a term as a token. Different terms have different tokens (very long ones by their SHA-256)."""
    if _UNSAFE.search(term) is not None:
        term = _UNSAFE.sub(lambda found: f"§{ord(found.group()):x}§", term)
    if len(term) > _LONGEST:
        return "§§" + sha256(term.encode("utf-8", "surrogatepass")).hexdigest()
    return term


Source: TypeAlias = Callable[[str], tuple[IntArray, FloatArray]]
"""Function from a token to the ascending ordinals of the memories that contain it so far, and how often each does."""

KEPT = 4_000_000
"""Most entries kept for one scope (12 bytes each); the least recently used terms are dropped first."""

TAIL = 4_096
"""Most new memories whose terms are kept apart before they are merged into the cached postings."""


_ENTRY_BYTES, _TERM_BYTES, _TAIL_BYTES = 12, 500, 1_500
"""About how many bytes an entry takes, a term beside its entries, and a memory in the tail (some 12 terms)."""


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Ascending ordinals of the memories that contain a term, and how often each does."""

    ordinals: IntArray
    counts: FloatArray


@dataclass(slots=True)
class _Kept:
    postings: TermPostings
    covered: int


class PostingsCache:
    """Cached postings of one scope by token; also for an earlier moment, when the scope had fewer memories."""

    __slots__ = ("_entries", "_kept", "_limit", "_size", "_source", "_tail", "_tail_start")

    def __init__(self, source: Source, limit: int = KEPT) -> None:
        self._source = source
        self._limit = limit
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._entries = 0
        self._size = 0
        self._tail: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._tail_start = 0

    @property
    def nbytes(self) -> int:
        """About how many bytes the cached postings take."""
        fresh = self._size - self._tail_start if self._tail else 0
        return self._entries * _ENTRY_BYTES + len(self._kept) * _TERM_BYTES + fresh * _TAIL_BYTES

    def append(self, tokens: Sequence[Sequence[str]] | None, count: int) -> None:
        """Add ``count`` memories with these tokens; None: postings are read from the source again when needed."""
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
                if name in self._kept:  # extending one may evict another
                    self._extend(name)
            self._tail.clear()
            self._tail_start = self._size

    def find(self, term: str, size: int) -> TermPostings:
        """Return the postings of a term among the first ``size`` memories."""
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


class Tallies:
    """For lists of terms, how often any term of the list occurs in each message; computed when first needed."""

    __slots__ = ("_kept", "_names")

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], GrowingColumn] = {}
        self._names: dict[tuple[str, ...], frozenset[str]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the counts."""
        return sum(kept.nbytes for kept in self._kept.values())

    def append(self, tokens: Sequence[Sequence[str]] | None) -> None:
        """Add messages with these tokens; None: counts are computed again when next needed."""
        if tokens is None:
            self._kept.clear()
            return
        for terms, kept in self._kept.items():
            names = self._names[terms]
            kept.extend([sum([name in names for name in held]) for held in tokens], len(tokens))

    def find(self, terms: tuple[str, ...], size: int, postings: Callable[[str, int], TermPostings]) -> FloatArray:
        """(size,) occurrences in the first ``size`` messages; ``postings(term, size)`` gives those of one term."""
        kept = self._kept.get(terms)
        if kept is None or len(kept) < size:
            counts = np.zeros(size, np.float32)
            for term in terms:
                found = postings(term, size)
                counts[found.ordinals] += found.counts
            kept = self._kept[terms] = GrowingColumn(np.float32)
            kept.extend(counts, size)
            self._names[terms] = frozenset(token(term) for term in terms)
        return kept.values[:size]
