"""Links lift what stands just below the cut: a memory linked to one that was chosen gains once."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

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
