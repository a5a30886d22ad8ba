"""Expand: a cue in several wordings — hypothetical answers (D10), or its keywords and domain (A1, A2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.language.expansion import Expanding, expansion
from reverie.language.hyde import variants
from reverie.recall.quest import Quest


@dataclass(frozen=True, slots=True)
class Hyde:
    """Adds two or three hypothetical answers, made from templates by intent."""

    name: str = "expand"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its variants."""
        made = variants(quest.queries[0])
        return replace(quest, queries=(*quest.queries, *made)).noted(f"{len(made)} variants")


@dataclass(frozen=True, slots=True)
class Keywords:
    """Adds the cue's keywords, and these with its domain where one is known."""

    how: Expanding
    name: str = "expand"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its variants."""
        made = expansion(quest.queries[0], quest.request.domain, self.how)
        return replace(quest, queries=made).noted(f"{len(made)} variants")
