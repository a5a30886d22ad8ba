"""Weigh the manner of a message: whether it tells of its speaker, read off the postings of a few words.

No text is fetched for it, and a word that nobody uses costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.formulas.telling import telling
from reverie.language import manner
from reverie.ports import Corpus
from reverie.recall.coverage import counts_at
from reverie.types import FloatArray, IntArray


def telling_match(corpus: Corpus, ordinals: IntArray) -> FloatArray:
    """(m,) in [0, 1]: 1 where a candidate speaks of its speaker, 0 where it asks or addresses the other."""
    of_self = occurrences(corpus, manner.self_terms(), ordinals)
    of_other = occurrences(corpus, manner.asked_terms(), ordinals)
    return telling(of_self, of_other, corpus.words[ordinals])


def occurrences(corpus: Corpus, terms: Sequence[str], ordinals: IntArray) -> FloatArray:
    """(m,) how often any of some stems occurs in each of these messages."""
    counts = np.zeros(len(ordinals), np.float32)
    for term in terms:
        counts += counts_at(corpus.postings(term), ordinals)
    return counts
