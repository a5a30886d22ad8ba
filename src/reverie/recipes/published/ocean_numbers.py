"""Document B's numbers, shared by the recipe ``ocean`` and the vault.

They are apart from the settings so that searching a vault does not load the engine.
"""

from __future__ import annotations

from reverie.formulas.freshness import Extension
from reverie.formulas.vault import EventTable, NeglectLaw, SweepEdges, VaultPromotionEdges

START = 0.5
"""B3: initial importance."""

TABLE = EventTable(  # B3
    referenced=0.1,
    referenced_by_other=0.15,
    good_outcome=0.2,
    verified=0.15,
    contradicted=-0.2,
    flagged_important=0.95,
    flagged_wrong=0.0,
)

NEGLECT = NeglectLaw(per_period=0.1, period_days=14.0, most=0.3)
"""B3, reading 15."""

EXTENSIONS = (Extension(0.8, 2.0), Extension(0.9, 3.0))
"""B5."""

EDGES = SweepEdges(floor=0.2, low=0.4, high=0.7)
"""B6."""

EXTEND_BY = 1.5
"""B6."""

SHARED_FROM = VaultPromotionEdges(importance=0.8, verified_importance=0.6)
"""B7."""

SEARCH_FLOOR = 0.1
"""B8."""

LEAST_FRESHNESS = 0.05
"""B8, reading 15."""
