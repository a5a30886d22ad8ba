"""What a recipe is: a name and one settings object for each way through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # whoever recalls needs neither the write path's settings nor the dream's
    from reverie.consolidate.settings import DreamSettings
    from reverie.encode.session import WorkingSettings
    from reverie.encode.settings import EncodeSettings
    from reverie.recall.pipeline import ReadPath


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
    """A recipe of one's own: settings put together by hand."""

    name: str
    recall: ReadPath
    encode: EncodeSettings
    dream: DreamSettings
    working: WorkingSettings
