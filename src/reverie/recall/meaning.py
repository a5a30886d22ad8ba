"""Meaning in its place: a message is near a cue by itself, and a little by what was said before and after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.reinstatement import neighbour_weight
from reverie.ports import Corpus
from reverie.recall.reinstate import distinct
from reverie.recall.settings import RecallSettings
from reverie.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Compared:
    """Candidates, the messages next to them, and how near each is to a cue.

    Attributes:
        ordinals: (m,) the candidates, ascending.
        links: (m,) the message before each, then the one after; −1 for none.
        looked_at: (k,) candidates and neighbours, ascending.
        alike: (k,) their centred cosines.
    """

    ordinals: IntArray
    links: tuple[IntArray, IntArray]
    looked_at: IntArray
    alike: FloatArray

    def only(self, rows: IntArray) -> Compared:
        """Some of the candidates, by ascending row, with their neighbours."""
        ordinals, links = self.ordinals[rows], (self.links[0][rows], self.links[1][rows])
        looked_at = _with_neighbours(ordinals, links)
        return Compared(ordinals, links, looked_at, self.alike[np.searchsorted(self.looked_at, looked_at)])


def compare(
    corpus: Corpus,
    vector: FloatArray,
    ordinals: IntArray,
    near: tuple[IntArray, FloatArray],
    known: BoolArray | None = None,
) -> Compared:
    """Candidates and their neighbours, compared with a cue; ``near`` are messages whose cosines have been found.

    ``known``: the neighbours that may lend their meaning; None: all.
    """
    before, after = corpus.previous[ordinals], corpus.following[ordinals]
    links = (before, after) if known is None else (only(before, known), only(after, known))
    looked_at = _with_neighbours(ordinals, links)
    return Compared(ordinals, links, looked_at, similarities(corpus, vector, looked_at, near))


def only(messages: IntArray, known: BoolArray) -> IntArray:
    """The messages that are known; −1 in the place of the others."""
    return np.where(known[np.maximum(messages, 0)], messages, -1)


def _with_neighbours(ordinals: IntArray, links: tuple[IntArray, IntArray]) -> IntArray:
    return distinct(np.concatenate([ordinals, *(link[link >= 0] for link in links)]))


def in_place(corpus: Corpus, compared: Compared, settings: RecallSettings) -> FloatArray:
    """(m,) cosines of the candidates, each with a share of its neighbours'; those below 0 count as 0.

    A neighbour gives and takes by length, as for text.
    """
    ordinals, looked_at = compared.ordinals, compared.looked_at
    own = np.maximum(compared.alike, np.float32(0.0))
    shares = own * neighbour_weight(corpus.words[looked_at], 1.0, settings.neighbour_full_words)
    takes = neighbour_weight(corpus.words[ordinals], settings.meaning_neighbour, settings.neighbour_full_words)
    result: FloatArray = own[np.searchsorted(looked_at, ordinals)]
    for link in compared.links:
        places = np.searchsorted(looked_at, np.maximum(link, looked_at[0])) if len(looked_at) else link
        result = result + takes * np.where(link >= 0, shares[places], np.float32(0.0))
    return result


def similarities(
    corpus: Corpus, vector: FloatArray, ordinals: IntArray, near: tuple[IntArray, FloatArray]
) -> FloatArray:
    """(m,) centred cosines of messages in ascending order; those of the nearest are known."""
    values = np.empty(len(ordinals), np.float32)
    is_near = np.zeros(len(ordinals), np.bool_)
    places = np.searchsorted(ordinals, near[0])
    values[places], is_near[places] = near[1], True
    values[~is_near] = corpus.similarities(vector, ordinals[~is_near])
    return values
