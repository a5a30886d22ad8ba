"""Strength and associations: storage and retrieval strength; what was recalled together, is linked or shares tags."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values

# Strength: storage and retrieval strength, synaptic capture, and what was stirring when it was encoded.


# Two strengths of one memory: how deeply it is stored, which only grows, and how easily it comes, which fades.


LEAST = 1.0
MOST = 10.0


def storage_gain(retrieval: Values, easy: float, hard: float) -> Floats:
    """The worth of a successful retrieval: ``easy`` when the memory was at hand, up to ``hard`` when nearly lost.

    Args:
        retrieval: retrieval strength just before the access, in [0, 1].
        easy: gain at retrieval 1, in [0, hard].
        hard: gain at retrieval 0, in [easy, 1].

    Source: bjork-disuse, decision-0008
    """
    result: Floats = np.asarray(hard - (hard - easy) * np.clip(retrieval, 0.0, 1.0), np.float64)
    return result


def storage_after(storage: Values, gain: Values) -> Floats:
    """Storage strength after a successful retrieval: the share ``gain`` of what is missing to 10 is won.

    Args:
        storage: in [1, 10].
        gain: in [0, 1].

    Source: bjork-disuse, decision-0008
    """
    held = np.clip(storage, LEAST, MOST)
    result: Floats = np.asarray(held + np.clip(gain, 0.0, 1.0) * (MOST - held), np.float64)
    return result


def is_tip_of_tongue(storage: Values, retrieval: Values, high: float, low: float) -> Bools:
    """Well stored (at least ``high``) and yet hard to reach (less than ``low``).

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.greater_equal(storage, high), np.less(retrieval, low))
    return result


# Synaptic tagging and capture: a strong event keeps the weak ones around it.


def is_weak(importance: float, edge: float) -> bool:
    """Whether a new memory is tagged: its importance lies below ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance < edge


def is_strong(importance: float, edge: float) -> bool:
    """Whether a new memory captures the tagged ones of its session: its importance reaches ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance >= edge


def captured_stability(stability_days: Values, factor: float) -> Floats:
    """Stability of a tagged memory after capture, ``factor`` ≥ 1 times what it was.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result


# Flashbulb memories: what was lived through in high arousal is kept, and kept vivid.


@dataclass(frozen=True, slots=True)
class FlashbulbLaw:
    """Least arousal that makes one, the importance it has at least, and the factor on its stability."""

    arousal: float
    importance: float
    factor: float


@dataclass(frozen=True, slots=True)
class Encoded:
    """How a memory is laid down: its importance in [0, 1], its stability in days, and whether it is pinned for it."""

    importance: float
    stability_days: float
    flashbulb: bool


def encoded(importance: float, stability_days: float, arousal: float, law: FlashbulbLaw) -> Encoded:
    """From ``law.arousal`` on a flashbulb: pinned, important at least so much, stable so many times longer; else as is.

    Source: brown-kulik-flashbulb, cognitive-memory-v9
    """
    if arousal < law.arousal:
        return Encoded(importance, stability_days, flashbulb=False)
    return Encoded(max(importance, law.importance), stability_days * law.factor, flashbulb=True)


# Associations: what was recalled together, is linked or shares tags lifts one another.


# What is recalled together grows together.


def strengthened(stability_days: Values, share: float) -> Floats:
    """Stability of a memory that was injected together with others: longer by ``share`` ≥ 0.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result


def pair_boost(count: Values, least: float, boost: float) -> Floats:
    """What a memory gains when its partner is a hit: ``boost`` if they came together at least ``least`` times, else 0.

    Where a memory has several partners among the hits, ``count`` is the highest of them: it gains once.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.where(np.greater_equal(count, least), boost, 0.0)
    return result


# Spreading activation: what is linked to an accessed memory fades a little more slowly.


def spread_boosted(stability_days: Values, share: float) -> Floats:
    """Stability of a neighbour, longer by ``share`` ≥ 0 for one access, however many ways lead to it.

    Source: collins-loftus-spreading, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result


# Links lift what stands just below the cut: a memory linked to one that was chosen gains once.


Item = TypeVar("Item", bound=Hashable)


def boosted(
    ranked: Sequence[tuple[Item, float]], links: Mapping[Item, Collection[Item]], top_k: int, boost: float
) -> list[tuple[Item, float]]:
    """The ranking anew after each candidate below rank ``top_k`` that one above links to gained ``boost``, once.

    Args:
        ranked: candidates with their scores, best first.
        links: item → what it is linked to; an item may be missing.
        top_k: how many are about to be chosen.
        boost: ≥ 0.

    Source: exocortex-memory
    """
    linked = {target for item, _ in ranked[:top_k] for target in links.get(item, ())}
    lifted = [
        (item, score + boost if place >= top_k and item in linked else score)
        for place, (item, score) in enumerate(ranked)
    ]
    return sorted(lifted, key=lambda pair: -pair[1])


# Memories that keep being recalled together are candidates for a cluster; nobody acts on it by itself.


@dataclass(frozen=True, slots=True)
class RetrievalEvent:
    """One recall: when, in seconds of any epoch, and which memories it injected."""

    at_s: float
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoRetrievedPair:
    """Two memories recalled together: how often, first and last."""

    ids: tuple[str, str]
    count: int
    first_s: float
    last_s: float


def candidates(retrievals: Sequence[RetrievalEvent], threshold: int) -> list[CoRetrievedPair]:
    """The pairs that came together more than ``threshold`` times, most often first, then by their ids.

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


# Links between memories that share enough tags, both ways, a few for each.


def links(
    tags: Sequence[Collection[str]], existing: Sequence[Collection[int]], least_shared: int, limit: int
) -> list[list[int]]:
    """For each memory the memories it is linked to, by index: what was linked stays, the pairs sharing most come first.

    A pair is added only where both have room, so that links always hold both ways.

    Args:
        tags: of each memory.
        existing: links of each memory, both ways.
        least_shared: tags a pair shares at least, ≥ 1.
        limit: links a memory has at most.

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


# Which two memories belong in one cluster.


@dataclass(frozen=True, slots=True)
class AffinityEdges:
    """Least number of shared entities; the difference of importance that must not be reached within one category.

    None: a category alone is never enough.
    """

    entities: int
    importance_gap: float | None


def is_affine(shared_entities: int, same_category: bool, importance_gap: float, edges: AffinityEdges) -> bool:
    """Whether two memories share enough entities, or are of one category and about equally important.

    Source: cognitive-memory-v9
    """
    if shared_entities >= edges.entities:
        return True
    gap = edges.importance_gap
    return gap is not None and same_category and abs(importance_gap) < gap
