"""Likeness of every text of a pool with every other, for the choice by marginal relevance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from reverie.formulas.arrays import Floats


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
