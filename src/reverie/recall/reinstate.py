"""Reinstate context: a message is recalled together with what was said around it.

The neighbours of a message are the ones before and after it in the same session, found through the corpus's links.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.formulas.reinstatement import neighbour_weight
from reverie.ports import Corpus, Postings
from reverie.recall.settings import RecallSettings
from reverie.types import FloatArray, IntArray


def spread_to_neighbours(corpus: Corpus, own: FloatArray, settings: RecallSettings) -> None:
    """Add to each message, in ``own`` (n,) itself, a share of its neighbours' own scores, by the length of both.

    A short message takes more, and gives more: a page that holds a word says little of what stands beside it.
    """
    full = settings.neighbour_full_words
    scored = np.flatnonzero(own > 0)
    gifts = own.take(scored) * neighbour_weight(corpus.words.take(scored), 1.0, full)
    for links in (corpus.previous, corpus.following):
        at, given = scored, gifts
        for weight in (settings.neighbour, settings.second_neighbour):
            at = links.take(at)
            linked = (at >= 0).nonzero()[0]
            at, given = at.take(linked), given.take(linked)
            own[at] += neighbour_weight(corpus.words.take(at), weight, full) * given


def window_counts(corpus: Corpus, postings: Sequence[Postings], radius: int) -> tuple[FloatArray, IntArray]:
    """How often each term occurs within ``radius`` messages of a message, in its session.

    Returned are the counts (terms, m) of the messages near which any occurs, and their ordinals (m,), ascending.
    """
    counts = np.zeros((len(postings), corpus.size), dtype=np.float32)
    touched = np.zeros(corpus.size, np.bool_)
    flat = counts.reshape(-1)
    row = np.repeat(np.arange(len(postings)) * corpus.size, [len(found.ordinals) for found in postings])
    where = np.concatenate([found.ordinals for found in postings])
    often = np.concatenate([found.counts for found in postings])
    flat[row + where] = often
    touched[where] = True
    for links in (corpus.previous, corpus.following):
        at, start, amount = where, row, often
        for _ in range(radius):
            at = links.take(at)
            linked = (at >= 0).nonzero()[0]
            at, start, amount = at.take(linked), start.take(linked), amount.take(linked)
            flat[start + at] += amount
            touched[at] = True
    near = np.flatnonzero(touched)
    return counts.take(near, axis=1), near


def distinct(ordinals: IntArray) -> IntArray:
    """Ordinals in ascending order, each once; fast where they come as a few runs that ascend."""
    ascending = np.sort(ordinals, kind="stable")
    is_first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_first[1:])
    return ascending[is_first]
