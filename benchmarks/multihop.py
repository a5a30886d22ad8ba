"""Graphs over entities for questions that need several memories, measured beside simpler ways to the same memories.

In: a set and an embedding model. Out: what personalised PageRank, an entity hub and the nearest neighbours of the first
hits add to the default's ranking. Each is one number a memory, added to the score by a weight that is chosen on the
set's other conversations; the conversation that is judged never chooses. Decision 0073 tells what came of it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from benchmarks import results, statistics
from benchmarks.embedding import NO_MODEL, affordable, cached_embedder
from benchmarks.results import Extras, PairedRow, RetrievalRow
from benchmarks.sets import chosen, load
from benchmarks.systems.reverie import ReverieSystem
from benchmarks.values import BenchmarkSet, Haystack, Notes, Question
from reverie import Reverie, Scope
from reverie.answers import Recollection
from reverie.errors import InvalidInput
from reverie.formulas.arrays import Floats
from reverie.language.text.analyzer import index_terms
from reverie.ports import Embedder
from reverie.types import Memory

Ordinals = npt.NDArray[np.int64]

# Personalised PageRank by forward push, on a graph of memories and of what they name.


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Memories 0 … memories−1, then the things they name, in order of name; weighted edges in both directions.

    The neighbours of node u are ``ends[starts[u]:starts[u + 1]]``, their weights stand beside them in ``weights``;
    ``degrees`` (nodes,) are the sums of the weights at each node.
    """

    memories: int
    names: Mapping[str, int]
    starts: Ordinals
    ends: Ordinals
    weights: Floats
    degrees: Floats

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.starts) - 1


def rarity(memories: int, occurrences: Floats) -> Floats:
    """How much an edge weighs: ln(1 + n / df), so that what few memories name weighs more.

    Source: lucene-bm25
    """
    result: Floats = np.log1p(memories / occurrences)
    return result


def graph_of(named: Sequence[Sequence[str]], relations: Sequence[tuple[int, int]] = ()) -> Graph:
    """The graph of one scope.

    Args:
        named: what each memory names; one that no longer holds names nothing, has no relation, and is not reached.
        relations: pairs of memories that are linked; an edge of weight 1.
    """
    distinct = [sorted(set(names)) for names in named]
    names = {name: len(named) + place for place, name in enumerate(sorted({n for names in distinct for n in names}))}
    left = np.array([memory for memory, of in enumerate(distinct) for _ in of], np.int64)
    right = np.array([names[name] for of in distinct for name in of], np.int64)
    size = len(named) + len(names)
    weights = rarity(len(named), np.bincount(right, minlength=size).astype(np.float64)[right])
    pairs = np.array(relations, np.int64).reshape(-1, 2)
    one, other = np.concatenate([left, pairs[:, 0]]), np.concatenate([right, pairs[:, 1]])
    weights = np.concatenate([weights, np.ones(len(pairs))])
    begins, ends, both = np.concatenate([one, other]), np.concatenate([other, one]), np.concatenate([weights, weights])
    order = np.lexsort((ends, begins))
    starts = np.concatenate([[0], np.cumsum(np.bincount(begins, minlength=size))])
    degrees: Floats = np.bincount(begins, both, size).astype(np.float64)
    return Graph(len(named), names, starts.astype(np.int64), ends[order], both[order], degrees)


def forward_push(graph: Graph, seeds: Floats, alpha: float, epsilon: float) -> Floats:
    """Personalised PageRank of every node: where a walk ends that begins at a seed and stops with chance ``alpha``.

    Whole fronts are pushed at once: every node whose residual is above its share of ``epsilon`` by degree. What is left
    when none is sums to at most ``epsilon``, which is the L1 distance to the exact vector. A node without edges keeps
    what it gets.

    Args:
        graph: of one scope, so that nothing of another is reached.
        seeds: (nodes,) where walks begin, ≥ 0; scaled to sum to 1. All 0: nothing is reached.
        alpha: in (0, 1].
        epsilon: in (0, 1).

    Source: andersen-chung-lang-push
    """
    if not 0.0 < alpha <= 1.0:
        raise InvalidInput(f"alpha is {alpha}.", "Give a chance to stop above 0 and at most 1.")
    if not 0.0 < epsilon < 1.0:
        raise InvalidInput(f"epsilon is {epsilon}.", "Give an error above 0 and below 1.")
    degrees, reached = graph.degrees, np.zeros(graph.size)
    if not seeds.any():
        return reached
    residual = seeds / seeds.sum()
    limits = epsilon * degrees / max(float(degrees.sum()), 1e-300)
    while len(front := np.flatnonzero(residual > limits)):
        held = residual[front]
        residual[front] = 0.0
        is_dangling = degrees[front] == 0.0
        reached[front] += np.where(is_dangling, 1.0, alpha) * held
        going, given = front[~is_dangling], ((1.0 - alpha) * held / np.where(is_dangling, 1.0, degrees[front]))
        _give(graph, going, given[~is_dangling], residual)
    return reached


