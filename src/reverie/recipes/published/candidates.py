"""Generate candidates for the published recipes: by vector, by text, by both fused, and by graph expansion.

In: a recall state with its queries. Out: candidates with their raw cosine, best first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reverie.formulas.bm25 import idf, saturation
from reverie.formulas.centring import centroid
from reverie.formulas.scores import rrf
from reverie.language.names.named_entities import named
from reverie.language.text.analyzer import query_terms
from reverie.ports import Corpus
from reverie.recall.search import best, match_terms, prune
from reverie.recall.state import Candidate, Lane, RecallContext, RecallState, Request, held_at, holds, ordered
from reverie.types import BoolArray, FloatArray, Kind, Memory, RelationKind

# Graph expansion: breadth first along causes and elaborations (D16, D18).


_STEPS = (RelationKind.CAUSES, RelationKind.ELABORATES)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory reached by graph expansion: hops, likeness (the seed's times the confidences of the edges), and whether
    causes alone lead to it.
    """

    memory: Memory
    hops: int
    likeness: float
    caused: bool


def walk(
    seeds: Mapping[str, float],
    hops: int,
    request: Request,
    world: RecallContext,
    steps: Collection[RelationKind] = _STEPS,
) -> list[Reached]:
    """Expand the graph from seeds (id → likeness) up to ``hops`` edges, to memories that the request may find.

    Edges of the kinds ``steps`` are followed. Memories made in a dream are left out: a theme links similar memories,
    not a cause with its effect.
    """
    reached: dict[str, Reached] = {}
    rim = {memory_id: _Way(likeness, caused=True) for memory_id, likeness in seeds.items()}
    passed = set[str]()
    for hop in range(1, hops + 1):
        passed |= set(rim)
        found = _stepped(rim, world, steps)
        rim = {}
        for memory_id, way in found.items():
            if memory_id in reached or (memory_id in seeds and hop > 1):  # a seed does not lead to itself
                continue
            memory = world.memory(memory_id)
            if memory is None or memory.is_dreamt or not holds(memory, request):
                continue
            reached[memory_id] = Reached(memory, hop, *way)
            if memory_id not in passed:
                rim[memory_id] = way
    return sorted(reached.values(), key=lambda one: (one.hops, -one.likeness, one.memory.id))


class _Way(NamedTuple):
    """Path to a memory: the likeness that remains, and whether all edges are causes."""

    likeness: float
    caused: bool


def _stepped(rim: Mapping[str, _Way], world: RecallContext, steps: Collection[RelationKind]) -> dict[str, _Way]:
    """Follow edges one hop, in both directions; of several paths to a memory the best is kept."""
    found: dict[str, _Way] = {}
    for edge in world.relations(sorted(rim)) if rim else ():
        if edge.kind in steps:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here in rim:
                    before = rim[here]
                    way = _Way(before.likeness * edge.confidence, before.caused and edge.kind is RelationKind.CAUSES)
                    found[there] = max(found.get(there, way), way)
    return found


# Two rankings: by raw cosine, and by BM25 of the query alone.


