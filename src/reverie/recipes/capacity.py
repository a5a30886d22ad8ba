"""Limit the number of memories that a recipe keeps recallable (decision 0024)."""

from __future__ import annotations

from dataclasses import replace

from reverie.consolidate.settings import Resting, StepName, Trimming
from reverie.recipes.recipe import OwnRecipe, Recipe

TRIMMED = 0.9
"""Share of the capacity that remains after trimming: document D's 450 of 500."""
SHARE = 0.5
"""Common share of words that makes near-repeats, as in recall."""


def within(recipe: Recipe, capacity: int, *, words: bool) -> OwnRecipe:
    """Return the recipe with a capacity for formed memories; ``words``: episodes count and become dormant, too.

    A recipe with forgetting gets the capacity in that step; one with redundancy alone gets a trimming step, which makes
    the least useful memories dormant and spares what redundancy spares. Other recipes change only for ``words``.
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