def _give(graph: Graph, going: Ordinals, given: Floats, residual: Floats) -> None:
    """Add to each neighbour's residual its share of what these nodes give, in place."""
    begin, count = graph.starts[going], graph.starts[going + 1] - graph.starts[going]
    if not count.sum():
        return
    edges = np.repeat(begin - np.concatenate([[0], np.cumsum(count)[:-1]]), count) + np.arange(count.sum())
    residual += np.bincount(graph.ends[edges], graph.weights[edges] * np.repeat(given, count), graph.size)


# What a question's cue leads to, one number a memory in [0, 1].

ALPHA = 0.5
"""HippoRAG's chance to go back to the seeds; not tuned."""
EPSILON = 1e-4
FIRST = 3
"""First hits whose nearest neighbours are looked for."""
KINDS = ("entities", "entities, speakers", "entities, speakers, keywords")
"""What memories are linked by. Speakers and keywords stand in for the noun phrases that a language model would give."""
ROWS = ("nearest neighbours", *(f"{way} ({kind})" for kind in KINDS for way in ("hub", "PageRank", "PageRank, hits")))
"""``hits``: half the walks begin at the first five hits, as in HippoRAG 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One question: the default's scores of the memories heard (n,), without co-retrieval too, and each way's numbers.

    ``standing`` are the memories that stand before all others, ``gold`` those that hold the evidence.
    """

    scores: Floats
    alone: Floats
    ways: Mapping[str, Floats]
    standing: tuple[int, ...]
    gold: frozenset[int]
    seen: Mapping[str, float]


class Graphed(ReverieSystem):
    """The default, asked for what its graph would bring."""

    def questions(self, haystack: Haystack) -> Iterator[Asked]:
        """Every question with its evidence, in order of when it is asked."""
        scope = Scope(agent="benchmark", user="reader", project="multihop")
        embedder = affordable(self.embedder, (item.text for item in haystack.items))
        vectors = _vectors(embedder, haystack)
        place = {item.id: number for number, item in enumerate(haystack.items)}
        graphs: dict[int, dict[str, Graph]] = {}
        with self._open(embedder) as engine:
            for number, known in self._asked(engine, haystack, scope):
                question = haystack.questions[number]
                memories = _heard(engine, scope, known, place)
                at = {memory.id: ordinal for ordinal, memory in enumerate(memories)}
                if len(memories) not in graphs:
                    graphs[len(memories)] = {kind: graph_of([_named(m, kind) for m in memories]) for kind in KINDS}
                seen = engine.explain(question.text, scope, top_k=DEPTH, budget_tokens=None, now=question.asked_at)
                gold = frozenset(place[one] for one in question.gold)
                known_vectors = None if vectors is None else vectors[: len(at)]
                yield _asked(seen.recollection, at, graphs[len(memories)], known_vectors, gold)


DEPTH = 400
"""Candidates of the default that keep their score; all other memories share one below."""


def _vectors(embedder: Embedder | None, haystack: Haystack) -> npt.NDArray[np.float32] | None:
    return None if embedder is None else embedder.embed_passages([item.text for item in haystack.items])


def _heard(engine: Reverie, scope: Scope, known: Mapping[str, str], place: Mapping[str, int]) -> list[Memory]:
    return sorted(engine.timeline(scope), key=lambda memory: place[known[memory.id]])


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return next(iter(index_terms(word)), word)


def _named(memory: Memory, kind: str) -> list[str]:
    """What a memory is linked by, each under a name that no other sort of thing has; nothing once it holds no more."""
    if memory.valid_until is not None:
        return []
    found = [f"entity {name.casefold()}" for name in memory.entities]
    if "speakers" in kind:
        found.append(f"entity {memory.speaker.casefold()}")
    if "keywords" in kind:
        found += [f"word {_stem(word)}" for word in memory.keywords]
    return found


