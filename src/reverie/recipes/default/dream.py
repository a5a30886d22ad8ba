"""How ``reverie`` dreams: what earns its place, and nothing else (decisions 0020, 0037 and 0066).

Memories that belong together become a theme, habits a pattern; of two that say the same the more useful stays; a few
that are used often are named. Nothing fades with time alone, and nothing is merged that does not agree.
"""

from __future__ import annotations

from reverie.consolidate.settings import (
    Abstraction,
    Clustering,
    DreamSettings,
    Hot,
    Redundancy,
    Retention,
    StepName,
    Themes,
)
from reverie.formulas.associations import AffinityEdges
from reverie.formulas.tiers import HotEdges
from reverie.types import Kind

CLUSTERING = Clustering(affinity=AffinityEdges(entities=1, importance_gap=None), least=3, most=12, nearness=0.7)
"""At least three memories of one entity whose vectors lie nearer than .7; smaller ones say nothing new."""

CONSOLIDATION = Themes(limit=20, importance=0.8, supersede=False)
"""A theme for each of the twenty largest clusters; its members stay. Worth 3 repeated tokens in 1,000 (0037)."""

REDUNDANCY = Redundancy(
    above=0.965,
    limit=500,
    linking=True,
    retention=Retention(  # document D's (D5)
        for_good=(Kind.CORRECTION, Kind.PREFERENCE, Kind.INSTRUCTION, Kind.ENTITY),
        days=((Kind.DECISION, 45.0), (Kind.FACT, 14.0)),
        other_days=7.0,
    ),
    used_share=1.5,  # what is used far more than others stays, as document D has it
)
"""Above .965 two memories say the same; they must agree, too (0020). What `reverie dream compact` runs by itself."""

DREAM = DreamSettings(
    period_hours=24.0,  # reading 25
    order=(StepName.CLUSTERING, StepName.CONSOLIDATION, StepName.REDUNDANCY, StepName.ABSTRACTION, StepName.HOT),
    clustering=CLUSTERING,
    consolidation=CONSOLIDATION,
    redundancy=REDUNDANCY,
    abstraction=Abstraction(limit=3, importance=0.85),  # document D's numbers
    hot=Hot(
        edges=HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=0.4),
        limit=15,
        standing=(Kind.INSTRUCTION, Kind.PREFERENCE),  # reading 28
    ),
)
