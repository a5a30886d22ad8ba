"""Strengthening: injected memories become more stable, pairs injected together more so, and related ones slightly.

In: the hits of a recall. Out: the changes that its event carries. Only formed memories are strengthened (reading 26),
and only for what was injected (reading 11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.events import Change, difference
from reverie.formulas.associations import is_tip_of_tongue, spread_boosted, storage_after, storage_gain, strengthened
from reverie.formulas.retention import power_retention
from reverie.recall.state import RecallContext, age_s
from reverie.types import RECALLED_STATES, Kind, Memory, Relation


@dataclass(frozen=True, slots=True)
class StrengthenSettings:
    """What a recall does to stability and storage.

    Attributes:
        recall_factor: on the stability of each memory injected (C5); 1 for none.
        hebbian: share added where several were injected together (D31).
        spreading: share added to linked memories that were not (D13).
        neighbours: most of these.
        easy: gain of storage of a memory that was at hand (D2).
        hard: gain of storage of one that was nearly lost.
        tip_storage: storage from which on a memory that hardly comes is on the tip of the tongue.
        tip_retrieval: what "hardly" is.
    """

    recall_factor: float
    hebbian: float
    spreading: float
    neighbours: int
    easy: float
    hard: float
    tip_storage: float
    tip_retrieval: float


def strengthen(
    memories: Sequence[Memory], world: RecallContext, now: datetime, law: StrengthenSettings
) -> tuple[Change, ...]:
    """The changes for what was injected, then for its neighbours."""
    formed = [memory for memory in memories if memory.kind is not Kind.EPISODE]
    if not formed:
        return ()
    together = law.hebbian if len(formed) > 1 else 0.0
    changes = [_recalled(memory, together, now, law) for memory in formed]
    changes += [_spread(memory, law) for memory in _neighbours(formed, world, law)]
    return tuple(change for change in changes if change.fields)


def on_the_tip(memories: Sequence[Memory], now: datetime, law: StrengthenSettings) -> list[str]:
    """Ids of memories that are deeply stored and yet hardly came."""
    return [
        memory.id
        for memory in memories
        if memory.kind is not Kind.EPISODE
        and is_tip_of_tongue(memory.standing.storage, _retrieval(memory, now), law.tip_storage, law.tip_retrieval)
    ]


def _retrieval(memory: Memory, now: datetime) -> float:
    return float(power_retention(age_s(memory, now) / 86_400.0, memory.standing.stability_days))


def _recalled(memory: Memory, together: float, now: datetime, law: StrengthenSettings) -> Change:
    standing = memory.standing
    gain = storage_gain(_retrieval(memory, now), law.easy, law.hard)
    after = replace(
        standing,
        stability_days=float(strengthened(standing.stability_days * law.recall_factor, together)),
        storage=float(storage_after(standing.storage, gain)),
    )
    return difference(memory, replace(memory, standing=after), "recalled")


def _spread(memory: Memory, law: StrengthenSettings) -> Change:
    after = replace(
        memory.standing, stability_days=float(spread_boosted(memory.standing.stability_days, law.spreading))
    )
    return difference(memory, replace(memory, standing=after), "linked to what was recalled")


def _neighbours(formed: Sequence[Memory], world: RecallContext, law: StrengthenSettings) -> list[Memory]:
    """Memories linked to these by an edge or by a shared entity, the strongest edges first, at most so many."""
    if not law.spreading or not law.neighbours:
        return []
    here = {memory.id for memory in formed}
    edges = sorted(world.relations(sorted(here)), key=lambda edge: (-edge.confidence, edge.source, edge.target))
    ids = list(dict.fromkeys(_other_end(edge, here) for edge in edges))
    linked = world.named(ids[: law.neighbours])
    if len(linked) < law.neighbours:
        linked += _sharing(formed, here | {memory.id for memory in linked}, law.neighbours - len(linked), world)
    return [memory for memory in linked if memory.id not in here and _is_awake(memory)]


def _is_awake(memory: Memory) -> bool:
    """Whether strengthening reaches it: a formed memory that is recalled. What sleeps is frozen."""
    return memory.kind is not Kind.EPISODE and memory.standing.state in RECALLED_STATES


def _sharing(formed: Sequence[Memory], known: set[str], most: int, world: RecallContext) -> list[Memory]:
    """The latest memories that name an entity these name."""
    uris = dict.fromkeys(uri for memory in formed for uri in memory.entities)
    naming = {ordinal for uri in uris for ordinal in world.corpus.postings(uri).ordinals[-most:].tolist()}
    ordinals = sorted(naming, reverse=True)[: most + len(known)]
    return [memory for memory in world.corpus.fetch(ordinals) if memory.id not in known][:most]


def _other_end(edge: Relation, here: set[str]) -> str:
    return edge.target if edge.source in here else edge.source
