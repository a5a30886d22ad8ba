"""Pools: the candidates a recipe begins with, by vector, by text, or by both fused.

In: a quest with its queries. Out: candidates with their raw cosine, best first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reverie.formulas.bm25 import idf, saturation
from reverie.formulas.centroid import centroid
from reverie.formulas.rrf import rrf
from reverie.language.analyzer import query_terms
from reverie.ports import Corpus
from reverie.recall.held import held_at
from reverie.recall.quest import Candidate, Quest, World, ordered
from reverie.recall.search import best, match_terms, prune
from reverie.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Bm25:
    """The text list's law, and how many postings it reads at most."""

    k1: float
    b: float
    postings: int


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Vector list and text list, merged by reciprocal rank (D6); what is missing of the two is done without.

    ``overfetch`` times the limit come from each list; the vector is the centroid of all queries.
    """

    overfetch: int
    k: int
    bm25: Bm25
    name: str = "hybrid"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its merged candidates."""
        corpus, pool = quest.world.corpus, quest.limit * self.overfetch
        among = held_at(corpus, quest.request)
        vector = _centre(quest.queries, quest.world)
        near = _near(corpus, vector, pool, among)
        told = _told(corpus, quest.queries[0], pool, among, self.bm25)
        weights = quest.weights or (0.5, 0.5)
        scores = rrf([near, told], self.k, weights=[2.0 * weight for weight in weights])
        ranked = sorted(scores, key=lambda ordinal: (-scores[ordinal], ordinal))
        found = candidates(corpus, ranked, vector, [scores[ordinal] for ordinal in ranked], "fused")
        return replace(quest, candidates=found).noted(
            f"{len(near)} by meaning, {len(told)} by text, {len(found)} in all"
        )


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest by vector for each query, each memory with its best similarity (A1, C1); ``each`` None: the limit's.

    Without a model the text list stands in, scaled by its best.
    """

    bm25: Bm25
    each: int | None = None
    times: int = 1
    name: str = "nearest"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with the union of all lists."""
        corpus, among = quest.world.corpus, held_at(quest.world.corpus, quest.request)
        top_k = self.each or quest.limit * self.times
        found: dict[int, Candidate] = {}
        for query in quest.queries:
            for candidate in self._list(corpus, query, quest.world, top_k, among):
                known = found.setdefault(candidate.ordinal, candidate)
                if candidate.score > known.score:
                    found[candidate.ordinal] = candidate
        return replace(quest, candidates=ordered(found.values())).noted(f"{len(found)} by {len(quest.queries)} queries")

    def _list(self, corpus: Corpus, query: str, world: World, top_k: int, among: BoolArray | None) -> list[Candidate]:
        vector = _embedded(query, world)
        if vector is not None:
            near = _near(corpus, vector, top_k, among)
            cosines = corpus.cosines(vector, np.array(near, np.int64)).tolist() if near else []
            return candidates(corpus, near, vector, [max(0.0, cosine) for cosine in cosines], "similarity")
        scores = text_scores(corpus, query, among, self.bm25)
        told = _best(scores, top_k)
        top = float(scores.max(initial=0.0)) or 1.0
        return candidates(corpus, told, None, [float(scores[ordinal]) / top for ordinal in told], "text")


def candidates(
    corpus: Corpus, ordinals: Sequence[int], vector: FloatArray | None, scores: Sequence[float], name: str
) -> list[Candidate]:
    """Candidates with one signal, and the raw cosine of the vector they were compared with."""
    memories = corpus.fetch(ordinals)
    cosines: Sequence[float | None] = [None] * len(ordinals)
    if vector is not None and ordinals:
        cosines = corpus.cosines(vector, np.array(ordinals, np.int64)).tolist()
    return [
        Candidate(ordinal, memory, 0.0, cosine=cosine).rescored(name, score, score)
        for ordinal, memory, score, cosine in zip(ordinals, memories, scores, cosines, strict=True)
    ]


def text_scores(corpus: Corpus, query: str, among: BoolArray | None, law: Bm25) -> FloatArray:
    """(n,) BM25 of a query."""
    scores = np.zeros(corpus.size, np.float32)
    mean = max(float(corpus.lengths.mean()), 1.0) if corpus.size else 1.0
    for match in prune(match_terms(corpus, query_terms(query)), law.postings):
        where = match.postings.ordinals
        fit = saturation(match.postings.counts, corpus.lengths[where], mean, law.k1, law.b)
        scores[where] += np.float32(idf(match.frequency, corpus.size)) * fit
    if among is not None:
        scores[~among] = 0.0
    return scores


def _told(corpus: Corpus, query: str, pool: int, among: BoolArray | None, law: Bm25) -> list[int]:
    return _best(text_scores(corpus, query, among, law), pool)


def _best(scores: FloatArray, top_k: int) -> list[int]:
    found: IntArray = best(scores, top_k)
    return [int(i) for i in found[np.argsort(-scores[found], kind="stable")]]


def _near(corpus: Corpus, vector: FloatArray | None, pool: int, among: BoolArray | None) -> list[int]:
    if vector is None or not corpus.embedded:
        return []
    return [int(i) for i in corpus.nearest(vector, pool, among)[0]]


def _embedded(query: str, world: World) -> FloatArray | None:
    vector = world.embed(query)
    return vector if vector is not None and vector.any() and world.corpus.embedded else None


def _centre(queries: Sequence[str], world: World) -> FloatArray | None:
    rows = [row for query in queries if (row := _embedded(query, world)) is not None]
    return centroid(np.stack(rows)) if rows else None
