"""Recall over several scopes: the asker's own corpus, joined with the granted memories of others.

In: corpora, and the ordinals that are granted of each. Out: one corpus for the whole read path, and a stage that gives
granted candidates the weight of vicarious memories. What is not granted takes no part in any count or score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property
from heapq import heappop, heappush
from itertools import islice
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.answers import Signal
from reverie.formulas.bm25 import window_sums
from reverie.formulas.centring import centre, centred_cosines, centred_lengths
from reverie.ports import Corpus
from reverie.recall.state import Candidate, RecallState
from reverie.types import (
    RECALLED_STATES,
    ROLE_CODES,
    STATE_CODES,
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
"""What the score of a granted memory is multiplied by: that of a vicarious memory."""
KEPT_MAX = 20_000
"""Most vectors of joined corpora that are kept in one array."""
TERMS_KEPT = 4_096
"""Most terms whose joined postings are kept."""
WIDER = 4
"""Factor on the number of vectors that a larger corpus's own search returns, as it centres by another mean."""
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
            self.scope == other.scope and self.corpus is other.corpus and np.array_equal(self.ordinals, other.ordinals)
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

    def masks(self, among: BoolArray | None) -> Iterator[BoolArray]:
        """Yield for each part the mask of its memories that are joined and ``among`` (n,) the wanted; None: all."""
        for own, here, start in zip(self.chosen, self.here, self.starts, strict=False):
            mask = np.zeros(len(here), np.bool_)
            mask[own] = True if among is None else among[start : start + len(own)]
            yield mask


def _inverse(size: int, chosen: IntArray, start: int) -> IntArray:
    here = np.full(size, -1, np.int64)
    here[chosen] = np.arange(start, start + len(chosen))
    return here


_Read = Callable[[IntArray], FloatArray]
"""Function from ordinals of a corpus to their vectors, (m, dimensions); a row of zeros for one without a vector."""
_Near = Callable[[FloatArray, int, BoolArray | None], tuple[IntArray, FloatArray]]


class JoinedVectors:
    """The vectors of several corpora as one (``ports.Vectors``).

    They are centred by the mean of the joined memories alone: a corpus's own mean would tell of what is not granted.
    Up to ``KEPT_MAX`` vectors are kept in one array. Of more, each corpus's own search makes a wider shortlist.
    """

    def __init__(self, places: _Places, read: Sequence[_Read], near: Sequence[_Near]) -> None:
        self._places, self._read, self._near = places, read, near
        self._size = int(places.starts[-1])
        self._kept: FloatArray | None = None
        blocks = [self._rows(start) for start in range(0, self._size, KEPT_MAX)] or [np.zeros((0, 0), np.float32)]
        self._kept = blocks[0] if len(blocks) == 1 else None
        self._present = np.concatenate([rows.any(axis=1) for rows in blocks])
        self.embedded = int(np.count_nonzero(self._present))
        total = np.sum([rows.sum(axis=0, dtype=np.float64) for rows in blocks], axis=0) / max(self.embedded, 1)
        self.mean = centre(total.astype(np.float32), self.embedded)
        self._lengths = np.concatenate([centred_lengths(rows, self.mean) for rows in blocks])

    def _rows(self, start: int) -> FloatArray:
        return self.of(np.arange(start, min(start + KEPT_MAX, self._size)))

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine, descending, ties by ordinal."""
        wanted = self._present if among is None else self._present & among
        if self._kept is None and query.any():
            wanted = wanted & self._shortlist(query, top_k, among)
        ordinals = np.flatnonzero(wanted)
        if not query.any():
            return ordinals[:top_k], np.zeros(min(top_k, len(ordinals)), np.float32)
        cosines = self.similarities(query, ordinals)
        order = np.argsort(-cosines, kind="stable")[:top_k]
        return ordinals[order], cosines[order]

    def _shortlist(self, query: FloatArray, top_k: int, among: BoolArray | None) -> BoolArray:
        found = np.zeros(self._size, np.bool_)
        for near, here, mask in zip(self._near, self._places.here, self._places.masks(among), strict=True):
            found[here[near(query, WIDER * top_k, mask)[0]]] = True
        return found

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for one without a vector."""
        return centred_cosines(query, self.of(ordinals), self.mean, self._lengths[ordinals])

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these memories; 0 for one without a vector."""
        result: FloatArray = np.einsum("ij,j->i", self.of(ordinals), np.asarray(query, np.float32))
        return result

    def of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories; a row of zeros for one without a vector."""
        ordinals = np.asarray(ordinals, np.int64)
        if self._kept is not None:
            return self._kept.take(ordinals, axis=0)
        found = [(rows, self._read[part](own)) for part, rows, own in self._places.split(ordinals)]
        result = np.zeros((len(ordinals), max((rows.shape[1] for _, rows in found), default=0)), np.float32)
        for rows, vectors in found:
            if vectors.shape[1]:
                result[rows] = vectors
        return result


