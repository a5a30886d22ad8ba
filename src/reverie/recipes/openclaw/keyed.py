"""The recipe ``openclaw`` with its keys set: keys in, a recipe out."""

from __future__ import annotations

from reverie.recipes.openclaw.dream import dream_settings
from reverie.recipes.openclaw.encode import encode_settings
from reverie.recipes.openclaw.keys import Keys
from reverie.recipes.openclaw.recall import read_path
from reverie.recipes.recipe import OwnRecipe, Recipe
from reverie.recipes.working import WORKING


def keyed(keys: Keys) -> Recipe:
    """``openclaw`` as these keys have it."""
    return OwnRecipe("openclaw", read_path(keys), encode_settings(keys), dream_settings(keys), WORKING)
