"""Document C's decay, by its published numbers and with its keys."""

from __future__ import annotations

import pytest

from reverie.consolidate.settings import StepName
from reverie.recipes.published.openclaw import DREAM, dream_settings
from reverie.recipes.published.openclaw_keys import Keys


@pytest.mark.req("C5")
def test_a_memory_falls_in_two_steps() -> None:
    """Below .3 it fades, below .1 it sleeps; nothing else happens, and each run is one of its own (reading 25)."""
    assert DREAM.falling is not None
    assert (DREAM.falling.edges.fading, DREAM.falling.edges.dormant) == (0.3, 0.1)
    assert (DREAM.order, DREAM.period_hours) == ((StepName.FALLING,), None)


@pytest.mark.req("C10")
def test_where_it_falls_can_be_set_and_switched_off() -> None:
    """Switched off there is no step at all."""
    mine = dream_settings(Keys(fading_threshold=0.5, dormant_threshold=0.2))
    assert mine.falling is not None
    assert (mine.falling.edges.fading, mine.falling.edges.dormant) == (0.5, 0.2)
    assert dream_settings(Keys(decay=False)).order == ()
