"""How ``openclaw`` dreams: document C's decay alone, two steps into sleep (C5)."""

from __future__ import annotations

from reverie.consolidate.settings import DreamSettings, Falling, StepName
from reverie.formulas.falling import FallEdges
from reverie.recipes.openclaw.keys import Keys


def dream_settings(keys: Keys) -> DreamSettings:
    """The decay with these keys; switched off, nothing falls."""
    edges = FallEdges(fading=keys.fading_threshold, dormant=keys.dormant_threshold)
    return DreamSettings(
        period_hours=None,  # reading 25: two runs, two steps
        order=(StepName.FALLING,) if keys.decay else (),
        falling=Falling(edges),
    )


DREAM = dream_settings(Keys())
