"""Which formed memories a fact candidate is close to, by vectors or shared stems, and the edges drawn to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.encode.facts import FactCandidate
from reverie.encode.settings import RelateSettings
from reverie.formulas.text_similarity import text_cosine
from reverie.language.text.analyzer import index_terms
from reverie.language.text.coverage import Linkable, link
from reverie.ports import Bond, Corpus, Scale, as_it_is
from reverie.types import KIND_CODES, BoolArray, FloatArray, IntArray, Kind, Memory, Relation, RelationKind

_EPISODE = KIND_CODES[Kind.EPISODE]
_POOL = 16
"""Candidates by centred cosine, of which the nearest by raw cosine are taken: the corpus is searched centred."""
_RAREST = 8
"""Terms that bring candidates where there are no vectors."""


@dataclass(frozen=True, slots=True)
class Near:
    """A formed memory and its similarity to a thought, in [−1, 1].

    ``centred``: their cosine seen from the middle of the scope; None where there are no vectors.
    """

    memory: Memory
    similarity: float
    centred: float | None = None


@dataclass(frozen=True, slots=True)
class NeighbourSearch:
    """What is looked for: a text, its vector where there is one, and on which scale its cosines are read."""

    text: str
    vector: FloatArray | None
    scale: Scale = as_it_is


def nearest(search: NeighbourSearch, corpus: Corpus, at: datetime, now: datetime, top_k: int) -> tuple[Near, ...]:
    """The ``top_k`` most similar formed memories that are awake and held ``at``, best first, ties by order of writing.

    What was bounded in time and has run out since counts if it held when this was said; what was forgotten does not.
    """
    among = _formed(corpus, min(at, now))
    if not among.any():
        return ()
    vector = search.vector
    if vector is not None and vector.any() and corpus.embedded:
        found = _by_vector(vector, search.scale, corpus, among, top_k)
    else:
        found = _by_text(search.text, corpus, among, top_k)
    held = [near for near in found if _holds(near.memory, now)]
    return tuple(sorted(held, key=lambda near: -near.similarity))


def _by_vector(vector: FloatArray, scale: Scale, corpus: Corpus, among: BoolArray, top_k: int) -> list[Near]:
    ordinals, centred = corpus.nearest(vector, max(top_k, _POOL), among)
    cosines = corpus.cosines(vector, ordinals)
    best = np.lexsort((ordinals, -cosines))[:top_k]
    found = zip(corpus.fetch(ordinals[best].tolist()), cosines[best].tolist(), centred[best].tolist(), strict=True)
    return [Near(memory, scale(cosine), own) for memory, cosine, own in found]


def _by_text(text: str, corpus: Corpus, among: BoolArray, top_k: int) -> list[Near]:
    counts = Counter(index_terms(text))
    memories = corpus.fetch(_sharing(counts, corpus, among, top_k).tolist())
    return [Near(memory, text_cosine(counts, Counter(index_terms(memory.text)))) for memory in memories]


def _holds(memory: Memory, now: datetime) -> bool:
    return memory.holds_at(now) or memory.standing.time_bounded


def _formed(corpus: Corpus, at: datetime) -> BoolArray:
    formed: BoolArray = np.asarray(corpus.kinds != _EPISODE)
    awake = corpus.recallable(at)
    return formed if awake is None else formed & awake


def _sharing(counts: Counter[str], corpus: Corpus, among: BoolArray, top_k: int) -> IntArray:
    """The memories that share most of the rarest terms."""
    found = [postings.ordinals for term in counts if len((postings := corpus.postings(term)).ordinals)]
    rarest = sorted(found, key=len)[:_RAREST]
    if not rarest:
        return np.empty(0, np.int64)
    ordinals, shared = np.unique(np.concatenate(rarest), return_counts=True)
    kept = among[ordinals]
    ordinals, shared = ordinals[kept], shared[kept]
    return ordinals[np.lexsort((ordinals, -shared))][:top_k]


# Relations: from a new memory to its neighbours, and from causes to effects within one message.


_PRUNABLE = {RelationKind.RELATED_TO: 0, RelationKind.SAME_ENTITY: 1, RelationKind.ELABORATES: 2}
"""The kinds that may go, the first of them first. Supersedes, contradicts and causes never go."""


def relate(memory: Memory, near: Sequence[Near], now: datetime, settings: RelateSettings) -> list[Relation]:
    """Edges from a new memory to those near it by the heuristics, at most one a pair."""
    own = _linkable(memory)
    found: list[Relation] = []
    for other in near:
        linked = link(own, _linkable(other.memory), settings.thresholds)
        if linked is not None:
            kind, confidence = linked
            found.append(Relation(memory.id, other.memory.id, RelationKind(kind), confidence, now))
    return found


def bound(memory: Memory, others: Sequence[Memory], bonds: Sequence[Bond], now: datetime) -> list[Relation]:
    """The edges a model drew. What it takes for superseded is only contradicted: closing is the gate's affair."""
    found: list[Relation] = []
    for bond in bonds:
        if bond.other < len(others):
            ends = (memory.id, others[bond.other].id) if bond.from_new else (others[bond.other].id, memory.id)
            kind = RelationKind.CONTRADICTS if bond.kind is RelationKind.SUPERSEDES else bond.kind
            found.append(Relation(*ends, kind, bond.confidence, now))
    return found


def caused(formed: Sequence[tuple[FactCandidate, str]], now: datetime, confidence: float) -> list[Relation]:
    """Edges from causes to effects that one message names with a connective, between what its thoughts became.

    ``formed``: each thought with the id of the memory it made or was found to be.
    """
    became = {thought.part: name for thought, name in formed}
    pairs = ((became.get(thought.because), name) for thought, name in formed if thought.because)
    return [
        Relation(cause, effect, RelationKind.CAUSES, confidence, now)
        for cause, effect in pairs
        if cause is not None and cause != effect
    ]


def prune(relations: Sequence[Relation], most: int, keep: int) -> list[Relation]:
    """Which edges go once there are ``most``: the least of the prunable kinds, least confident first, to ``keep``.

    Ties by source, target and kind, so that the same graph loses the same edges.
    """
    if len(relations) < most:
        return []
    prunable = [relation for relation in relations if relation.kind in _PRUNABLE]
    prunable.sort(key=lambda r: (_PRUNABLE[r.kind], r.confidence, r.source, r.target))
    return prunable[: len(relations) - keep]


class EdgeCount:
    """About how many edges a scope has, so that not every edge written has all of them read.

    They are read at first, when they may have become too many, and after so many were added as a pruning takes away:
    another process, a dream or a hand adds some too, and some never go.
    """

    def __init__(self) -> None:
        self._looked: int | None = None
        self._added = 0

    def is_due(self, added: int, settings: RelateSettings) -> bool:
        """Note edges that were added; whether all of them must be looked at."""
        self._added += added
        if self._looked is None or self._added >= settings.most - settings.keep:
            return True
        return self._looked < settings.most <= self._looked + self._added

    def looked(self, count: int) -> None:
        """Note how many there are."""
        self._looked, self._added = count, 0


def _linkable(memory: Memory) -> Linkable:
    return Linkable(frozenset(memory.entities), memory.kind, memory.text)
