"""Strengthening: raise the stability of injected memories, more if injected together, and a little of linked ones.

In: the hits of a recall. Out: the changes for the recall's event. Only formed memories are strengthened (reading 26),
and only because of injected ones (reading 11).
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
    """How a recall changes stability and storage strength.

    Attributes:
        recall_factor: factor on the stability of each injected memory; 1 for no effect.
        hebbian: share added where several were injected together.
        spreading: share added to linked memories that were not injected.
        neighbours: most linked memories that are strengthened.
        easy: gain of storage of a memory with a high retrievability.
        hard: gain of storage of one with a low retrievability.
        tip_storage: least storage of a tip-of-the-tongue memory: deeply stored, but hardly retrievable.
        tip_retrieval: retrievability below which a memory is hardly retrievable.
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
    """Return the changes that strengthen injected memories, then those linked to them."""
    formed = [memory for memory in memories if memory.kind is not Kind.EPISODE]
    if not formed:
        return ()
    together = law.hebbian if len(formed) > 1 else 0.0
    changes = [_recalled(memory, together, now, law) for memory in formed]
    changes += [_spread(memory, law) for memory in _neighbours(formed, world, law)]
    return tuple(change for change in changes if change.fields)


def on_the_tip(memories: Sequence[Memory], now: datetime, law: StrengthenSettings) -> list[str]:
    """Return the ids of tip-of-the-tongue memories: deeply stored, but hardly retrievable."""
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
    """Return the memories linked to these: by edges, the strongest first, then by shared entities; a limited number."""
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
    """Whether a memory can be strengthened: a formed one in a recalled state; dormant ones never change."""
    return memory.kind is not Kind.EPISODE and memory.standing.state in RECALLED_STATES


def _sharing(formed: Sequence[Memory], known: set[str], most: int, world: RecallContext) -> list[Memory]:
    """Return the latest memories that share an entity with these, without those already known."""
    uris = dict.fromkeys(uri for memory in formed for uri in memory.entities)
    naming = {ordinal for uri in uris for ordinal in world.corpus.postings(uri).ordinals[-most:].tolist()}
    if world.own is not None:  # what others granted is not strengthened
        naming = {ordinal for ordinal in naming if ordinal < world.own}
    ordinals = sorted(naming, reverse=True)[: most + len(known)]
    return [memory for memory in world.corpus.fetch(ordinals) if memory.id not in known][:most]


def _other_end(edge: Relation, here: set[str]) -> str:
    return edge.target if edge.source in here else edge.source
