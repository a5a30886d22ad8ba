"""Document B's classes of age: one table for what is found and what is swept."""

from __future__ import annotations

from math import inf

import pytest

from reverie.recipes.published.ocean import AGES, OTHER_DAYS, Tfidf
from reverie.recipes.recipe import recipe
from reverie.types import Kind
from tests.recall.stages import stage_of

CLASSES = {14.0, 30.0, 90.0, 180.0, inf}


@pytest.mark.req("B5")
def test_every_kind_is_of_a_class_of_the_document() -> None:
    """14, 30, 90, 180 days, or for good."""
    assert {*dict(AGES).values(), OTHER_DAYS} == CLASSES
    assert len(dict(AGES)) == len(AGES)


@pytest.mark.req("B5", "B6", "B8")
def test_search_and_sweep_read_one_table() -> None:
    """So a kind is found as long as it is kept."""
    ocean = recipe("ocean")
    stage = stage_of(ocean.recall, Tfidf)
    assert ocean.dream.sweep is not None
    assert (stage.max_age_days, stage.other_age_days) == (AGES, OTHER_DAYS)
    assert all(ocean.dream.sweep.ages.of(kind) == dict(AGES).get(kind, OTHER_DAYS) for kind in Kind)