_WIDER = 4
"""Factor on the number of vectors searched: the index ranks by centred cosines, not raw ones."""


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25 parameters, and the largest number of postings read."""

    k1: float
    b: float
    postings: int


def by_vector(corpus: Corpus, vector: FloatArray | None, top_k: int, among: BoolArray | None) -> list[int]:
    """Return ordinals of the highest raw cosines, best first, ties in order of writing; none without a vector."""
    if vector is None or not corpus.embedded:
        return []
    near = np.sort(corpus.nearest(vector, top_k * _WIDER, among)[0])
    order = np.argsort(-corpus.cosines(vector, near), kind="stable")[:top_k]
    return [int(ordinal) for ordinal in near[order]]


def by_text(corpus: Corpus, query: str, top_k: int, among: BoolArray | None, law: Bm25) -> dict[int, float]:
    """Return ordinal → BM25 relative to the best, in (0, 1], best first, ties in order of writing."""
    scores = text_scores(corpus, query_terms(query), among, law)
    found = best(scores, top_k)
    found = found[np.argsort(-scores[found], kind="stable")]
    return {int(ordinal): float(scores[ordinal] / scores[found[0]]) for ordinal in found}


def text_scores(corpus: Corpus, terms: Sequence[str], among: BoolArray | None, law: Bm25) -> FloatArray:
    """Compute the BM25 scores (n,) of terms."""
    scores = np.zeros(corpus.size, np.float32)
    mean = max(float(corpus.lengths.mean()), 1.0) if corpus.size else 1.0
    for match in prune(match_terms(corpus, terms), law.postings):
        where = match.postings.ordinals
        fit = saturation(match.postings.counts, corpus.lengths[where], mean, law.k1, law.b)
        scores[where] += np.float32(idf(match.frequency, corpus.size)) * fit
    if among is not None:
        scores[~among] = 0.0
    return scores


# Candidate generation as stages.


_KINDS = tuple(Kind)
_NAMED = 0.5
"""Assumed confidence of a memory that names the entity in question: that of an edge for one common name."""
_BALANCED = Lane(vector=0.5, text=0.5, limit=0)
"""Weights of the two lists in a recipe without query routing."""


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Stage: fuse vector list and text list by reciprocal rank; a missing list is left out.

    Each list has ``overfetch`` times the limit; the vector is the centroid of all queries. A lane may weight the lists,
    add a third by graph expansion, add memories that name the cue's entities, and restrict kinds.
    """

    overfetch: int
    k: int
    bm25: Bm25
    name: str = "hybrid"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the fused candidates."""
        corpus, lane, pool = quest.world.corpus, quest.lane or _BALANCED, quest.limit * self.overfetch
        among = _of_kinds(corpus, held_at(corpus, quest.request), lane)
        vector = _centre(quest.queries, quest.world)
        near = by_vector(corpus, vector, pool, among)
        told = by_text(corpus, quest.queries[0], pool, among, self.bm25)
        about = _hub(quest.queries[0], corpus, among, pool) if lane.hub else []
        found = _gathered(corpus, [*near, *told, *about], vector, told)
        lists = [[found[ordinal].memory.id for ordinal in ordinals] for ordinals in (near, told)]
        named_as = max(0.0, quest.world.cosine_at(_NAMED)) if about and vector is not None else _NAMED
        members = _led(found, set(about), named_as)
        if lane.hops:
            lists.append(_walked(members, rrf(lists, self.k), quest, lane))
        weights = [2.0 * weight for weight in (lane.vector, lane.text, lane.graph)]
        scores = rrf(lists, self.k, weights[: len(lists)])
        fused = [c.rescored("fused", s := scores.get(memory_id, 0.0), s) for memory_id, c in members.items()]
        brought = f", {len(lists[2])} by the graph" if lane.hops else f", {len(about)} by name" if lane.hub else ""
        return replace(quest, candidates=ordered(fused)).noted(
            f"{len(near)} by meaning, {len(told)} by text{brought}, {len(fused)} in all"
        )


@dataclass(frozen=True, slots=True)
class Nearest:
    """Stage: find the nearest memories of each query by vector, each with its best similarity.

    ``each``: number per query; None: ``times`` the limit. Without a model the text list is used, scaled by its best
    score.
    """

    bm25: Bm25
    each: int | None = None
    times: int = 1
    name: str = "nearest"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the union of all lists."""
        corpus, among = quest.world.corpus, held_at(quest.world.corpus, quest.request)
        found: dict[int, Candidate] = {}
        for query in quest.queries:
            for candidate in self._list(query, quest, among):
                known = found.setdefault(candidate.ordinal, candidate)
                if candidate.score > known.score:
                    found[candidate.ordinal] = candidate
        note = f"{len(found)} of {corpus.size} by {len(quest.queries)} queries"
        return replace(quest, candidates=ordered(found.values())).noted(note)

    def _list(self, query: str, quest: RecallState, among: BoolArray | None) -> list[Candidate]:
        corpus, top_k = quest.world.corpus, self.each or quest.limit * self.times
        vector = _embedded(query, quest.world)
        told = by_text(corpus, query, top_k, among, self.bm25) if vector is None else {}
        listed = by_vector(corpus, vector, top_k, among) if vector is not None else told
        found = _gathered(corpus, listed, vector, told)
        name = "text" if vector is None else "similarity"
        return [candidate.rescored(name, alike := _alike(candidate), alike) for candidate in found.values()]


