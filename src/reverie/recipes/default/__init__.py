"""``reverie``, the default recipe: what measurement chose."""

from __future__ import annotations

from reverie.recipes.default.recall import RECALL
from reverie.recipes.recipe import Recipe

REVERIE = Recipe(name="reverie", recall=RECALL)
