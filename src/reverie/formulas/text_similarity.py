"""Similarity of texts by their words: cosine of counts, TF-IDF, and maximal marginal relevance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import IntArray

# Likeness of two texts by the terms they share: the measure of diversity, and of search in the vault.


def text_cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Cosine of two sparse vectors, term → count or weight ≥ 0; in [0, 1], 0 where one is empty.

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


# Likeness of every text of a pool with every other, for the choice by marginal relevance.


def text_cosines(texts: Sequence[Mapping[str, float]]) -> Floats:
    """(m, m) cosines of m texts given as term → count: symmetric, in [0, 1], 1 on the diagonal, 0 for an empty text.

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


# TF-IDF by the standard library alone: what the vault searches with, and no index to build.


def idf(containing: int, size: int) -> float:
    """Weight of a term found in ``containing`` of ``size`` texts: ln((N + 1)/(df + 1)) + 1, never below 1.

    Source: ocean-vault, salton-buckley-weighting
    """
    return math.log((size + 1) / (containing + 1)) + 1.0


def weighted(counts: Mapping[str, int], idfs: Mapping[str, float]) -> dict[str, float]:
    """Term → count times idf; a term that no text holds (and that has no idf) is left out.

    Source: ocean-vault, salton-buckley-weighting
    """
    return {term: count * idfs[term] for term, count in counts.items() if term in idfs}


def score(query: Mapping[str, float], text: Mapping[str, float], importance: float, freshness: float) -> float:
    """Cosine of two weighted texts times importance times freshness, each in [0, 1].

    Source: ocean-vault
    """
    return text_cosine(query, text) * importance * freshness


def is_searchable(importance: float, age_days: float, max_age_days: float, floor: float) -> bool:
    """Whether search looks at an observation at all: more important than ``floor`` and not past its age.

    Source: ocean-vault
    """
    return importance > floor and age_days <= max_age_days


# Maximal marginal relevance: what is relevant and not already said.


def mmr(relevance: Floats, similarity: Floats, lambda_: float, top_k: int) -> IntArray:
    """Indices in order of choice, each time the best of λ·relevance − (1 − λ)·(likeness to the likest chosen).

    Args:
        relevance: (m,) scores in [0, 1].
        similarity: (m, m), symmetric, in [0, 1].
        lambda_: 1 is relevance alone, 0 difference alone.
        top_k: how many to choose; all m where there are fewer.

    Ties go to the lower index; the first choice has nothing to differ from.

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
