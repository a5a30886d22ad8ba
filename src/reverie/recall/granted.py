"""Recall over several scopes: the asker's own corpus, joined with the granted memories of others.

In: corpora, and the ordinals that are granted of each. Out: one corpus for the whole read path, and a stage that gives
granted candidates the weight of vicarious memories. What is not granted takes no part in any count or score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from heapq import heappop, heappush
from itertools import islice

import numpy as np

from reverie.answers import Signal
from reverie.formulas.bm25 import window_sums
from reverie.ports import Corpus, Vectors
from reverie.recall.state import Candidate, RecallState
from reverie.types import (
    RECALLED_STATES,
    ROLE_CODES,
    BoolArray,
    FloatArray,
    IntArray,
    Kind,
    Memory,
    Role,
    Scope,
    State,
    TimeArray,
)

MARK = "vicarious"
"""Name of the signal of a granted candidate; ``about`` is its scope in words."""
WEIGHT = 0.9
"""What the score of a granted memory is multiplied by: that of a vicarious memory (D37)."""
_AT_ONCE = 24
"""How many candidates are checked against their store at once."""
RECALLED = np.array([state in RECALLED_STATES for state in State])
"""Whether memories of each state, by its code, are recalled."""
_AS_THEIRS = np.array([ROLE_CODES[Role.PERSON if role is Role.USER else role] for role in Role])
"""The role of each role's words for somebody else: another scope's user is another person, who gives no orders here."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The granted memories of one scope: its corpus, and their ordinals in it, (m,), ascending."""

    scope: Scope
    corpus: Corpus
    ordinals: IntArray

    def is_same(self, other: Part) -> bool:
        """Whether both have the same memories of the same corpus."""
        return (
            self.scope == other.scope
            and self.corpus is other.corpus
            and np.array_equal(self.ordinals, other.ordinals)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Postings:
    ordinals: IntArray
    counts: FloatArray


class _Places:
    """Where the memories of a joined corpus lie: which part each belongs to, and its ordinal there."""

    def __init__(self, sizes: Sequence[int], chosen: Sequence[IntArray]) -> None:
        self.chosen = chosen
        self.starts = np.concatenate([[0], np.cumsum([len(one) for one in chosen])]).astype(np.int64)
        self.here = [_inverse(size, one, int(at)) for size, one, at in zip(sizes, chosen, self.starts, strict=False)]

    def split(self, ordinals: IntArray) -> Iterator[tuple[int, IntArray, IntArray]]:
        """Yield for each part its number, the rows of ``ordinals`` that are of it, and their ordinals there."""
        whose = np.searchsorted(self.starts, ordinals, side="right") - 1
        for part in range(len(self.chosen)):
            rows = np.flatnonzero(whose == part)
            if len(rows):
                yield part, rows, self.chosen[part][ordinals[rows] - self.starts[part]]

    def masks(self, among: BoolArray | None, sizes: Sequence[int]) -> Iterator[BoolArray]:
        """Yield for each part the mask of its memories that are joined and ``among`` (n,) the wanted; None: all."""
        for part, size in enumerate(sizes):
            mask = np.zeros(size, np.bool_)
            own = self.chosen[part]
            mask[own] = True if among is None else among[self.starts[part] : self.starts[part + 1]]
            yield mask


def _inverse(size: int, chosen: IntArray, start: int) -> IntArray:
    here = np.full(size, -1, np.int64)
    here[chosen] = np.arange(start, start + len(chosen))
    return here


@dataclass(frozen=True, slots=True, eq=False)
class _JoinedVectors:
    """The vectors of several corpora as one; each part's cosines are centred by its own mean."""

    parts: tuple[Vectors, ...]
    sizes: tuple[int, ...]
    places: _Places

    @property
    def embedded(self) -> int:
        """How many of the joined memories have a vector, for a part granted in part by its share."""
        pairs = zip(self.parts, self.sizes, self.places.chosen, strict=True)
        return sum(one.embedded * len(chosen) // size if size else 0 for one, size, chosen in pairs)

    @property
    def mean(self) -> FloatArray:
        """The mean of the first part that has vectors."""
        return next((one.mean for one in self.parts if one.embedded), self.parts[0].mean)

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine, descending, ties by ordinal."""
        masks = self.places.masks(among, self.sizes)
        found = [one.nearest(query, top_k, mask) for one, mask in zip(self.parts, masks, strict=True)]
        ordinals = np.concatenate([here[own] for here, (own, _) in zip(self.places.here, found, strict=True)])
        cosines = np.concatenate([cosine for _, cosine in found])
        order = np.lexsort((ordinals, -cosines))[:top_k]
        return ordinals[order], cosines[order]

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for one without a vector."""
        return self._gathered(ordinals, lambda one, own: one.similarities(query, own))

    def of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories; a row of zeros for one without a vector."""
        ordinals = np.asarray(ordinals, np.int64)
        found = [(rows, self.parts[part].of(own)) for part, rows, own in self.places.split(ordinals)]
        width = max((rows.shape[1] for _, rows in found), default=0)
        result = np.zeros((len(ordinals), width), np.float32)
        for rows, vectors in found:
            if vectors.shape[1]:
                result[rows] = vectors
        return result

    def _gathered(self, ordinals: IntArray, read: Callable[[Vectors, IntArray], FloatArray]) -> FloatArray:
        ordinals = np.asarray(ordinals, np.int64)
        result = np.zeros(len(ordinals), np.float32)
        for part, rows, own in self.places.split(ordinals):
            result[rows] = read(self.parts[part], own)
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _First:
    """The vectors of a corpus's first model, in the form of those of its second."""

    corpus: Corpus

    @property
    def embedded(self) -> int:
        return self.corpus.embedded

    @property
    def mean(self) -> FloatArray:
        centre = self.corpus.centre
        return np.zeros(0, np.float32) if centre is None else centre

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        return self.corpus.nearest(query, top_k, among)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        return self.corpus.similarities(query, ordinals)

    def of(self, ordinals: IntArray) -> FloatArray:
        return self.corpus.vectors_of(ordinals)


class JoinedCorpus:
    """The asker's whole corpus, followed by the granted memories of other scopes (``ports.Corpus``).

    Ordinals below ``own`` are the asker's; the others are granted. Messages keep only those neighbours that are granted
    too.
    """

    def __init__(self, corpus: Corpus, parts: Sequence[Part]) -> None:
        self.own = corpus.size
        self.parts = tuple(parts)
        self._corpora = (corpus, *(part.corpus for part in parts))
        self._sizes = tuple(one.size for one in self._corpora)
        self._places = _Places(self._sizes, [np.arange(self.own), *(part.ordinals for part in parts)])
        self.size = int(self._places.starts[-1])
        self.lengths = self._joined(lambda one: one.lengths)
        self.mean_length = float(self.lengths.sum(dtype=np.float64)) / max(self.size, 1)
        self.words = self._joined(lambda one: one.words)
        self.previous = self._links(lambda one: one.previous)
        self.following = self._links(lambda one: one.following)
        self.said_at: TimeArray = self._joined(lambda one: one.said_at)
        self.valid_from: TimeArray = self._joined(lambda one: one.valid_from)
        self.valid_until: IntArray = self._joined(lambda one: one.valid_until)
        self.kinds: IntArray = self._joined(lambda one: one.kinds)
        self.states: IntArray = self._joined(lambda one: one.states)
        self.roles = _AS_THEIRS[self._joined(lambda one: one.roles)]
        self.roles[: self.own] = corpus.roles
        self.speaker_names, self.speakers = self._voices()
        self._first = _JoinedVectors(tuple(map(_First, self._corpora)), self._sizes, self._places)
        self._counted: dict[object, FloatArray] = {}

    def _joined(self, column: Callable[[Corpus], np.ndarray]) -> np.ndarray:  # type: ignore[type-arg]  # of any type
        return np.concatenate(
            [column(one)[chosen] for one, chosen in zip(self._corpora, self._places.chosen, strict=True)]
        )

    def _links(self, column: Callable[[Corpus], IntArray]) -> IntArray:
        found = []
        for one, chosen, here in zip(self._corpora, self._places.chosen, self._places.here, strict=True):
            links = column(one)[chosen]
            found.append(np.where(links >= 0, here[np.maximum(links, 0)], -1) if len(links) else links)
        return np.concatenate(found)

    def _voices(self) -> tuple[tuple[str, ...], IntArray]:
        """Return the speakers of all joined memories, the asker's first, and the number of each memory's."""
        names = {name: place for place, name in enumerate(self._corpora[0].speaker_names)}
        columns = [self._corpora[0].speakers]
        for part in self.parts:
            numbers = part.corpus.speakers[part.ordinals]
            known = part.corpus.speaker_names
            told = {int(one): names.setdefault(known[int(one)], len(names)) for one in np.unique(numbers)}
            columns.append(np.array([told[int(one)] for one in numbers], np.int64))
        return tuple(names), np.concatenate(columns)

    def recallable(self, now: datetime) -> BoolArray | None:
        """(n,) which memories are valid at ``now`` and in a state that is recalled."""
        awake: BoolArray = RECALLED[self.states] & (self.valid_until > now.timestamp() * 1e6)
        return awake

    def postings(self, term: str) -> _Postings:
        """Return which of the joined memories contain a term, and how often."""
        ordinals, counts = [], []
        for one, here in zip(self._corpora, self._places.here, strict=True):
            found = one.postings(term)
            if len(found.ordinals):
                at = here[found.ordinals]
                is_joined = at >= 0
                ordinals.append(at[is_joined])
                counts.append(found.counts[is_joined])
        if not ordinals:
            return _Postings(np.empty(0, np.int64), np.empty(0, np.float32))
        return _Postings(np.concatenate(ordinals), np.concatenate(counts))

    def window_lengths(self, radius: int) -> FloatArray:
        """(n,) number of terms within ``radius`` messages of each memory, in its session."""
        if radius not in self._counted:
            everyone = np.arange(self.size)
            self._counted[radius] = window_sums(self.lengths, self.previous, self.following, everyone, radius)
        return self._counted[radius]

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """(n,) how many occurrences of any of these terms each memory has."""
        if terms not in self._counted:
            self._counted[terms] = self._joined(lambda one: one.occurrences(terms))
        return self._counted[terms]

    @property
    def embedded(self) -> int:
        """How many memories have a vector of the model."""
        return self._first.embedded

    @cached_property
    def second(self) -> _JoinedVectors | None:
        """The vectors of the second model; None unless every corpus has them."""
        beside = [one.second for one in self._corpora]
        held = tuple(one for one in beside if one is not None)
        return _JoinedVectors(held, self._sizes, self._places) if len(held) == len(beside) else None

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine with the query, descending, ties by ordinal."""
        return self._first.nearest(query, top_k, among)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for one without a vector."""
        return self._first.similarities(query, ordinals)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these memories; 0 for one without a vector."""
        ordinals = np.asarray(ordinals, np.int64)
        result = np.zeros(len(ordinals), np.float32)
        for part, rows, own in self._places.split(ordinals):
            result[rows] = self._corpora[part].cosines(query, own)
        return result

    @property
    def centre(self) -> FloatArray | None:
        """The mean vector of the asker's own memories; without any, of the first part that has vectors."""
        return next((one.centre for one in self._corpora if one.embedded), None)

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories; a row of zeros for one without a vector."""
        return self._first.of(ordinals)

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """Return the memories with these ordinals, in the order given; another scope's user is another person."""
        wanted = np.asarray(ordinals, np.int64)
        found: dict[int, Memory] = {}
        for part, rows, own in self._places.split(wanted):
            memories = self._corpora[part].fetch(own.tolist())
            found |= zip(rows.tolist(), memories if part == 0 else map(as_theirs, memories), strict=True)
        return [found[row] for row in range(len(wanted))]


def as_theirs(memory: Memory) -> Memory:
    """Return a granted memory as its receiver gets it: what its user said was said by another person."""
    return replace(memory, role=Role.PERSON) if memory.role is Role.USER else memory


Outlived = Callable[[Scope, Sequence[str]], set[str]]
"""Function from a scope and episode ids to those whose formed memories are all superseded."""


def weighed(quest: RecallState, own: int, outlived: Outlived) -> RecallState:
    """Weigh the granted candidates as vicarious (ordinals from ``own`` on), and put each where its score belongs.

    Left out are messages from which everything formed is superseded. Candidates are read lazily, a few at a time.
    """
    held = _without_outlived(quest.candidates, own, outlived)
    return replace(quest, candidates=_resorted(held, own))


def is_weighed(candidate: Candidate) -> bool:
    """Whether a candidate has the weight of a granted memory already."""
    return any(signal.name == MARK for signal in candidate.signals)


def weighed_again(quest: RecallState, own: int) -> RecallState:
    """Weigh those granted candidates whose score a later stage computed anew; the others keep their places."""
    return replace(quest, candidates=_resorted(quest.candidates, own))


def lowered(candidate: Candidate) -> Candidate:
    """Return a granted candidate with its weight; a score below 0 falls by as much as one above would."""
    share = -(1.0 - WEIGHT) * abs(candidate.score)
    signal = Signal(MARK, 1.0, WEIGHT, share, str(candidate.memory.scope))
    return replace(candidate, score=candidate.score + share, signals=(*candidate.signals, signal))


def _without_outlived(candidates: Iterable[Candidate], own: int, outlived: Outlived) -> Iterator[Candidate]:
    found = iter(candidates)
    while batch := list(islice(found, _AT_ONCE)):
        asked: dict[Scope, list[str]] = {}
        for one in batch:
            if one.ordinal >= own and one.memory.kind is Kind.EPISODE:
                asked.setdefault(one.memory.scope, []).append(one.memory.id)
        over = {(scope, name) for scope, names in asked.items() for name in outlived(scope, names)}
        yield from (one for one in batch if one.ordinal < own or (one.memory.scope, one.memory.id) not in over)


def _resorted(candidates: Iterable[Candidate], own: int) -> Iterator[Candidate]:
    """Lower the granted among candidates of falling score, and yield all by falling score again, ties by ordinal."""
    waiting: list[tuple[float, int, Candidate]] = []
    for one in candidates:
        while waiting and (waiting[0][0], waiting[0][1]) < (-one.score, one.ordinal):
            yield heappop(waiting)[2]
        if one.ordinal < own or is_weighed(one):
            yield one
        else:
            less = lowered(one)
            heappush(waiting, (-less.score, less.ordinal, less))
    while waiting:
        yield heappop(waiting)[2]
