"""What a recipe is: a name and one settings object for each way through; and the five recipes by name.

A room's settings are read when they are first asked for: recalling needs no dream.
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


# What a recipe is: a name and one settings object for each way through.


class Recipe(Protocol):
    """How an engine recalls, encodes and dreams, and its working memory."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def recall(self) -> ReadPath:
        """The read path."""
        ...

    @property
    def encode(self) -> EncodeSettings:
        """The write path."""
        ...

    @property
    def dream(self) -> DreamSettings:
        """The consolidation."""
        ...

    @property
    def working(self) -> WorkingSettings:
        """Working memory."""
        ...


@dataclass(frozen=True, slots=True)
class OwnRecipe:
    """A recipe assembled from settings by the caller."""

    name: str
    recall: ReadPath
    encode: EncodeSettings
    dream: DreamSettings
    working: WorkingSettings


# The recipes by name. A room's settings are read when they are first asked for: recalling needs no dream.


_HOMES = {
    "reverie": "default.{}",
    "v9": "published.v9.{}",
    "exocortex": "published.exocortex",
    "openclaw": "published.openclaw",
    "ocean": "published.ocean",
}
"""Where each lies; the two that are opened most, a module a room."""
NAMES = tuple(_HOMES)


class NamedRecipe:
    """One of the five."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def recall(self) -> ReadPath:
        """The read path."""
        return cast("ReadPath", self._room("recall"))

    @cached_property
    def encode(self) -> EncodeSettings:
        """The write path."""
        return cast("EncodeSettings", self._room("encode"))

    @cached_property
    def dream(self) -> DreamSettings:
        """The consolidation."""
        return cast("DreamSettings", self._room("dream"))

    @cached_property
    def working(self) -> WorkingSettings:
        """Working memory, the same for all."""
        from reverie.recipes.working_memory import WORKING

        return WORKING

    def _room(self, room: str) -> object:
        return getattr(import_module("reverie.recipes." + _HOMES[self.name].format(room)), room.upper())


def recipe(name: str) -> Recipe:
    """The recipe of a name. Raises InvalidInput, with the nearest name, for one there is not."""
    if name not in _HOMES:
        near, *_ = get_close_matches(name, NAMES) or NAMES
        raise InvalidInput(f"There is no recipe {name!r}.", f"Did you mean {near!r}? There are {', '.join(NAMES)}.")
    return NamedRecipe(name)
