"""The hot tier (D36): a few memories that are injected whatever the cue, chosen by use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from reverie.formulas.hot_tier import HotEdges, qualifies, rank
from reverie.recall.quest import Candidate, Quest, Request, World
from reverie.types import Memory, State, Tier


@dataclass(frozen=True, slots=True)
class HotTier:
    """Finds at most ``most`` hot memories to stand beside the hits.

    They are chosen anew after ``minutes``; in between only what is no longer active drops out.
    """

    edges: HotEdges
    most: int
    minutes: float
    name: str = "hot tier"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its hot memories."""
        request, world = quest.request, quest.world
        names = world.kept(self.minutes, partial(self._chosen, request, world))
        known = (world.memory(name) for name in names)
        awake = [memory for memory in known if memory is not None and is_awake(memory, request)]
        hot = tuple(Candidate(-1, m, 0.0).rescored("hot", u := m.standing.utility, u) for m in awake)
        return replace(quest, hot=hot).noted(f"{len(hot)} stand")

    def _chosen(self, request: Request, world: World) -> tuple[str, ...]:
        often = world.often(int(self.edges.accesses))
        return tuple(memory.id for memory in choose(often, request, self))


def choose(memories: Sequence[Memory], request: Request, settings: HotTier) -> list[Memory]:
    """The hot ones among these memories: the most useful first, then the most used, then the latest."""
    if not memories:
        return []
    latest = sorted(memories, key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
    ages = np.array([(request.now - memory.recorded_at).total_seconds() / 86_400.0 for memory in latest])
    utility = np.array([memory.standing.utility for memory in latest])
    accesses = np.array([memory.accesses for memory in latest], np.float64)
    active = np.array([is_awake(memory, request) for memory in latest])
    semantic = np.array([memory.standing.tier is Tier.SEMANTIC for memory in latest])
    hot = qualifies(utility, accesses, ages, active & semantic, settings.edges)
    return [latest[int(i)] for i in rank(utility, accesses, hot, settings.most)]


def is_awake(memory: Memory, request: Request) -> bool:
    """Whether a memory is active and holds now."""
    return memory.standing.state is State.ACTIVE and memory.holds_at(request.now)
