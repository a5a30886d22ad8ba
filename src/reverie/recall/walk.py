"""Walk: what the graph leads to from what was found, along causes and elaborations, breadth first (D16, D18).

In: seeds with how alike they are. Out: what was reached, nearest first, with the likeness that came along the edges.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reverie.recall.held import holds
from reverie.recall.quest import Request, World
from reverie.types import Memory, RelationKind

_STEPS = (RelationKind.CAUSES, RelationKind.ELABORATES)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory the graph led to: after how many hops, its seed's likeness times the confidences on the way, and whether
    causes alone led there.
    """

    memory: Memory
    hops: int
    likeness: float
    caused: bool


def walk(
    seeds: Mapping[str, float],
    hops: int,
    request: Request,
    world: World,
    steps: Collection[RelationKind] = _STEPS,
) -> list[Reached]:
    """Everything within so many hops of the seeds (id → likeness) that a request may find, the seeds' partners too.

    ``steps`` are the kinds of edges that are walked. Not what a dream made: a theme gathers what is alike, and is no
    step from a cause to its effect.
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
    """How one came to a memory: the likeness that is left, and whether along causes alone."""

    likeness: float
    caused: bool


def _stepped(rim: Mapping[str, _Way], world: World, steps: Collection[RelationKind]) -> dict[str, _Way]:
    """One hop from the rim, both ways along an edge; of several ways to a memory the best."""
    found: dict[str, _Way] = {}
    for edge in world.relations(sorted(rim)) if rim else ():
        if edge.kind in steps:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here in rim:
                    before = rim[here]
                    way = _Way(before.likeness * edge.confidence, before.caused and edge.kind is RelationKind.CAUSES)
                    found[there] = max(found.get(there, way), way)
    return found
