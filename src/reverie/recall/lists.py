"""Lists: the two rankings a pool is made of, by raw cosine and by BM25 of the query alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.bm25 import idf, saturation
from reverie.language.analyzer import query_terms
from reverie.ports import Corpus
from reverie.recall.search import best, match_terms, prune
from reverie.types import BoolArray, FloatArray

_WIDER = 4
"""Times as many are looked at by raw cosine as are wanted: a corpus ranks by the centred one."""


@dataclass(frozen=True, slots=True)
class Bm25:
    """The text list's law, and how many postings it reads at most."""

    k1: float
    b: float
    postings: int


def by_vector(corpus: Corpus, vector: FloatArray | None, top_k: int, among: BoolArray | None) -> list[int]:
    """Ordinals of the highest raw cosines, best first, equal ones by order of writing; none without a vector."""
    if vector is None or not corpus.embedded:
        return []
    near = np.sort(corpus.nearest(vector, top_k * _WIDER, among)[0])
    order = np.argsort(-corpus.cosines(vector, near), kind="stable")[:top_k]
    return [int(ordinal) for ordinal in near[order]]


def by_text(corpus: Corpus, query: str, top_k: int, among: BoolArray | None, law: Bm25) -> dict[int, float]:
    """Ordinal → BM25 over the best of the list, in (0, 1]; best first, equal ones by order of writing."""
    scores = text_scores(corpus, query_terms(query), among, law)
    found = best(scores, top_k)
    found = found[np.argsort(-scores[found], kind="stable")]
    return {int(ordinal): float(scores[ordinal] / scores[found[0]]) for ordinal in found}


def text_scores(corpus: Corpus, terms: Sequence[str], among: BoolArray | None, law: Bm25) -> FloatArray:
    """(n,) BM25 of some terms."""
    scores = np.zeros(corpus.size, np.float32)
    mean = max(float(corpus.lengths.mean()), 1.0) if corpus.size else 1.0
    for match in prune(match_terms(corpus, terms), law.postings):
        where = match.postings.ordinals
        fit = saturation(match.postings.counts, corpus.lengths[where], mean, law.k1, law.b)
        scores[where] += np.float32(idf(match.frequency, corpus.size)) * fit
    if among is not None:
        scores[~among] = 0.0
    return scores
