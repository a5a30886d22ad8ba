"""Strength of memories, and associations between them: storage strength, capture, co-retrieval, links, shared tags."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values

# Two strengths of one memory: storage strength only grows; retrieval strength fades with time.


LEAST = 1.0
MOST = 10.0


def storage_gain(retrieval: Values, easy: float, hard: float) -> Floats:
    """Compute what a successful retrieval gains in storage strength: more, the harder the memory was to retrieve.

    Args:
        retrieval: retrieval strength just before the access, in [0, 1].
        easy: gain at retrieval 1, in [0, hard].
        hard: gain at retrieval 0, in [easy, 1].

    Source: bjork-disuse, decision-0008
    """
    result: Floats = np.asarray(hard - (hard - easy) * np.clip(retrieval, 0.0, 1.0), np.float64)
    return result


def storage_after(storage: Values, gain: Values) -> Floats:
    """Compute storage strength after a successful retrieval: the share ``gain`` of the distance to 10 is added.

    Args:
        storage: in [1, 10].
        gain: in [0, 1].

    Source: bjork-disuse, decision-0008
    """
    held = np.clip(storage, LEAST, MOST)
    result: Floats = np.asarray(held + np.clip(gain, 0.0, 1.0) * (MOST - held), np.float64)
    return result


def is_tip_of_tongue(storage: Values, retrieval: Values, high: float, low: float) -> Bools:
    """Whether a memory is on the tip of the tongue: storage at least ``high``, but retrieval strength below ``low``.

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.greater_equal(storage, high), np.less(retrieval, low))
    return result


# Synaptic tagging and capture: an important memory stabilises the weak ones of its session.


def is_weak(importance: float, edge: float) -> bool:
    """Whether a new memory is weak, and so tagged for later capture: its importance lies below ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance < edge


def is_strong(importance: float, edge: float) -> bool:
    """Whether a new memory is strong enough to capture the tagged ones of its session: importance at least ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance >= edge


def captured_stability(stability_days: Values, factor: float) -> Floats:
    """Compute the stability of a tagged memory after capture: ``factor`` ≥ 1 times the old one.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result


# Flashbulb memories: what was experienced in high arousal is kept longer.


@dataclass(frozen=True, slots=True)
class FlashbulbLaw:
    """When a memory is a flashbulb (least arousal), its least importance, and the factor on its stability."""

    arousal: float
    importance: float
    factor: float


@dataclass(frozen=True, slots=True)
class Encoded:
    """Initial values of a memory: importance in [0, 1], stability in days, and whether it is pinned as a flashbulb."""

    importance: float
    stability_days: float
    flashbulb: bool


def encoded(importance: float, stability_days: float, arousal: float, law: FlashbulbLaw) -> Encoded:
    """Raise importance and stability of a flashbulb memory (``arousal`` ≥ ``law.arousal``); leave any other as it is.

    Source: brown-kulik-flashbulb, cognitive-memory-v9
    """
    if arousal < law.arousal:
        return Encoded(importance, stability_days, flashbulb=False)
    return Encoded(max(importance, law.importance), stability_days * law.factor, flashbulb=True)


# Hebbian learning: memories recalled together are strengthened.


def strengthened(stability_days: Values, share: float) -> Floats:
    """Compute the stability of a memory injected together with others: longer by the share ``share`` ≥ 0.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result


def pair_boost(count: Values, least: float, boost: float) -> Floats:
    """Compute a memory's bonus when its partner is a hit: ``boost`` if both came up ``least`` times together, else 0.

    Of several partners among the hits, ``count`` is the highest count: the bonus is added once.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.where(np.greater_equal(count, least), boost, 0.0)
    return result


# Spreading activation: neighbours of an accessed memory fade more slowly.


def spread_boosted(stability_days: Values, share: float) -> Floats:
    """Compute a neighbour's stability after one access: longer by ``share`` ≥ 0, once however many links lead to it.

    Source: collins-loftus-spreading, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result


# Link boost: a candidate just below the cutoff gains once if a chosen one links to it.


