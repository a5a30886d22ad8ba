from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.consolidate.pipeline import steps
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.exocortex import DREAM as EXOCORTEX
from reverie.recipes.published.ocean import DREAM as OCEAN
from reverie.recipes.published.openclaw import DREAM as OPENCLAW
from reverie.recipes.published.v9.dream import DREAM as V9
from tests.consolidate.making import NOW, memory, snapshot

RECIPES = {"v9": V9, "reverie": REVERIE, "exocortex": EXOCORTEX, "openclaw": OPENCLAW, "ocean": OCEAN}


@pytest.mark.req("D33")
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_recipe_has_the_steps_it_names_in_its_order(recipe: DreamSettings) -> None:
    """Each of them has its numbers, and runs over an empty scope and a full one."""
    assert tuple(step.name for step in steps(recipe)) == recipe.order
    for step in steps(recipe):
        assert not step.act(snapshot(), NOW).changes
        step.act(snapshot(memory("a"), memory("b")), NOW)


@pytest.mark.req("A13")
def test_a_step_without_settings_is_left_out() -> None:
    """The others stay in their order."""
    without = replace(V9, rehearsal=None, drift=None)
    left = [step.name for step in steps(without)]
    assert left == [name for name in V9.order if name not in (StepName.REHEARSAL, StepName.DRIFT)]
