from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.consolidate.settings import CurveLaw, DreamSettings, Rehearsal
from reverie.consolidate.tiers import rehearsal
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import LAW
from reverie.types import Tier
from tests.consolidate.making import NOW, after, days_ago, memory, snapshot

FSRS6 = replace(V9, rehearsal=Rehearsal(replace(LAW, curve=CurveLaw.FSRS6), below=0.5, factor=1.5, limit=200))
CASES = [(V9, 9 * (0.3**-0.5 - 1), 50), (FSRS6, 90.40, 200)]
"""Recipe, idle days at which a semantic memory with a stability of a day is endangered, memories a night."""


@pytest.mark.req("D25", "D33")
@pytest.mark.parametrize(("recipe", "edge", "limit"), CASES, ids=["v9", "fsrs6"])
def test_what_is_about_to_be_lost_lasts_half_as_long_again(recipe: DreamSettings, edge: float, limit: int) -> None:
    """Below the edge ×1.5, above it nothing."""
    assert recipe.rehearsal is not None
    safe = memory("safe", tier=Tier.SEMANTIC, idle_days=edge * 0.98)
    lost = memory("lost", tier=Tier.SEMANTIC, idle_days=edge * 1.02)
    found = after(rehearsal(snapshot(safe, lost), recipe.rehearsal, NOW))
    assert found == {"lost": {"stability_days": 1.5, "rehearsed_at": NOW}}


@pytest.mark.req("D25")
@pytest.mark.parametrize(("recipe", "edge", "limit"), CASES, ids=["v9", "fsrs6"])
def test_so_many_a_night_and_the_nearest_to_loss_first(recipe: DreamSettings, edge: float, limit: int) -> None:
    """The limit counts for the period: what was rehearsed earlier in it leaves less room, last night's does not."""
    assert recipe.rehearsal is not None
    many = [memory(f"m{n:03}", age_days=999.0, idle_days=edge * 5 + n) for n in range(limit + 3)]
    done = memory("done", idle_days=edge * 9, age_days=999.0, rehearsed_at=NOW)
    before = memory("before", idle_days=edge * 99, age_days=999.0, rehearsed_at=days_ago(1))
    found = rehearsal(snapshot(*many, done, before), recipe.rehearsal, NOW)
    names = [change.memory for change in found.changes]
    assert len(names) == limit - 1
    assert names[0] == "before"
    assert names[1] == f"m{limit + 2:03}"
    assert "done" not in names
    assert found.notes == ("5 more are endangered and wait for the next period",)
