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


def spread_to_neighbours(corpus: Corpus, own: FloatArray, scored: IntArray, settings: RecallSettings) -> IntArray:
    """Add to each message, in ``own`` (n,) itself, its neighbours' scores, weighted by the message's length.

    ``scored`` are those with a score, ascending; returned are they and all that were given some.
    """
    strengths = own[scored]
    touched = [scored]
    for links in (corpus.previous, corpus.following):
        neighbours = links[scored]
        linked = neighbours >= 0
        receivers = neighbours[linked]
        weight = neighbour_weight(corpus.words[receivers], settings.neighbour, settings.neighbour_full_words)
        own[receivers] += weight * strengths[linked]
        touched.append(receivers)
    return distinct(np.concatenate(touched))


def window_counts(corpus: Corpus, postings: Sequence[Postings], radius: int) -> FloatArray:
    """(terms, n) how often each term occurs within ``radius`` messages of each message, in its session."""
    counts = np.zeros((len(postings), corpus.size), dtype=np.float32)
    flat = counts.reshape(-1)
    row = np.repeat(np.arange(len(postings)) * corpus.size, [len(found.ordinals) for found in postings])
    where = np.concatenate([found.ordinals for found in postings])
    often = np.concatenate([found.counts for found in postings])
    flat[row + where] = often
    for links in (corpus.previous, corpus.following):
        at, start, amount = where, row, often
        for _ in range(radius):
            at = links[at]
            linked = at >= 0
            at, start, amount = at[linked], start[linked], amount[linked]
            flat[start + at] += amount
    return counts


def window_lengths(corpus: Corpus, centres: IntArray, radius: int) -> FloatArray:
    """(m,) terms within ``radius`` messages of each centre, in its session."""
    lengths: FloatArray = corpus.lengths[centres].copy()
    for links in (corpus.previous, corpus.following):
        at, member = centres, np.arange(len(centres))
        for _ in range(radius):
            at = links[at]
            linked = at >= 0
            at, member = at[linked], member[linked]
            lengths[member] += corpus.lengths[at]
    return lengths


def distinct(ordinals: IntArray) -> IntArray:
    """Ordinals in ascending order, each once; fast where they come as a few runs that ascend."""
    ascending = np.sort(ordinals, kind="stable")
    is_first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_first[1:])
    return ascending[is_first]
