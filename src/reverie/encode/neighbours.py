"""Find the formed memories most similar to a fact candidate, by vectors or shared stems, and relate them to it."""

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
"""How many memories are found by centred cosine, as the corpus is searched; the nearest of them by cosine are taken."""
_RAREST = 8
"""How many of a text's rarest terms are searched for if there are no vectors."""


@dataclass(frozen=True, slots=True)
class Near:
    """A formed memory and its similarity to a fact candidate, in [−1, 1].

    ``centred``: the cosine of their vectors, centred on the scope's mean; None without vectors.
    """

    memory: Memory
    similarity: float
    centred: float | None = None


@dataclass(frozen=True, slots=True)
class NeighbourSearch:
    """The input of a search for neighbours: a text, its vector if it has one, and the scale of its cosines."""

    text: str
    vector: FloatArray | None
    scale: Scale = as_it_is


def nearest(search: NeighbourSearch, corpus: Corpus, at: datetime, now: datetime, top_k: int) -> tuple[Near, ...]:
    """Return the ``top_k`` most similar formed memories that were valid ``at``, best first, ties by order of writing.

    Time-bounded memories that ended between ``at`` and ``now`` count; forgotten and dormant ones do not.
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
    """Return the ordinals of the memories that share most of the rarest terms."""
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
"""The kinds of relations that may be pruned, lowest first. Supersedes, contradicts and causes never are."""


def relate(memory: Memory, near: Sequence[Near], now: datetime, settings: RelateSettings) -> list[Relation]:
    """Draw relations from a new memory to its neighbours by heuristics, at most one per pair."""
    own = _linkable(memory)
    found: list[Relation] = []
    for other in near:
        linked = link(own, _linkable(other.memory), settings.thresholds)
        if linked is not None:
            kind, confidence = linked
            found.append(Relation(memory.id, other.memory.id, RelationKind(kind), confidence, now))
    return found


def bound(memory: Memory, others: Sequence[Memory], bonds: Sequence[Bond], now: datetime) -> list[Relation]:
    """Convert a language model's relations; supersedes becomes contradicts, as only the write gate closes memories."""
    found: list[Relation] = []
    for bond in bonds:
        if bond.other < len(others):
            ends = (memory.id, others[bond.other].id) if bond.from_new else (others[bond.other].id, memory.id)
            kind = RelationKind.CONTRADICTS if bond.kind is RelationKind.SUPERSEDES else bond.kind
            found.append(Relation(*ends, kind, bond.confidence, now))
    return found


def caused(formed: Sequence[tuple[FactCandidate, str]], now: datetime, confidence: float) -> list[Relation]:
    """Draw relations from causes to effects that one message connects with a word such as "because".

    ``formed``: each fact candidate with the id of the memory that it created or went into.
    """
    became = {thought.part: name for thought, name in formed}
    pairs = ((became.get(thought.because), name) for thought, name in formed if thought.because)
    return [
        Relation(cause, effect, RelationKind.CAUSES, confidence, now)
        for cause, effect in pairs
        if cause is not None and cause != effect
    ]


def prune(relations: Sequence[Relation], most: int, keep: int) -> list[Relation]:
    """Return the relations to remove, so that ``keep`` remain, once there are ``most``: the lowest kinds first.

    Within a kind the least confident go first, ties by source and target, so that the same graph loses the same ones.
    """
    if len(relations) < most:
        return []
    prunable = [relation for relation in relations if relation.kind in _PRUNABLE]
    prunable.sort(key=lambda r: (_PRUNABLE[r.kind], r.confidence, r.source, r.target))
    return prunable[: len(relations) - keep]


class EdgeCount:
    """An estimate of a scope's number of relations, so that they need not be counted at every write.

    They are counted at first, when they may have become too many, and after as many additions as a pruning removes:
    other processes, dreams and people add some too, and some are never removed.
    """

    def __init__(self) -> None:
        self._looked: int | None = None
        self._added = 0

    def is_due(self, added: int, settings: RelateSettings) -> bool:
        """Add to the estimate; return whether the relations must be counted."""
        self._added += added
        if self._looked is None or self._added >= settings.most - settings.keep:
            return True
        return self._looked < settings.most <= self._looked + self._added

    def looked(self, count: int) -> None:
        """Set the estimate to a count."""
        self._looked, self._added = count, 0


def _linkable(memory: Memory) -> Linkable:
    return Linkable(frozenset(memory.entities), memory.kind, memory.text)
