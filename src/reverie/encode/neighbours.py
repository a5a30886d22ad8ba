"""Nearest: which formed memories a thought is close to, on the documents' scale. By vectors, or by shared stems."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.formulas.text_similarity import text_cosine
from reverie.language.text.analyzer import index_terms
from reverie.ports import Corpus, Scale, as_it_is
from reverie.types import KIND_CODES, BoolArray, FloatArray, IntArray, Kind, Memory

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
class Search:
    """What is looked for: a text, its vector where there is one, and on which scale its cosines are read."""

    text: str
    vector: FloatArray | None
    scale: Scale = as_it_is


def nearest(search: Search, corpus: Corpus, at: datetime, now: datetime, top_k: int) -> tuple[Near, ...]:
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
