"""Where memories lie while a dream looks for what says the same: a store's own vectors, or vectors of their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from reverie.consolidate.snapshot import Nearness
from reverie.encode.nearest import Scale, as_it_is
from reverie.formulas.similarity_scales import lowest_cosine
from reverie.models.hashing import HashEmbedder
from reverie.ports import Corpus
from reverie.stores.corpus import CorpusView
from reverie.stores.vectors import VectorView, wide
from reverie.types import FloatArray, Memory

_WORDS_DIMS = 256


def nearness_of(places: Mapping[str, int], corpus: Corpus, scale: Scale = as_it_is) -> Nearness:
    """The corpus's own vectors where it has any, by the memories' ordinals; else vectors of the words themselves.

    ``scale`` reads a cosine of the model on the documents' scale.
    """
    if corpus.embedded and isinstance(corpus, CorpusView) and corpus.vectors is not None:
        return ByVector(corpus.vectors, places, scale)
    return ByWords()


class ByVector:
    """Vectors of a store's corpus (``Nearness``)."""

    def __init__(self, view: VectorView, places: Mapping[str, int], scale: Scale) -> None:
        self._view = view
        self._places = places
        self._scale = scale

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """(m, dims); zeros for one that has none."""
        ordinals = np.array([self._places.get(memory.id, -1) for memory in memories], np.int64)
        rows: FloatArray = wide(self._view.rows[ordinals])
        absent = ordinals < 0
        if self._view.present is not None:
            absent |= ~self._view.present[ordinals]
        rows[absent] = 0.0
        return rows

    def read(self, cosine: float) -> float:
        """As the model's calibration reads it."""
        return self._scale(cosine)

    def edge(self, cosine: float) -> float:
        """The lowest cosine of the model that reads as at least this one; the scale rises, and is 1 at 1."""
        if self._scale is as_it_is:
            return cosine
        return lowest_cosine(self._scale, cosine)


class ByWords:
    """Vectors of the words in a text, for a store without an embedding model (``Nearness``)."""

    def __init__(self) -> None:
        self._model = HashEmbedder(_WORDS_DIMS)
        self._known: dict[str, FloatArray] = {}

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """(m, dims)."""
        new = [memory for memory in memories if memory.id not in self._known]
        made = self._model.embed_passages([memory.text for memory in new])
        self._known.update((memory.id, row.astype(np.float16)) for memory, row in zip(new, made, strict=True))
        if not memories:
            return np.empty((0, _WORDS_DIMS), np.float32)
        return np.stack([self._known[memory.id] for memory in memories]).astype(np.float32)

    def read(self, cosine: float) -> float:
        """The cosine itself."""
        return cosine

    edge = read
