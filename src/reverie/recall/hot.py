"""The hot tier (D36): a few memories that are injected whatever the cue, chosen by use, or as standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reverie.formulas.hot_tier import HotEdges, qualifies, rank, stands
from reverie.recall.quest import Candidate, Quest, World
from reverie.types import Kind, Memory, State, Tier

_KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True)
class HotTier:
    """Puts at most ``most`` hot memories before the candidates; ``standing`` kinds come by the second door.

    ``apart``: they are not counted among the hits wanted, but stand beside them.
    """

    edges: HotEdges
    most: int
    standing: frozenset[Kind] = frozenset()
    apart: bool = False
    name: str = "hot tier"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its hot memories."""
        chosen = self._chosen(quest, quest.world)
        found = {memory.id for memory in chosen}
        hot = tuple(Candidate(-1, memory, 0.0).rescored("hot", 1.0, memory.standing.utility) for memory in chosen)
        if self.apart:
            return replace(quest, hot=hot).noted(f"{len(hot)} beside the hits")
        rest = [candidate for candidate in quest.candidates if candidate.memory.id not in found]
        return replace(quest, candidates=[*hot, *rest]).noted(f"{len(hot)} merged")

    def _chosen(self, quest: Quest, world: World) -> list[Memory]:
        memories = {memory.id: memory for memory in world.often(int(self.edges.accesses))}
        if self.standing:
            memories |= {memory.id: memory for memory in _standing(world, self.standing)}
        return choose(list(memories.values()), quest, self)


def choose(memories: Sequence[Memory], quest: Quest, settings: HotTier) -> list[Memory]:
    """The hot ones among these memories, most useful first."""
    if not memories:
        return []
    now = quest.request.now
    ages = np.array([(now - memory.recorded_at).total_seconds() / 86_400.0 for memory in memories])
    utility = np.array([memory.standing.utility for memory in memories])
    accesses = np.array([memory.accesses for memory in memories], np.float64)
    active = np.array([_is_awake(memory, quest) for memory in memories])
    semantic = np.array([memory.standing.tier is Tier.SEMANTIC for memory in memories])
    standing = np.array([memory.kind in settings.standing for memory in memories])
    hot = qualifies(utility, accesses, ages, active & semantic, settings.edges)
    hot |= stands(utility, standing, active, settings.edges)
    return [memories[int(i)] for i in rank(utility, accesses, hot, settings.most)]


def _is_awake(memory: Memory, quest: Quest) -> bool:
    until = memory.valid_until
    return memory.standing.state is State.ACTIVE and (until is None or until > quest.request.now)


def _standing(world: World, kinds: frozenset[Kind]) -> list[Memory]:
    codes = [_KINDS.index(kind) for kind in sorted(kinds)]
    ordinals = np.flatnonzero(np.isin(world.corpus.kinds, codes))
    return world.corpus.fetch(ordinals.tolist())
