"""How ``reverie`` dreams: as document D without its summaries; nothing is merged that does not agree, nothing is lost.

Why each number differs from document D: decision 0020.
"""

from __future__ import annotations

from dataclasses import replace

from reverie.consolidate.settings import (
    Clustering,
    Consolidation,
    Curve,
    Drift,
    Forgetting,
    Hot,
    Rehearsal,
    StepName,
    TierDecay,
)
from reverie.formulas.associations import AffinityEdges
from reverie.formulas.tiers import HotEdges
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import LAW as V9_LAW
from reverie.recipes.published.v9.dream import REDUNDANCY as V9_REDUNDANCY
from reverie.types import Kind

LAW = replace(V9_LAW, curve=Curve.FSRS6)
REDUNDANCY = replace(V9_REDUNDANCY, above=0.965, limit=500, linking=True)

DREAM = replace(
    V9,
    order=tuple(name for name in V9.order if name is not StepName.SUMMARIES),  # decision 0037
    tier_decay=TierDecay(LAW, fading_below=0.5),
    drift=Drift(rate=0.01, neutral=0.5, daily=True),
    rehearsal=Rehearsal(LAW, below=0.5, factor=1.5, limit=200),
    forgetting=Forgetting(LAW, floor=0.15, idle_days=30.0, redundancy=REDUNDANCY, capacity=200_000, trimmed=180_000),
    clustering=Clustering(affinity=AffinityEdges(entities=1, importance_gap=0.0), least=3, most=12, nearness=0.7),
    consolidation=Consolidation(limit=20, importance=0.8, supersede=False),
    redundancy=REDUNDANCY,
    hot=Hot(
        edges=HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=0.4),
        limit=15,
        standing=(Kind.INSTRUCTION, Kind.PREFERENCE),  # reading 28
    ),
)
