"""Working memory as document D has it (D35); every recipe shares it."""

from __future__ import annotations

from reverie.encode.session import WorkingSettings
from reverie.formulas.tiers import EvictionLaw

WORKING = WorkingSettings(
    most=9,
    eviction=EvictionLaw(fade_minutes=30.0, per_access=0.1),
    times=10.0,
    below=0.3,  # the document's edge of danger (D25)
    least_accesses=2,
    least_importance=0.6,
)
