"""How ``openclaw`` dreams: document C's decay alone, two steps into sleep (C5)."""

from __future__ import annotations

from reverie.consolidate.settings import DreamSettings, Falling, StepName
from reverie.formulas.falling import FallEdges

DREAM = DreamSettings(
    period_hours=None,  # reading 25: two runs, two steps
    order=(StepName.FALLING,),
    falling=Falling(FallEdges(fading=0.3, dormant=0.1)),  # C5
)
