"""Recipes: named sets of settings for recall, encoding, dream and working memory; and the five built-in ones.

The settings of a part are imported on first use, so that a recall does not load the dream.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.consolidate.settings import DreamSettings
    from reverie.encode.session import WorkingSettings
    from reverie.encode.settings import EncodeSettings
    from reverie.recall.pipeline import ReadPath


class Recipe(Protocol):
    """A set of settings: how an engine recalls, encodes and dreams, and its working memory."""

    @property
    def name(self) -> str:
        """Name of the recipe."""
        ...

    @property
    def recall(self) -> ReadPath:
        """Settings of recall."""
        ...

    @property
    def encode(self) -> EncodeSettings:
        """Settings of encoding."""
        ...

    @property
    def dream(self) -> DreamSettings:
        """Settings of the dream."""
        ...

    @property
    def working(self) -> WorkingSettings:
        """Settings of working memory."""
        ...


@dataclass(frozen=True, slots=True)
class OwnRecipe:
    """A recipe composed of given settings."""

    name: str
    recall: ReadPath
    encode: EncodeSettings
    dream: DreamSettings
    working: WorkingSettings


_HOMES = {
    "reverie": "default.{}",
    "v9": "published.v9.{}",
    "exocortex": "published.exocortex",
    "openclaw": "published.openclaw",
    "ocean": "published.ocean",
}
"""Module of each recipe; the two used most have a module per part."""
NAMES = tuple(_HOMES)


class NamedRecipe:
    """One of the five built-in recipes, by name."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def recall(self) -> ReadPath:
        """Settings of recall."""
        return cast("ReadPath", self._room("recall"))

    @cached_property
    def encode(self) -> EncodeSettings:
        """Settings of encoding."""
        return cast("EncodeSettings", self._room("encode"))

    @cached_property
    def dream(self) -> DreamSettings:
        """Settings of the dream."""
        return cast("DreamSettings", self._room("dream"))

    @cached_property
    def working(self) -> WorkingSettings:
        """Settings of working memory, the same for all recipes."""
        from reverie.recipes.working_memory import WORKING

        return WORKING

    def _room(self, room: str) -> object:
        return getattr(import_module("reverie.recipes." + _HOMES[self.name].format(room)), room.upper())


def with_cards(recipe: Recipe, bound: float = 0.5) -> OwnRecipe:
    """Return the recipe with a last dream step that makes skill cards (decision 0072).

    ``bound``: least lower bound of a skill's success rate for its card to be made and recalled, in [0, 1].
    """
    from dataclasses import replace

    from reverie.consolidate.settings import SkillCards, StepName

    given: object = bound
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0.0 <= given <= 1.0:
        raise InvalidInput(f"The bound of skill cards is {bound!r}.", "Use a number from 0 to 1.")
    order = (*(name for name in recipe.dream.order if name is not StepName.SKILLS), StepName.SKILLS)
    dream = replace(recipe.dream, order=order, skills=SkillCards(least=3, bound=float(bound), support=3))
    return OwnRecipe(recipe.name, recipe.recall, recipe.encode, dream, recipe.working)


def recipe(name: str) -> Recipe:
    """Return the recipe with a name. Raises InvalidInput, naming the nearest, if there is none."""
    if name not in _HOMES:
        near, *_ = get_close_matches(name, NAMES) or NAMES
        raise InvalidInput(f"There is no recipe {name!r}.", f"Did you mean {near!r}? There are {', '.join(NAMES)}.")
    return NamedRecipe(name)
