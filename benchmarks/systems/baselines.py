"""The baselines: search by words, by meaning, and both fused as most memory systems ship it.

BM25 over stemmed words of each item's own text, nothing else, should be beaten by every memory system: Lucene's idf, k1
1.5, b 0.75, a small stop list; items without any word of the question are not ranked. Cosine goes by the embedding
model that Reverie is given in the same run. Reciprocal rank fusion takes both whole, k = 60.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from benchmarks.metrics import count_words, entries
from benchmarks.values import Haystack, Question, Ranking
from reverie.formulas.bm25 import idf, saturation
from reverie.formulas.scores import rrf
from reverie.language.text.analyzer import index_terms
from reverie.ports import Embedder
from reverie.types import FloatArray, IntArray

K1 = 1.5
B = 0.75


class Bm25:
    """Text search alone."""

    name = "bm25"

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """A ranking of at most ``depth`` places for each question, ties to the earlier item."""
        words = {item.id: count_words(item.text) for item in haystack.items}
        return [entries(order[:depth], words) for order in orders_by_text(haystack)]


def orders_by_text(haystack: Haystack) -> list[list[str]]:
    """The items that share a word with each question and were said before it, best first."""
    found: dict[int, list[str]] = {}
    for heard, places in haystack.stages():
        index = Bm25Index(replace(haystack, items=haystack.items[:heard]))
        found |= {place: index.order(haystack.questions[place]) for place in places}
    return [found[place] for place in range(len(haystack.questions))]


class Bm25Index:
    """Postings of one haystack, in the haystack's language."""

    def __init__(self, haystack: Haystack) -> None:
        self.ids = [item.id for item in haystack.items]
        self.language = haystack.language
        terms = [index_terms(item.text, haystack.language) for item in haystack.items]
        self.lengths: FloatArray = np.array([len(t) for t in terms], dtype=np.float32)
        self.mean_length = max(float(self.lengths.mean()), 1.0) if len(terms) else 1.0
        occurrences: dict[str, list[tuple[int, int]]] = {}
        for ordinal, found in enumerate(terms):
            for term, count in Counter(found).items():
                occurrences.setdefault(term, []).append((ordinal, count))
        self.postings: dict[str, tuple[IntArray, FloatArray]] = {
            term: (np.array([o for o, _ in pairs], dtype=np.int64), np.array([c for _, c in pairs], dtype=np.float32))
            for term, pairs in occurrences.items()
        }

    def order(self, question: Question) -> list[str]:
        """The items that share a word with the question, best first."""
        scores = self.scores(question.text)
        return [self.ids[o] for o in np.argsort(-scores, kind="stable") if scores[o] > 0.0]

    def scores(self, text: str) -> FloatArray:
        """(n,) the BM25 score of every item."""
        scores: FloatArray = np.zeros(len(self.ids), dtype=np.float32)
        for term in dict.fromkeys(index_terms(text, self.language)):
            if term in self.postings:
                ordinals, counts = self.postings[term]
                gain = saturation(counts, self.lengths[ordinals], self.mean_length, K1, B)
                scores[ordinals] += np.float32(idf(len(ordinals), len(self.ids))) * gain
        return scores


# Cosine of embeddings alone, with the embedding model that Reverie is given in the same run.


class Dense:
    """Search by meaning alone."""

    name = "dense"

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """A ranking of ``depth`` places for each question, ties to the earlier item."""
        words = {item.id: count_words(item.text) for item in haystack.items}
        return [entries(order[:depth], words) for order in orders_by_meaning(haystack, self.embedder)]


def orders_by_meaning(haystack: Haystack, embedder: Embedder) -> list[list[str]]:
    """The items said before each question, by falling cosine."""
    vectors: FloatArray = embedder.embed_passages([item.text for item in haystack.items])
    ids = [item.id for item in haystack.items]
    found = []
    for question in haystack.questions:
        cosines = vectors[: question.heard] @ embedder.embed_query(question.text)
        found.append([ids[ordinal] for ordinal in np.argsort(-cosines, kind="stable")])
    return found


# Reciprocal rank fusion of BM25 and cosine, k = 60: what most memory systems ship.


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
        for text, meaning in zip(orders_by_text(haystack), orders_by_meaning(haystack, self.embedder), strict=True):
            scores = rrf([text, meaning], k=K)
            order = sorted(scores, key=lambda one: -scores[one])
            rankings.append(entries(order[:depth], words))
        return rankings
