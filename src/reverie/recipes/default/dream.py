"""Dream settings of ``reverie``: only steps that proved useful (decisions 0020, 0037 and 0066).

Related memories become a theme, habits a pattern; of two memories that say the same the more useful is kept; the most
used are listed as hot. Nothing fades with time alone, and no memories are merged that disagree.
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
"""At least three memories of one entity with a cosine of .7 to the centre; smaller clusters say nothing new."""

CONSOLIDATION = Themes(limit=20, importance=0.8, supersede=False)
"""A theme for each of the twenty largest clusters; members stay. It saves 3 repeated tokens in 1,000 (0037)."""

REDUNDANCY = Redundancy(
    above=0.965,
    limit=500,
    linking=True,
    retention=Retention(  # document D's (D5)
        for_good=(Kind.CORRECTION, Kind.PREFERENCE, Kind.INSTRUCTION, Kind.ENTITY),
        days=((Kind.DECISION, 45.0), (Kind.FACT, 14.0)),
        other_days=7.0,
    ),
    used_share=1.5,  # memories used far more than the mean are kept, as in document D
)
"""Above .965 two memories say the same, if they also agree (0020). `reverie dream compact` runs this step alone."""

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
