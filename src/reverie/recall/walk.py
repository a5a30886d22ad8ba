"""Walk: what the graph leads to from what was found, along causes and elaborations, breadth first (D16, D18).

In: seeds with how alike they are. Out: what was reached, nearest first, with the likeness that came along the edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.recall.held import holds
from reverie.recall.quest import Request, World
from reverie.types import Memory, RelationKind

_STEPS = frozenset({RelationKind.CAUSES, RelationKind.ELABORATES})


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory the graph led to: after how many hops, and its seed's likeness times the confidences on the way."""

    memory: Memory
    hops: int
    likeness: float


def walk(seeds: Mapping[str, float], hops: int, request: Request, world: World) -> list[Reached]:
    """Everything within so many hops of the seeds (id → likeness) that a request may find, the seeds' partners too."""
    reached: dict[str, Reached] = {}
    rim, passed = dict(seeds), set[str]()
    for hop in range(1, hops + 1):
        passed |= set(rim)
        found = _stepped(rim, world)
        rim = {}
        for memory_id, likeness in found.items():
            if memory_id in reached or (memory_id in seeds and hop > 1):  # a seed does not lead to itself
                continue
            memory = world.memory(memory_id)
            if memory is None or not holds(memory, request):
                continue
            reached[memory_id] = Reached(memory, hop, likeness)
            if memory_id not in passed:
                rim[memory_id] = likeness
    return sorted(reached.values(), key=lambda one: (one.hops, -one.likeness, one.memory.id))


def _stepped(rim: Mapping[str, float], world: World) -> dict[str, float]:
    """One hop from the rim, both ways along an edge; of several ways to a memory the best."""
    found: dict[str, float] = {}
    for edge in world.relations(sorted(rim)) if rim else ():
        if edge.kind in _STEPS:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here in rim:
                    found[there] = max(found.get(there, 0.0), rim[here] * edge.confidence)
    return found
