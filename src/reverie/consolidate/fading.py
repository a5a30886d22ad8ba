"""How retrievable memories are tonight: the curve of the recipe over the stability that a tier leaves."""

from __future__ import annotations

import numpy as np

from reverie.consolidate.settings import Curve, FadingLaw
from reverie.consolidate.snapshot import TIERS, Snapshot
from reverie.formulas import retention_exponential, retention_fsrs6, retention_power
from reverie.formulas.arrays import Floats
from reverie.formulas.floating_threshold import stability_for_test, threshold
from reverie.formulas.tier_decay import effective_stability
from reverie.types import Tier


def retrievability(snapshot: Snapshot, law: FadingLaw) -> Floats:
    """(n,) retention by the recipe's curve, each memory's stability divided by its tier's multiplier."""
    return _curve(snapshot, law, _stability(snapshot, law))


def retrievability_for_test(snapshot: Snapshot, law: FadingLaw) -> Floats:
    """The same for a test of forgetting: what is used far less than the mean counts with part of its stability."""
    columns = snapshot.columns
    stability = stability_for_test(
        _stability(snapshot, law), columns.accesses, mean_accesses(snapshot), law.rare_share, law.rare_factor
    )
    return _curve(snapshot, law, stability)


def mean_accesses(snapshot: Snapshot) -> float:
    """The floating threshold: mean accesses of the active memories."""
    return threshold(snapshot.columns.accesses[snapshot.active])


def _stability(snapshot: Snapshot, law: FadingLaw) -> Floats:
    semantic = snapshot.columns.tiers == TIERS[Tier.SEMANTIC]
    multiplier = np.where(semantic, law.semantic, law.episodic)
    return effective_stability(snapshot.columns.stability_days, multiplier)


def _curve(snapshot: Snapshot, law: FadingLaw, stability: Floats) -> Floats:
    idle = snapshot.columns.idle_days
    match law.curve:
        case Curve.POWER:
            return retention_power.retention(idle, stability)
        case Curve.EXPONENTIAL:
            return retention_exponential.retention(idle, stability)
        case Curve.FSRS6:
            return retention_fsrs6.retention(idle, stability)
