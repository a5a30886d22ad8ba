"""Nearest: which formed memories a thought is close to, on the scale of cosine. By vectors, or by shared stems."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.formulas.text_cosine import text_cosine
from reverie.language.analyzer import index_terms
from reverie.ports import Corpus
from reverie.types import BoolArray, FloatArray, IntArray, Kind, Memory

_EPISODE = tuple(Kind).index(Kind.EPISODE)
_RAREST = 8
"""Terms that bring candidates where there are no vectors."""


@dataclass(frozen=True, slots=True)
class Near:
    """A formed memory and its similarity to a thought, in [−1, 1]."""

    memory: Memory
    similarity: float


def nearest(text: str, vector: FloatArray | None, corpus: Corpus, now: datetime, top_k: int) -> tuple[Near, ...]:
    """The ``top_k`` most similar formed memories that hold and are awake, best first, ties by order of writing."""
    among = _formed(corpus, now)
    if not among.any():
        return ()
    if vector is not None and vector.any() and corpus.embedded:
        ordinals, _ = corpus.nearest(vector, top_k, among)
        similarities = corpus.cosines(vector, ordinals).tolist()
        found = [Near(*pair) for pair in zip(corpus.fetch(ordinals.tolist()), similarities, strict=True)]
    else:
        counts = Counter(index_terms(text))
        memories = corpus.fetch(_sharing(counts, corpus, among, top_k).tolist())
        found = [Near(memory, text_cosine(counts, Counter(index_terms(memory.text)))) for memory in memories]
    return tuple(sorted(found, key=lambda near: -near.similarity))


def _formed(corpus: Corpus, now: datetime) -> BoolArray:
    formed: BoolArray = np.asarray(corpus.kinds != _EPISODE)
    awake = corpus.recallable(now)
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
