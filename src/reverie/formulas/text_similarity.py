"""Similarity of texts by their words: cosine of counts, TF-IDF, and maximal marginal relevance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import IntArray


def text_cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Compute the cosine of two sparse vectors, term → count or weight ≥ 0; in [0, 1], 0 where one is empty.

    Source: salton-buckley-weighting
    """
    if len(other) < len(one):
        one, other = other, one
    shared = math.fsum(weight * other[term] for term, weight in one.items() if term in other)
    if shared == 0.0:
        return 0.0
    return min(1.0, shared / (_length(one) * _length(other)))


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(weight * weight for weight in vector.values()))


def text_cosines(texts: Sequence[Mapping[str, float]]) -> Floats:
    """Compute all (m, m) cosines of m texts, each given as term → count: symmetric, in [0, 1], 0 for an empty text.

    Source: salton-buckley-weighting
    """
    terms = {term: column for column, term in enumerate(dict.fromkeys(term for text in texts for term in text))}
    counts = np.zeros((len(texts), len(terms)))
    for row, text in enumerate(texts):
        counts[row, [terms[term] for term in text]] = list(text.values())
    lengths = np.sqrt((counts**2).sum(axis=1, keepdims=True))
    unit = np.divide(counts, lengths, out=np.zeros_like(counts), where=lengths > 0)
    result: Floats = np.clip(np.einsum("ik,jk->ij", unit, unit), 0.0, 1.0)
    return result


# TF-IDF without an index: the search of the vault's scripts, which have only the standard library.


def idf(containing: int, size: int) -> float:
    """Compute the weight of a term found in ``containing`` of ``size`` texts: ln((N + 1)/(df + 1)) + 1, never below 1.

    Source: ocean-vault, salton-buckley-weighting
    """
    return math.log((size + 1) / (containing + 1)) + 1.0


def weighted(counts: Mapping[str, int], idfs: Mapping[str, float]) -> dict[str, float]:
    """Weight term counts by their idf; terms without an idf, which no text contains, are left out.

    Source: ocean-vault, salton-buckley-weighting
    """
    return {term: count * idfs[term] for term, count in counts.items() if term in idfs}


def score(query: Mapping[str, float], text: Mapping[str, float], importance: float, freshness: float) -> float:
    """Score an observation for a query: cosine of the weighted texts × importance × freshness, each in [0, 1].

    Source: ocean-vault
    """
    return text_cosine(query, text) * importance * freshness


def is_searchable(importance: float, age_days: float, max_age_days: float, floor: float) -> bool:
    """Whether an observation takes part in search: importance above ``floor`` and age up to the maximum.

    Source: ocean-vault
    """
    return importance > floor and age_days <= max_age_days


def mmr(relevance: Floats, similarity: Floats, lambda_: float, top_k: int) -> IntArray:
    """Choose by maximal marginal relevance: take the best λ·relevance − (1 − λ)·(similarity to the nearest chosen).

    Args:
        relevance: (m,) scores in [0, 1].
        similarity: (m, m), symmetric, in [0, 1].
        lambda_: 1 for relevance alone, 0 for diversity alone.
        top_k: how many to choose; all m if there are fewer.

    Returns indices in order of choice; ties go to the lower index.

    Source: carbonell-goldstein-mmr
    """
    marginal = lambda_ * np.asarray(relevance, np.float64)
    nearest = np.zeros(len(marginal))
    chosen: list[int] = []
    left = np.ones(len(marginal), dtype=bool)
    for _ in range(min(top_k, len(marginal))):
        best = int(np.argmax(np.where(left, marginal - (1.0 - lambda_) * nearest, -np.inf)))
        chosen.append(best)
        left[best] = False
        nearest = np.maximum(nearest, similarity[best])
    return np.array(chosen, np.int64)
