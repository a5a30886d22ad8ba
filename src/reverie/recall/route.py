"""Route: what kind of question this is, and how it is best looked for (D18): weights, limit, special handling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reverie.language.intents import Intent, route
from reverie.language.named_entities import named
from reverie.recall.quest import Candidate, Quest, World, ordered
from reverie.types import Kind, Memory, RelationKind

_STEPS = {RelationKind.CAUSES, RelationKind.ELABORATES}


@dataclass(frozen=True, slots=True)
class Lane:
    """How one intent is looked for.

    Attributes:
        vector: weight of the vector list.
        text: weight of the text list.
        graph: weight of what the graph brings.
        limit: how many are wanted.
        utility: added to a score for a utility of 1.
        hops: how far the graph is walked from what was found.
        hub: whether everything about the named entities is a candidate.
        latest: whether the newest comes first, superseded ones too.
        kinds: only memories of these kinds, where there are any.
    """

    vector: float
    text: float
    limit: int
    graph: float = 0.0
    utility: float = 0.0
    hops: int = 0
    hub: bool = False
    latest: bool = False
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Finds the intent, by the model where there is one, and sets weights and limit from its lane."""

    lanes: tuple[tuple[Intent, Lane], ...]
    name: str = "route"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its intent."""
        said = quest.world.route(quest.request.text)
        intent = Intent(said) if said else route(quest.request.text)
        lane = lane_of(self.lanes, intent)
        request = replace(quest.request, past=quest.request.past or lane.latest)
        limit = min(quest.request.top_k, lane.limit)
        by = "the model" if said else "its words"
        routed = replace(quest, request=request, intent=intent, weights=(lane.vector, lane.text), limit=limit)
        return routed.noted(f"{intent}, by {by}: at most {limit}")


@dataclass(frozen=True, slots=True)
class Lanes:
    """What an intent asks for beyond weights: its graph, its hub, its kinds, its order, its boost for utility."""

    lanes: tuple[tuple[Intent, Lane], ...]
    name: str = "special handling"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates as the intent wants them."""
        lane = lane_of(self.lanes, Intent(quest.intent or Intent.GENERAL))
        candidates = [c.touched("utility", u := c.memory.standing.utility, lane.utility * u) for c in quest.candidates]
        if lane.hops:
            candidates += _walked(candidates, lane, quest.world)
        if lane.hub:
            candidates += _hub(quest.request.text, candidates, lane, quest.world)
        wanted = [candidate for candidate in candidates if candidate.memory.kind in lane.kinds]
        candidates = ordered(wanted or candidates)
        if lane.latest:
            candidates.sort(key=lambda candidate: candidate.memory.at, reverse=True)
        return replace(quest, candidates=candidates).noted(f"{len(candidates)} candidates")


def lane_of(lanes: Sequence[tuple[Intent, Lane]], intent: Intent) -> Lane:
    """The lane of an intent."""
    return next(lane for named_intent, lane in lanes if named_intent is intent)


def _walked(found: Sequence[Candidate], lane: Lane, world: World) -> list[Candidate]:
    """What causes and elaborations lead to, breadth first; each step keeps the lane's share of the score."""
    known = {candidate.memory.id: candidate.score for candidate in found}
    best = max(known.values(), default=0.0)
    edge, brought = list(known)[: lane.limit], list[Candidate]()
    for _ in range(lane.hops):
        reached: dict[str, float] = {}
        for relation in world.relations(edge) if edge else ():
            if relation.kind in _STEPS:
                for here, there in ((relation.source, relation.target), (relation.target, relation.source)):
                    if here in edge and there not in known:
                        reached[there] = max(reached.get(there, 0.0), known[here] + lane.graph * relation.confidence)
        for memory_id, score in sorted(reached.items()):
            memory = world.memory(memory_id)
            if memory is not None:
                known[memory_id] = min(score, best + lane.graph)
                brought.append(_brought(memory, "graph", known[memory_id]))
        edge = sorted(reached)
    return brought


def _hub(text: str, found: Sequence[Candidate], lane: Lane, world: World) -> list[Candidate]:
    """Everything about what the cue names."""
    known = {candidate.ordinal for candidate in found}
    about = [world.corpus.postings(entity.uri).ordinals for entity in named(text)]
    ordinals = [int(o) for o in np.unique(np.concatenate(about))] if about else []
    fresh = [ordinal for ordinal in ordinals if ordinal not in known][-lane.limit :]
    memories = world.corpus.fetch(fresh)
    useful = [lane.utility * memory.standing.utility for memory in memories]
    return [
        replace(_brought(memory, "hub", score), ordinal=ordinal)
        for ordinal, memory, score in zip(fresh, memories, useful, strict=True)
    ]


def _brought(memory: Memory, name: str, score: float) -> Candidate:
    return Candidate(-1, memory, 0.0).rescored(name, score, score)