class JoinedCorpus:
    """The asker's whole corpus, followed by the granted memories of other scopes (``ports.Corpus``).

    Ordinals below ``own`` are the asker's; the others are granted. Messages keep only those neighbours that are granted
    too.
    """

    def __init__(self, corpus: Corpus, parts: Sequence[Part]) -> None:
        self.own = corpus.size
        self.parts = tuple(parts)
        self._corpora = (corpus, *(part.corpus for part in parts))
        sizes = [one.size for one in self._corpora]
        self._places = _Places(sizes, [np.arange(self.own), *(part.ordinals for part in parts)])
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
        self.has_superseded = any((part.corpus.states == STATE_CODES[State.SUPERSEDED]).any() for part in self.parts)
        self._found: dict[str, _Postings] = {}
        self._counted: dict[object, FloatArray] = {}

    def _joined(self, column: Callable[[Corpus], npt.NDArray[Any]]) -> npt.NDArray[Any]:
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
        if term not in self._found:
            if len(self._found) >= TERMS_KEPT:
                self._found.clear()
            self._found[term] = self._joined_postings(term)
        return self._found[term]

    def _joined_postings(self, term: str) -> _Postings:
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

    @cached_property
    def _first(self) -> JoinedVectors:
        return JoinedVectors(
            self._places, [one.vectors_of for one in self._corpora], [one.nearest for one in self._corpora]
        )

    @property
    def embedded(self) -> int:
        """How many memories have a vector of the model."""
        return self._first.embedded

    @cached_property
    def second(self) -> JoinedVectors | None:
        """The vectors of the second model; None unless every corpus has them."""
        held = [one.second for one in self._corpora if one.second is not None]
        if len(held) < len(self._corpora):
            return None
        return JoinedVectors(self._places, [one.of for one in held], [one.nearest for one in held])

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine with the query, descending, ties by ordinal."""
        return self._first.nearest(query, top_k, among)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for one without a vector."""
        return self._first.similarities(query, ordinals)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these memories; 0 for one without a vector."""
        return self._first.cosines(query, ordinals)

    @property
    def centre(self) -> FloatArray | None:
        """The mean vector of the joined memories; None without vectors."""
        return self._first.mean if self.embedded else None

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


_NAMES = [field.name for field in fields(Memory)]
_VALUES, _ROLE = attrgetter(*_NAMES), _NAMES.index("role")
_MAKE: Callable[..., Memory] = Memory


def as_theirs(memory: Memory) -> Memory:
    """Return a granted memory as its receiver gets it: what its user said was said by another person."""
    if memory.role is not Role.USER:
        return memory
    values = _VALUES(memory)
    return _MAKE(*values[:_ROLE], Role.PERSON, *values[_ROLE + 1 :])  # `replace` takes four times as long


Outlived = Callable[[Scope, Sequence[str]], set[str]]
"""Function from a scope and episode ids to those whose formed memories are all superseded."""


def weighed(quest: RecallState, own: int, outlived: Outlived | None) -> RecallState:
    """Weigh the granted candidates as vicarious (ordinals from ``own`` on), and put each where its score belongs.

    Left out are messages from which everything formed is superseded (``outlived``; None: nobody superseded anything).
    Candidates are read lazily, a few at a time.
    """
    held = quest.candidates if outlived is None else _without_outlived(quest.candidates, own, outlived)
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
    return candidate.rated(candidate.score + share, (*candidate.signals, signal))


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
