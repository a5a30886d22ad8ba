"""How ``reverie`` dreams: everything of document D, but nothing is merged that does not agree, and nothing is lost.

Why each number differs from document D: decision 0020.
"""

from __future__ import annotations

from math import inf

from reverie.consolidate.settings import (
    TWELVE,
    Abstraction,
    Clustering,
    Consolidation,
    Curve,
    DreamSettings,
    Drift,
    Emotion,
    FadingLaw,
    Foresight,
    Forgetting,
    Hot,
    Redundancy,
    Rehearsal,
    Replay,
    Retention,
    StepName,
    Summaries,
    TierDecay,
    Tiers,
)
from reverie.formulas.cluster_affinity import AffinityEdges
from reverie.formulas.demotion import DemotionEdges
from reverie.formulas.hot_tier import HotEdges
from reverie.formulas.promotion import PromotionEdges
from reverie.types import Kind

LAW = FadingLaw(curve=Curve.FSRS6, episodic=3.0, semantic=1.0, rare_share=0.5, rare_factor=0.5)

RETENTION = Retention(
    days=(
        (Kind.CORRECTION, inf),
        (Kind.PREFERENCE, inf),
        (Kind.INSTRUCTION, inf),
        (Kind.ENTITY, inf),
        (Kind.DECISION, 45.0),
        (Kind.FACT, 14.0),
    ),
    other_days=7.0,
)

REDUNDANCY = Redundancy(above=0.965, limit=500, agreeing=True, retention=RETENTION, used_share=1.5)

DREAM = DreamSettings(
    period_hours=24.0,
    order=(*TWELVE, StepName.SUMMARIES, StepName.HOT),
    tier_decay=TierDecay(LAW, fading_below=0.5),
    emotion=Emotion(factor=1.5),
    replay=Replay(least_count=3, share=0.02),
    tiers=Tiers(
        promotion=PromotionEdges(accesses=3, utility=0.7, age_days=7.0, entity_peers=3),
        demotion=DemotionEdges(idle_days=60.0, utility=0.2),
    ),
    drift=Drift(rate=0.01, neutral=0.5, daily=True),
    rehearsal=Rehearsal(LAW, below=0.5, factor=1.5, limit=200),
    foresight=Foresight(),
    forgetting=Forgetting(LAW, floor=0.15, idle_days=30.0, redundancy=REDUNDANCY, capacity=200_000, trimmed=180_000),
    clustering=Clustering(affinity=AffinityEdges(entities=1, importance_gap=0.0), least=3, most=12, nearness=0.7),
    consolidation=Consolidation(limit=20, importance=0.8, supersede=False),
    redundancy=REDUNDANCY,
    abstraction=Abstraction(limit=3, importance=0.85),
    summaries=Summaries(least=10, importance=0.8, cooldown_s=60.0),
    hot=Hot(
        edges=HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=0.4),
        limit=15,
        standing=(Kind.INSTRUCTION, Kind.PREFERENCE),  # reading 28
    ),
)
