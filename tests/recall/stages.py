"""Finding the stages of a recipe: what the tests of published numbers run on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from reverie.recall.decompose import Decompose
from reverie.recall.pipeline import ReadPath
from reverie.recall.quest import Stage

Kind = TypeVar("Kind", bound=Stage)


def stages(path: ReadPath) -> Iterator[Stage]:
    """All stages in their order, those that run for each part of a cue too."""
    for stage in path.stages:
        yield stage
        if isinstance(stage, Decompose):
            yield from stage.stages


def stage_of(path: ReadPath, kind: type[Kind]) -> Kind:
    """The one stage of a kind."""
    (found,) = (stage for stage in stages(path) if isinstance(stage, kind))
    return found
