"""A recipe with a limit: no more than so many memories may be recalled (decision 0024)."""

from __future__ import annotations

from dataclasses import replace

from reverie.consolidate.settings import Resting, StepName, Trimming
from reverie.recipes.recipe import OwnRecipe, Recipe

TRIMMED = 0.9
"""Down to which share of the capacity is trimmed: document D's 450 of 500."""
SHARE = 0.5
"""Words that near-repeats have in common, as the read path has it."""


def within(recipe: Recipe, capacity: int, *, words: bool) -> OwnRecipe:
    """The recipe with document D's capacity for formed memories; ``words``: verbatim ones count and rest, too.

    Where the recipe forgets, that step has the capacity; where it only looks for what is said twice, a step of its own
    makes the least useful dormant, with the same exceptions. Any other recipe changes only for verbatim memories.
    """
    dream, trimmed = recipe.dream, int(TRIMMED * capacity)
    if dream.forgetting is not None:
        dream = replace(dream, forgetting=replace(dream.forgetting, capacity=capacity, trimmed=trimmed))
    elif dream.redundancy is not None:
        trimming = Trimming(capacity, trimmed, dream.redundancy.retention, dream.redundancy.used_share)
        dream = replace(dream, order=(StepName.TRIMMING, *dream.order), trimming=trimming)
    if words:
        dream = replace(dream, order=(*dream.order, StepName.RESTING), resting=Resting(capacity, trimmed, SHARE))
    return OwnRecipe(recipe.name, recipe.recall, recipe.encode, dream, recipe.working)
