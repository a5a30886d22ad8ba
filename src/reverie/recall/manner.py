"""Weigh the manner of a message: whether it tells of its speaker, by counts of a few words that the store keeps."""

from __future__ import annotations

from reverie.formulas.telling import telling
from reverie.language import manner
from reverie.ports import Corpus
from reverie.types import FloatArray, IntArray


def telling_match(corpus: Corpus, ordinals: IntArray) -> FloatArray:
    """(m,) in [0, 1]: 1 where a candidate speaks of its speaker, 0 where it asks or addresses the other."""
    of_self = corpus.occurrences(manner.self_terms())[ordinals]
    of_other = corpus.occurrences(manner.asked_terms())[ordinals]
    return telling(of_self, of_other, corpus.words[ordinals])
