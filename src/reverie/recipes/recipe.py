"""What a recipe is: a name and one settings object for each way through."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.recall.settings import RecallSettings


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named set of settings, one object a room."""

    name: str
    recall: RecallSettings
