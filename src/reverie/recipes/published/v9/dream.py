"""Dream settings of ``v9``: document D with the readings."""

from __future__ import annotations

from math import inf

from reverie.consolidate.settings import (
    TWELVE,
    Abstraction,
    Clustering,
    CurveLaw,
    DreamSettings,
    Drift,
    EmotionalConsolidation,
    FadingLaw,
    ForesightExpiry,
    Forgetting,
    Hot,
    Redundancy,
    Rehearsal,
    Replay,
    Retention,
    StepName,
    Summaries,
    Themes,
    TierDecay,
    Tiers,
)
from reverie.formulas.associations import AffinityEdges
from reverie.formulas.tiers import DemotionEdges, HotEdges, PromotionEdges
from reverie.types import Kind

LAW = FadingLaw(
    curve=CurveLaw.POWER,  # D1
    episodic=3.0,  # D35
    semantic=1.0,  # D35
    rare_share=0.5,  # D5, reading 14
    rare_factor=0.5,  # D5, reading 14
)

RETENTION = Retention(  # D5
    for_good=(
        Kind.CORRECTION,
        Kind.PREFERENCE,
        Kind.INSTRUCTION,  # not a category of the document, which treats standing wishes as preferences
        Kind.ENTITY,
    ),
    days=((Kind.DECISION, 45.0), (Kind.FACT, 14.0)),
    other_days=7.0,
)

REDUNDANCY = Redundancy(above=0.9, limit=50, linking=False, retention=RETENTION, used_share=1.5)  # D33, readings 9, 14

DREAM = DreamSettings(
    period_hours=24.0,  # reading 25
    order=(*TWELVE, StepName.SUMMARIES, StepName.HOT),  # reading 5
    tier_decay=TierDecay(LAW, fading_below=0.3),  # D25's threshold of danger
    emotion=EmotionalConsolidation(factor=1.5),  # D32
    replay=Replay(least_count=3, share=0.02),  # D31
    tiers=Tiers(
        promotion=PromotionEdges(accesses=3, utility=0.7, age_days=7.0, entity_peers=3),  # D35
        demotion=DemotionEdges(idle_days=60.0, utility=0.2),  # D35
    ),
    drift=Drift(rate=0.01, neutral=0.5, daily=False),  # D15
    rehearsal=Rehearsal(LAW, below=0.3, factor=1.5, limit=50),  # D25
    foresight=ForesightExpiry(),
    forgetting=Forgetting(  # D14
        LAW, floor=0.15, idle_days=30.0, redundancy=REDUNDANCY, capacity=500, trimmed=450
    ),
    clustering=Clustering(  # D33; the batch of D20 B4
        affinity=AffinityEdges(entities=1, importance_gap=0.3), least=3, most=500, nearness=None
    ),
    consolidation=Themes(limit=5, importance=0.8, supersede=True),  # D33
    redundancy=REDUNDANCY,
    abstraction=Abstraction(limit=3, importance=0.85),  # D33
    summaries=Summaries(least=10, importance=0.8, cooldown_s=60.0),  # D34
    hot=Hot(
        # D36; without standing instructions
        edges=HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf),
        limit=15,
        standing=(),
    ),
)
