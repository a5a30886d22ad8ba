"""How often the words of a list occur in each message: kept for a whole scope, extended as messages are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reverie.stores.columns import Column
from reverie.stores.postings import TermPostings
from reverie.stores.tokens import token
from reverie.types import FloatArray


class Tallies:
    """By list of terms, the occurrences of all of them in each message; for the few lists somebody keeps asking for."""

    __slots__ = ("_kept", "_names")

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], Column] = {}
        self._names: dict[tuple[str, ...], frozenset[str]] = {}

    def append(self, tokens: Sequence[Sequence[str]] | None) -> None:
        """Messages were added with these tokens; None: they are to be read when next asked for."""
        if tokens is None:
            self._kept.clear()
            return
        for terms, kept in self._kept.items():
            names = self._names[terms]
            kept.extend([sum([name in names for name in held]) for held in tokens], len(tokens))

    def find(self, terms: tuple[str, ...], size: int, postings: Callable[[str, int], TermPostings]) -> FloatArray:
        """(size,) occurrences in the first ``size`` messages; ``postings`` of a term among so many."""
        kept = self._kept.get(terms)
        if kept is None or len(kept) < size:
            counts = np.zeros(size, np.float32)
            for term in terms:
                found = postings(term, size)
                counts[found.ordinals] += found.counts
            kept = self._kept[terms] = Column(np.float32)
            kept.extend(counts, size)
            self._names[terms] = frozenset(token(term) for term in terms)
        return kept.values[:size]