def _gathered(
    corpus: Corpus, ordinals: Iterable[int], vector: FloatArray | None, told: Mapping[int, float]
) -> dict[int, Candidate]:
    """Fetch the memories of ordinals without repetition, with raw cosines and text scores."""
    distinct = list(dict.fromkeys(ordinals))
    cosines: Sequence[float | None] = [None] * len(distinct)
    if vector is not None and distinct:
        cosines = corpus.cosines(vector, np.array(distinct, np.int64)).tolist()
    rows = zip(distinct, corpus.fetch(distinct), cosines, strict=True)
    return {o: Candidate(o, memory, 0.0, cosine=c, likeness=told.get(o, 0.0)) for o, memory, c in rows}


def _led(found: Mapping[int, Candidate], about: set[int], likeness: float) -> dict[str, Candidate]:
    """Map candidates by id; those found by name get the given likeness."""
    return {c.memory.id: replace(c, led=likeness) if o in about else c for o, c in found.items()}


def _walked(members: dict[str, Candidate], fused: Mapping[str, float], quest: RecallState, lane: Lane) -> list[str]:
    """Expand the graph from the best members; return the ids reached, nearest first, and add new ones."""
    best = sorted(fused, key=lambda memory_id: -fused[memory_id])[: quest.limit]
    world, compared = quest.world, any(one.alike is not None for one in members.values())
    seeds = {memory_id: members[memory_id].sure(world) for memory_id in best}
    reached = walk(seeds, lane.hops, quest.request, quest.world, lane.steps)
    for one in reached:
        known = members.get(one.memory.id)
        alike = max(0.0, world.cosine_at(one.likeness)) if compared else one.likeness
        if known is None:
            members[one.memory.id] = Candidate(-1, one.memory, 0.0, likeness=alike)
        elif one.caused:  # an elaboration shares words, so its own cosine is better
            members[one.memory.id] = replace(known, led=alike)
    return [one.memory.id for one in reached]


def _alike(candidate: Candidate) -> float:
    """Return a candidate's cosine (at least 0), or its likeness if it has none."""
    return candidate.likeness if candidate.alike is None else max(0.0, candidate.alike)


def _hub(query: str, corpus: Corpus, among: BoolArray | None, most: int) -> list[int]:
    """Return the latest memories that name an entity of the query."""
    about = [corpus.postings(entity.uri).ordinals for entity in named(query)]
    ordinals = np.unique(np.concatenate(about)) if about else np.empty(0, np.int64)
    return [int(o) for o in (ordinals if among is None else ordinals[among[ordinals]])[-most:]]


def _of_kinds(corpus: Corpus, among: BoolArray | None, lane: Lane) -> BoolArray | None:
    """Restrict to the lane's kinds, unless no memory has one of them."""
    if not lane.kinds:
        return among
    wanted: BoolArray = np.isin(corpus.kinds, [_KINDS.index(kind) for kind in lane.kinds])
    wanted = wanted if among is None else wanted & among
    return wanted if wanted.any() else among


def _embedded(query: str, world: RecallContext) -> FloatArray | None:
    if not world.corpus.embedded:
        return None
    vector = world.embed(query)
    return vector if vector is not None and vector.any() else None


def _centre(queries: Sequence[str], world: RecallContext) -> FloatArray | None:
    rows = [row for query in queries if (row := _embedded(query, world)) is not None]
    return centroid(np.stack(rows)) if rows else None
