"""Coverage: how much of the cue a message holds itself, however often; many words once beat one word often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.formulas.bm25 import idf
from reverie.ports import Postings
from reverie.types import FloatArray, IntArray


def coverage(terms: Sequence[Postings], size: int, ordinals: IntArray) -> FloatArray:
    """(m,) share of the cue's terms that each message holds, each weighed by how rare it is among ``size``; 0 without.

    ``terms`` are where each term of the cue occurs; ``ordinals`` the messages asked about.
    """
    held = np.zeros(len(ordinals), np.float32)
    total = 0.0
    for postings in terms:
        weight = idf(len(postings.ordinals), size)
        total += weight
        held += np.float32(weight) * (counts_at(postings, ordinals) > 0)
    return held / np.float32(total) if total else held


def counts_at(postings: Postings, ordinals: IntArray) -> FloatArray:
    """(m,) how often a term occurs in each of some messages."""
    where = postings.ordinals
    if not len(where):
        return np.zeros(len(ordinals), np.float32)
    places = np.minimum(np.searchsorted(where, ordinals), len(where) - 1)
    result: FloatArray = np.where(where[places] == ordinals, postings.counts[places], np.float32(0.0))
    return result
