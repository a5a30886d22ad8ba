"""Finding the stages of a recipe: what the tests of published numbers run on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from reverie.recall.pipeline import ReadPath
from reverie.recall.search import TermMatch, prune
from reverie.recall.state import Stage
from reverie.recipes.published.v9.recall import Decompose
from tests.recall.fake_corpus import FakePostings

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


def terms_read(bound: int, *often: int) -> int:
    """How many terms of a cue are read under a bound of postings, if they occur so often, the rarest first."""
    postings = [FakePostings(np.arange(count), np.ones(count, np.float32)) for count in often]
    return len(prune([TermMatch(f"term{n}", held) for n, held in enumerate(postings)], bound))
