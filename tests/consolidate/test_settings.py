from __future__ import annotations

from math import inf

import pytest

from reverie.consolidate.pipeline import steps
from reverie.consolidate.settings import TWELVE, StepName
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.exocortex import DREAM as EXOCORTEX
from reverie.recipes.published.ocean import DREAM as OCEAN
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import RETENTION
from reverie.types import Kind


def test_a_category_that_is_not_named_has_the_others_days() -> None:
    """Corrections are kept for good, plans a week."""
    assert (RETENTION.of(Kind.CORRECTION), RETENTION.of(Kind.PLAN)) == (inf, 7.0)


@pytest.mark.req("D33")
def test_the_steps_come_in_the_documented_order() -> None:
    """Twelve, the four phases first (reading 5), then what looks at the outcome."""
    assert [name.value for name in TWELVE] == [
        "tier decay",
        "emotional consolidation",
        "synaptic replay",
        "promotion and demotion",
        "utility drift",
        "rehearsal",
        "foresight expiry",
        "forgetting",
        "clustering",
        "consolidation",
        "redundancy",
        "abstraction",
    ]
    assert V9.order == (*TWELVE, StepName.SUMMARIES, StepName.HOT)


def test_the_default_has_the_steps_that_earn_their_place() -> None:
    """No memory fades, is promoted, rehearsed or forgotten by age, and no summary is made: decision 0066."""
    assert [name.value for name in REVERIE.order] == [
        "clustering",
        "consolidation",
        "redundancy",
        "abstraction",
        "hot tier",
    ]
    assert [step.name for step in steps(REVERIE)] == list(REVERIE.order)


@pytest.mark.req("A14a")
def test_exocortex_maintains_in_its_order() -> None:
    """Deduplication, links, clusters, dormancy."""
    wanted = (StepName.DEDUPLICATION, StepName.LINKS, StepName.COMPANY, StepName.DORMANCY)
    assert EXOCORTEX.order == wanted


@pytest.mark.req("B3", "B6", "B7")
def test_ocean_maintains_in_its_order() -> None:
    """References, decay, promotion (reading 15)."""
    assert OCEAN.order == (StepName.EARNING, StepName.SWEEP, StepName.SHARING)


@pytest.mark.req("D33", "A14a", "B3")
def test_a_period_is_a_day() -> None:
    """Reading 25."""
    assert [recipe.period_hours for recipe in (V9, REVERIE, EXOCORTEX, OCEAN)] == [24.0] * 4