def _asked(
    found: Recollection,
    at: Mapping[str, int],
    graphs: Mapping[str, Graph],
    vectors: npt.NDArray[np.float32] | None,
    gold: frozenset[int],
) -> Asked:
    hits = sorted((*found.hits, *found.withheld), key=lambda hit: hit.rank)
    ordinals = [at[hit.memory.id] for hit in hits]
    own = np.array([hit.score for hit in hits])
    scores = np.full(len(at), own.min(initial=0.0) - 0.001)
    scores[ordinals], alone = own, scores.copy()
    lifts = [next((signal.value for signal in hit.signals if signal.name == "company"), 0.0) for hit in hits]
    alone[ordinals] = own - lifts
    cue = [f"entity {name.casefold()}" for name in (*found.cue.entities, *found.cue.speakers)]
    cue += [f"word {stem}" for term in found.cue.terms for stem in dict.fromkeys((term, _stem(term)))]
    first = np.lexsort((np.arange(len(scores)), -scores))
    ways = {"nearest neighbours": _nearest(vectors, first[:FIRST], len(scores))}
    for kind, graph in graphs.items():
        ways |= _walked(graph, kind, cue, first[:5])
    standing = tuple(dict.fromkeys(at[hit.memory.id] for hit in found.standing))
    return Asked(scores, alone, ways, standing, gold, _reach(graphs["entities"], cue, gold, first[:40]))


def _walked(graph: Graph, kind: str, cue: Sequence[str], first: Ordinals) -> dict[str, Floats]:
    """What a cue leads to in a graph: at one hop, by walks from it, and by walks from it and from the first hits.

    Source: gutierrez-hipporag
    """
    n, degrees = graph.memories, np.diff(graph.starts)
    seeds, hits = np.zeros(graph.size), np.zeros(graph.size)
    nodes = sorted({graph.names[name] for name in cue if name in graph.names})
    seeds[nodes] = 1.0 / degrees[nodes]  # node specificity: what few memories name begins more walks
    hub = np.zeros(graph.size)
    _give(graph, np.array(nodes, np.int64), np.ones(len(nodes)), hub)
    hits[first] = 1.0 / np.arange(1, len(first) + 1)
    hits /= max(hits.sum(), 1e-300)
    both = hits if not nodes else (seeds / seeds.sum() + hits) / 2.0
    walked = forward_push(graph, both, ALPHA, EPSILON) - ALPHA * both  # that a hit is a hit is in its score
    return {
        f"hub ({kind})": _scaled(hub[:n]),
        f"PageRank ({kind})": _scaled(forward_push(graph, seeds, ALPHA, EPSILON)[:n]),
        f"PageRank, hits ({kind})": _scaled(np.maximum(walked[:n], 0.0)),
    }


def _scaled(values: Floats) -> Floats:
    most = values.max(initial=0.0)
    result: Floats = values / most if most > 0.0 else values
    return result


def _nearest(vectors: npt.NDArray[np.float32] | None, first: Ordinals, size: int) -> Floats:
    """The greatest centred cosine with one of the first hits but itself."""
    if vectors is None:
        return np.zeros(size)
    centred = vectors - vectors.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    alike = (centred @ centred[first].T).astype(np.float64)
    alike[first, np.arange(len(first))] = 0.0
    result: Floats = alike.max(axis=1, initial=0.0)
    return result


def _reach(graph: Graph, cue: Sequence[str], gold: frozenset[int], found: Ordinals) -> dict[str, float]:
    """Shares by which the set itself bounds what a graph of entities can bring; NaN where there is nothing to share."""
    nodes = np.array(sorted({graph.names[name] for name in cue if name in graph.names}), np.int64)
    shares = {"cues with an entity that memories name": float(len(nodes) > 0)}
    missed = gold.difference(found.tolist())
    reached = nodes
    for hops in ("one hop", "two hops"):
        memories, edge = _next_to(graph, reached), np.zeros(graph.size)
        edge[memories] = 1.0
        shares[f"memories within {hops}"] = float(edge[: graph.memories].mean())
        shares[f"evidence within {hops}"] = float(edge[sorted(gold)].mean())
        shares[f"evidence below rank 40 within {hops}"] = float(edge[sorted(missed)].mean()) if missed else np.nan
        reached = _next_to(graph, memories)
    return shares


def _next_to(graph: Graph, nodes: Ordinals) -> Ordinals:
    mass = np.zeros(graph.size)
    _give(graph, nodes, np.ones(len(nodes)), mass)
    return np.flatnonzero(mass)


# Held-out figures: a weight for each way, chosen on the other conversations.

WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
CATEGORIES = frozenset({"multi-hop", "multi-hop-reasoning", "multi-session-reasoning", "multi-session"})
FIGURES = (("fraction", 10), ("all", 10), ("fraction", 20), ("all", 20))
CHOSEN_BY = 0
DEFAULT, ALONE = "reverie", "reverie without company"


def figures(one: Asked, scores: Floats) -> list[float]:
    """The value of each of ``FIGURES``; equal scores by ordinal."""
    deepest = max(at for _, at in FIGURES) + len(one.standing)
    first = np.lexsort((np.arange(len(scores)), -scores))[:deepest].tolist()
    order = list(dict.fromkeys([*one.standing, *first]))
    shares = {at: len(one.gold.intersection(order[:at])) / len(one.gold) for _, at in FIGURES}
    return [shares[at] if metric == "fraction" else float(shares[at] == 1.0) for metric, at in FIGURES]


