"""The hot tier (D36): a few memories that are injected whatever the cue, chosen by use, or as standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from reverie.formulas.hot_tier import HotEdges, qualifies, rank, stands
from reverie.recall.quest import Candidate, Kept, Quest, Request, World
from reverie.types import Kind, Memory, Role, State, Tier

_KINDS = tuple(Kind)
_ROLES = tuple(Role)
_LOOKED_AT = 500
"""Of what may come by the second door, so many are looked at, the latest."""


@dataclass(frozen=True, slots=True)
class HotTier:
    """Finds at most ``most`` hot memories to stand beside the hits; ``standing`` kinds come by the second door.

    Through it come only the words of these ``roles``: what two people tell each other is no order to an agent.

    They are chosen anew after ``minutes``; in between only what is no longer active drops out.
    """

    edges: HotEdges
    most: int
    minutes: float
    standing: frozenset[Kind] = frozenset()
    roles: frozenset[Role] = frozenset(Role)
    name: str = "hot tier"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its hot memories."""
        request, world = quest.request, quest.world
        kept = world.kept(self.minutes, partial(self._chosen, request, world))
        awake = [memory for memory in _read(kept, world) if is_awake(memory, request)]
        hot = tuple(Candidate(-1, m, 0.0).rescored("hot", u := m.standing.utility, u) for m in awake)
        return replace(quest, hot=hot).noted(f"{len(hot)} stand")

    def _chosen(self, request: Request, world: World) -> tuple[Kept, ...]:
        stand = _standing(world, request, self) if self.standing else {}
        places = {memory.id: ordinal for ordinal, memory in stand.items()}
        memories = {memory.id: memory for memory in (*stand.values(), *world.often(int(self.edges.accesses)))}
        chosen = choose(list(memories.values()), request, self)
        return tuple(Kept(memory.id, places.get(memory.id, -1)) for memory in chosen)


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
    standing = np.array([memory.kind in settings.standing and memory.role in settings.roles for memory in latest])
    hot = qualifies(utility, accesses, ages, active & semantic, settings.edges)
    hot |= stands(utility, standing, active, settings.edges)
    return [latest[int(i)] for i in rank(utility, accesses, hot, settings.most)]


def is_awake(memory: Memory, request: Request) -> bool:
    """Whether a memory is active and holds now."""
    return memory.standing.state is State.ACTIVE and memory.holds_at(request.now)


def _read(kept: Sequence[Kept], world: World) -> list[Memory]:
    """The memories of these names as they are now, those of known ordinal at once; without what was erased."""
    size = world.corpus.size
    there = [one for one in kept if 0 <= one.ordinal < size]
    read = {memory.id: memory for memory in world.corpus.fetch([one.ordinal for one in there])} if there else {}
    memories = (read.get(one.id) or world.memory(one.id) for one in kept)
    return [memory for memory in memories if memory is not None]


def _standing(world: World, request: Request, settings: HotTier) -> dict[int, Memory]:
    """Ordinal → memory, the latest memories of the standing kinds and roles that are recalled."""
    corpus = world.corpus
    among = corpus.recallable(request.now)
    wanted = np.isin(corpus.kinds, [_KINDS.index(kind) for kind in settings.standing])
    wanted &= np.isin(corpus.roles, [_ROLES.index(role) for role in settings.roles])
    ordinals = np.flatnonzero(wanted if among is None else wanted & among)[-_LOOKED_AT:].tolist()
    return dict(zip(ordinals, corpus.fetch(ordinals), strict=True))
