"""Reciprocal rank fusion of BM25 and cosine, k = 60: what most memory systems ship."""

from __future__ import annotations

from benchmarks.metrics import count_words, entries
from benchmarks.systems import bm25, dense
from benchmarks.values import Haystack, Ranking
from reverie.formulas.scores import rrf
from reverie.ports import Embedder

K = 60


class Rrf:
    """The whole BM25 ranking and the whole cosine ranking, fused."""

    name = "rrf"

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """A ranking of at most ``depth`` places for each question; ties to the better in BM25, then to the earlier."""
        words = {item.id: count_words(item.text) for item in haystack.items}
        rankings = []
        for text, meaning in zip(bm25.orders(haystack), dense.orders(haystack, self.embedder), strict=True):
            scores = rrf([text, meaning], k=K)
            order = sorted(scores, key=lambda one: -scores[one])
            rankings.append(entries(order[:depth], words))
        return rankings