def held_out(lives: Sequence[Sequence[Asked]], way: str) -> tuple[list[Floats], list[float]]:
    """Each life's figures (questions, figures) by the weight that is best on the other lives, and these weights."""
    table = [[_with(life, way, weight) for weight in WEIGHTS] for life in lives]
    values, weights = [], []
    for place, life in enumerate(table):
        others = [other for number, other in enumerate(table) if number != place]
        means = [np.concatenate([of[w] for of in others])[:, CHOSEN_BY].mean() for w in range(len(WEIGHTS))]
        best = int(np.argmax(np.round(means, 9)))  # of equals the smallest
        values.append(life[best])
        weights.append(WEIGHTS[best])
    return values, weights


def _with(life: Sequence[Asked], way: str, weight: float) -> Floats:
    return np.array([figures(one, one.scores + weight * one.ways[way]) for one in life])


def _plain(life: Sequence[Asked], *, alone: bool = False) -> Floats:
    return np.array([figures(one, one.alone if alone else one.scores) for one in life])


CATEGORY = "multi-hop"
"""What the rows call these questions, whatever a set calls them."""


def measured(of: BenchmarkSet, lives: Sequence[Sequence[Asked]], seed: int) -> tuple[list[RetrievalRow], Extras]:
    """The rows, and as extras what each way has over the default, paired by question, by conversations resampled.

    Raises:
        InvalidInput: fewer than two conversations, so that none could be held out.
    """
    if len(lives) < 2:
        raise InvalidInput(f"{of.name} has fewer than two conversations with such questions.", "Give more files.")
    found = {DEFAULT: [_plain(life) for life in lives], ALONE: [_plain(life, alone=True) for life in lives]}
    weights = {}
    for way in ROWS:
        found[way], weights[way] = held_out(lives, way)
    members = np.repeat(np.arange(len(lives)), [len(life) for life in lives])
    chance = statistics.resample_groups(members, seed)
    columns = {way: np.concatenate(values) for way, values in found.items()}
    rows, paired = [], []
    for place, (metric, at) in enumerate(FIGURES):
        base = columns[DEFAULT][:, place]
        for way, values in columns.items():
            ends = statistics.intervals(values[:, place, np.newaxis], chance)
            told = [round(float(end[0]), 4) for end in (ends.mean, ends.low, ends.high)]
            rows.append(RetrievalRow(of.name, way, of.unit, metric, at, CATEGORY, len(base), *told))
            gain = statistics.difference(values[:, place], base, chance)
            numbers = (round(gain.mean, 4), round(gain.low, 4), round(gain.high, 4), gain.better, gain.worse)
            paired.append(PairedRow(of.name, way, DEFAULT, of.unit, metric, at, CATEGORY, len(base), *numbers))
    extras = {"paired": [asdict(row) for row in paired if row.system != DEFAULT], "weights": weights}
    return rows, {**extras, "reach": _reached(lives)}


def _reached(lives: Sequence[Sequence[Asked]]) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for one in (one for life in lives for one in life):
        for name, share in one.seen.items():
            values[name].append(share)
    return {name: round(float(np.nanmean(of)), 4) for name, of in values.items() if not np.isnan(of).all()}


# ``multihop`` as a command.


def _needing_several(haystack: Haystack) -> Haystack:
    asked: list[Question] = [q for q in haystack.questions if q.gold and q.category in CATEGORIES]
    return haystack.asking(asked)


def _lives(of: Iterator[Haystack], embedder: Embedder | None) -> Iterator[list[Asked]]:
    system = Graphed(embedder)
    for haystack in of:
        several = _needing_several(haystack)
        if several.questions:
            yield list(system.questions(several))
            print(f"multihop: {haystack.name}, {len(several.questions)} questions", file=sys.stderr, flush=True)


def multihop(options: argparse.Namespace, given: Sequence[str]) -> None:
    """A result file for each set; raises InvalidInput where it has fewer than two conversations with such questions."""
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in chosen(options.set, options.data):
        notes: Notes = Counter()
        lives = list(_lives(load(one.set, one.paths, notes, options.limit), embedder))
        rows, extras = measured(one.set, lives, options.seed)
        out = one.out(options.out)
        told = {**extras, "seed": options.seed, "conversations": len(lives), **model}
        results.write(out, rows, {**told, **results.surroundings(given)})
        for row in rows:
            interval = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
            print(f"{row.set:18} {row.system:42} {row.metric:9} @{row.at:<3} n {row.n:4} {interval}")
        print(f"wrote {out}")
