"""Settings of working memory from document D, shared by all recipes."""

from __future__ import annotations

from reverie.encode.session import WorkingSettings
from reverie.formulas.tiers import EvictionLaw

WORKING = WorkingSettings(
    most=9,
    eviction=EvictionLaw(fade_minutes=30.0, per_access=0.1),
    times=10.0,
    below=0.3,  # D25's threshold of danger
    least_accesses=2,
    least_importance=0.6,
)
