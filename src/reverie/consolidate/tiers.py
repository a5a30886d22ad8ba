"""Step 4, promotion and demotion: what proved itself becomes semantic, what lies idle and useless goes to sleep."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Tiers
from reverie.consolidate.snapshot import TIERS, Snapshot
from reverie.formulas import demotion, promotion
from reverie.types import Memory, State, Tier


def tiers(snapshot: Snapshot, settings: Tiers, now: datetime) -> Outcome:
    """Promote episodic memories, then look at every semantic one, the new ones too, for demotion.

    A memory that goes to sleep remembers its tier.
    """
    del now
    peers = _peers(snapshot)
    episodic = snapshot.columns.tiers == TIERS[Tier.EPISODIC]
    gathering = Gathering()
    for row in snapshot.pace(np.flatnonzero(snapshot.active & snapshot.free).tolist()):
        memory = snapshot.memories[row]
        why = ""
        after: dict[str, Tier | State] = {}
        if episodic[row]:
            verdict = promotion.decide(_candidate(snapshot, row, peers), settings.promotion)
            if not verdict.moves:
                continue
            why, after = verdict.value, {"tier": Tier.SEMANTIC}
        if _sleeps(snapshot, row, settings):
            why = demotion.Demotion.IDLE_AND_USELESS.value
            after |= {"state": State.DORMANT}
        gathering.alter(memory, why, **after)
    return gathering.outcome()


def _candidate(snapshot: Snapshot, row: int, peers: Counter[str]) -> promotion.Candidate:
    memory, columns = snapshot.memories[row], snapshot.columns
    return promotion.Candidate(
        accesses=memory.accesses,
        utility=memory.standing.utility,
        age_days=float(columns.age_days[row]),
        entity_peers=max((peers[entity] for entity in memory.entities), default=0),
        pinned=memory.standing.pinned,
        immutable=memory.standing.immutable,
    )


def _sleeps(snapshot: Snapshot, row: int, settings: Tiers) -> bool:
    memory = snapshot.memories[row]
    idle = float(snapshot.columns.idle_days[row])
    return demotion.decide(idle, memory.standing.utility, is_protected(memory), settings.demotion).moves


def is_protected(memory: Memory) -> bool:
    """Whether nothing demotes a memory: pinned, immutable or a flashbulb."""
    return memory.standing.pinned or memory.standing.immutable or memory.standing.flashbulb


def _peers(snapshot: Snapshot) -> Counter[str]:
    """How many active episodic memories name each entity."""
    counted: Counter[str] = Counter()
    for row in np.flatnonzero(snapshot.active & (snapshot.columns.tiers == TIERS[Tier.EPISODIC])):
        counted.update(set(snapshot.memories[row].entities))
    return counted