Item = TypeVar("Item", bound=Hashable)


def boosted(
    ranked: Sequence[tuple[Item, float]], links: Mapping[Item, Collection[Item]], top_k: int, boost: float
) -> list[tuple[Item, float]]:
    """Rerank candidates: each one below rank ``top_k`` that a candidate above links to gains ``boost``, once.

    Args:
        ranked: candidates with their scores, best first.
        links: item → the items it links to; an item may be missing.
        top_k: how many will be chosen.
        boost: ≥ 0.

    Source: exocortex-memory
    """
    linked = {target for item, _ in ranked[:top_k] for target in links.get(item, ())}
    lifted = [
        (item, score + boost if place >= top_k and item in linked else score)
        for place, (item, score) in enumerate(ranked)
    ]
    return sorted(lifted, key=lambda pair: -pair[1])


# Memories that are often recalled together are candidates for a cluster; clustering itself is left to the caller.


@dataclass(frozen=True, slots=True)
class RetrievalEvent:
    """One recall: its time in seconds of any epoch, and the ids of the memories it injected."""

    at_s: float
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoRetrievedPair:
    """Two memories recalled together: how often, and when first and last, in seconds."""

    ids: tuple[str, str]
    count: int
    first_s: float
    last_s: float


def candidates(retrievals: Sequence[RetrievalEvent], threshold: int) -> list[CoRetrievedPair]:
    """Return the pairs recalled together more than ``threshold`` times, most frequent first, then by ids.

    Source: exocortex-memory
    """
    seen: dict[tuple[str, str], list[float]] = {}
    for retrieval in retrievals:
        for one, other in combinations(sorted(set(retrieval.ids)), 2):
            seen.setdefault((one, other), []).append(retrieval.at_s)
    often = [
        CoRetrievedPair(ids, len(times), min(times), max(times))
        for ids, times in seen.items()
        if len(times) > threshold
    ]
    return sorted(often, key=lambda pair: (-pair.count, pair.ids))


# Symmetric links between memories that share enough tags, a few per memory.


def links(
    tags: Sequence[Collection[str]], existing: Sequence[Collection[int]], least_shared: int, limit: int
) -> list[list[int]]:
    """Compute each memory's links by index: existing ones stay, then the pairs that share most tags are added.

    A pair is added only where both have room, so that links are always symmetric.

    Args:
        tags: tags of each memory.
        existing: links of each memory, symmetric.
        least_shared: number of tags a pair must share, ≥ 1.
        limit: maximum number of links per memory.

    Source: exocortex-memory
    """
    linked = [list(targets) for targets in existing]
    for (one, other), _ in sorted(_shared(tags, least_shared).items(), key=lambda item: (-item[1], item[0])):
        if other not in linked[one] and len(linked[one]) < limit and len(linked[other]) < limit:
            linked[one].append(other)
            linked[other].append(one)
    return linked


def _shared(tags: Sequence[Collection[str]], least: int) -> dict[tuple[int, int], int]:
    bearers: dict[str, list[int]] = defaultdict(list)
    counts: Counter[tuple[int, int]] = Counter()
    for index, own in enumerate(tags):
        for tag in sorted(set(own)):
            counts.update((earlier, index) for earlier in bearers[tag])
            bearers[tag].append(index)
    return {pair: count for pair, count in counts.items() if count >= least}


@dataclass(frozen=True, slots=True)
class AffinityEdges:
    """Conditions for one cluster: shared entities (at least), or one category and an importance gap below this one.

    With ``importance_gap`` None, a shared category is never enough.
    """

    entities: int
    importance_gap: float | None


def is_affine(shared_entities: int, same_category: bool, importance_gap: float, edges: AffinityEdges) -> bool:
    """Whether two memories belong in one cluster: enough shared entities, or one category and similar importance.

    Source: cognitive-memory-v9
    """
    if shared_entities >= edges.entities:
        return True
    gap = edges.importance_gap
    return gap is not None and same_category and abs(importance_gap) < gap
