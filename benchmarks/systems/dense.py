"""Cosine of embeddings alone, with the embedding model that Reverie is given in the same run."""

from __future__ import annotations

import numpy as np

from benchmarks.metrics import count_words, entries
from benchmarks.values import Haystack, Ranking
from reverie.ports import Embedder
from reverie.types import FloatArray


class Dense:
    """Search by meaning alone."""

    name = "dense"

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """A ranking of ``depth`` places for each question, ties to the earlier item."""
        words = {item.id: count_words(item.text) for item in haystack.items}
        return [entries(order[:depth], words) for order in orders(haystack, self.embedder)]


def orders(haystack: Haystack, embedder: Embedder) -> list[list[str]]:
    """The items said before each question, by falling cosine."""
    vectors: FloatArray = embedder.embed_passages([item.text for item in haystack.items])
    ids = [item.id for item in haystack.items]
    found = []
    for question in haystack.questions:
        cosines = vectors[: question.heard] @ embedder.embed_query(question.text)
        found.append([ids[ordinal] for ordinal in np.argsort(-cosines, kind="stable")])
    return found
