from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.consolidate.settings import CurveLaw, DreamSettings, TierDecay
from reverie.consolidate.tiers import tier_decay
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import LAW
from reverie.types import State, Tier
from tests.consolidate.making import NOW, after, memory, snapshot

# Idle days at which retention falls to the recipe's edge, of a stability of one day, worked out by hand:
# v9: (1 + 3t/9)⁻² = .3; with the curve of FSRS-6: (1 + .9805·3t)^−.1542 = .5, f = .9^(−1/.1542) − 1.
FSRS6 = replace(V9, tier_decay=TierDecay(replace(LAW, curve=CurveLaw.FSRS6), fading_below=0.5))
EDGES = [(V9, 3 * (0.3**-0.5 - 1), 9 * (0.3**-0.5 - 1)), (FSRS6, 30.13, 90.40)]


@pytest.mark.req("D35", "D1")
@pytest.mark.parametrize(("recipe", "episodic", "semantic"), EDGES, ids=["v9", "fsrs6"])
@pytest.mark.parametrize("tier", Tier)
def test_each_tier_fades_at_its_own_speed(recipe: DreamSettings, episodic: float, semantic: float, tier: Tier) -> None:
    """An episodic memory fades three times as fast as a semantic one; a hair before the edge it does not."""
    edge = semantic if tier is Tier.SEMANTIC else episodic
    before = memory("before", tier=tier, idle_days=edge * 0.98, accesses=1)
    past = memory("past", tier=tier, idle_days=edge * 1.02, accesses=1)
    assert recipe.tier_decay is not None
    found = after(tier_decay(snapshot(before, past), recipe.tier_decay, NOW))
    assert found == {"past": {"state": State.FADING}}


@pytest.mark.req("D5")
@pytest.mark.parametrize("recipe", [V9, FSRS6], ids=["v9", "fsrs6"])
def test_rare_is_below_half_of_the_mean(recipe: DreamSettings) -> None:
    """14 accesses where the mean is 30 are rare, 15 are not; a rare memory's stability is halved, no more."""
    assert recipe.tier_decay is not None
    full = next(edge for settings, edge, _ in EDGES if settings is recipe)
    for accesses, other, idle, fades in ((14, 46, 0.52, True), (14, 46, 0.49, False), (15, 45, 0.52, False)):
        pair = memory("rare", idle_days=full * idle, accesses=accesses), memory("used", idle_days=0.0, accesses=other)
        assert ("rare" in after(tier_decay(snapshot(*pair), recipe.tier_decay, NOW))) is fades


def test_a_memory_within_reach_again_is_active_again() -> None:
    """A fading memory that was recalled meanwhile loses the mark; one that sleeps does not wake by itself."""
    assert V9.tier_decay is not None
    fading = memory("fading", state=State.FADING, idle_days=0.1)
    asleep = memory("asleep", state=State.DORMANT, idle_days=0.1)
    assert after(tier_decay(snapshot(fading, asleep), V9.tier_decay, NOW)) == {"fading": {"state": State.ACTIVE}}


@pytest.mark.req("D21")
def test_pinned_and_immutable_memories_are_not_marked() -> None:
    """However long they lie idle."""
    assert V9.tier_decay is not None
    kept = memory("pinned", pinned=True, idle_days=999.0), memory("immutable", immutable=True, idle_days=999.0)
    assert not tier_decay(snapshot(*kept), V9.tier_decay, NOW).changes
