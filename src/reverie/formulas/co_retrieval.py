"""Memories that keep being recalled together are candidates for a cluster; nobody acts on it by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One recall: when, in seconds of any epoch, and which memories it injected."""

    at_s: float
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories recalled together: how often, first and last."""

    ids: tuple[str, str]
    count: int
    first_s: float
    last_s: float


def candidates(retrievals: Sequence[Retrieval], threshold: int) -> list[Pair]:
    """The pairs that came together more than ``threshold`` times, most often first, then by their ids.

    Source: exocortex-memory
    """
    seen: dict[tuple[str, str], list[float]] = {}
    for retrieval in retrievals:
        for one, other in combinations(sorted(set(retrieval.ids)), 2):
            seen.setdefault((one, other), []).append(retrieval.at_s)
    often = [Pair(ids, len(times), min(times), max(times)) for ids, times in seen.items() if len(times) > threshold]
    return sorted(often, key=lambda pair: (-pair.count, pair.ids))
