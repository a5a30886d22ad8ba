from __future__ import annotations

import pytest

from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.tiers import is_protected, tiers
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Memory, State, Tier
from tests.consolidate.making import NOW, after, memory, snapshot

SEMANTIC = {"tier": Tier.SEMANTIC}


def step(recipe: DreamSettings, *memories: Memory) -> dict[str, dict[str, object]]:
    """What the step sets."""
    assert recipe.tiers is not None
    return after(tiers(snapshot(*memories), recipe.tiers, NOW))  # type: ignore[return-value]  # a field is an object


@pytest.mark.req("D35")
def test_three_accesses_promote() -> None:
    """Two do not."""
    assert step(V9, memory("two", accesses=2), memory("three", accesses=3)) == {"three": SEMANTIC}


@pytest.mark.req("D35")
def test_utility_over_a_week_promotes() -> None:
    """.7 for seven days; neither .69 nor six and a half days are enough."""
    lasting = memory("lasting", utility=0.7, age_days=7.0)
    dull = memory("dull", utility=0.69, age_days=7.0)
    young = memory("young", utility=0.7, age_days=6.5)
    assert step(V9, lasting, dull, young) == {"lasting": SEMANTIC}


@pytest.mark.req("D35")
def test_three_memories_around_an_entity_promote_each_other() -> None:
    """Two do not."""
    three = [memory(f"a{n}", entities=("ada",)) for n in range(3)]
    two = [memory(f"b{n}", entities=("bo",)) for n in range(2)]
    assert step(V9, *three, *two) == {"a0": SEMANTIC, "a1": SEMANTIC, "a2": SEMANTIC}


@pytest.mark.req("D35")
def test_sixty_idle_days_and_little_use_put_to_sleep() -> None:
    """Both are needed, and only semantic memories are demoted; the sleeper remembers its tier."""
    semantic = {"tier": Tier.SEMANTIC}
    gone = memory("gone", idle_days=60.0, utility=0.19, **semantic)
    useful = memory("useful", idle_days=60.0, utility=0.2, **semantic)
    recent = memory("recent", idle_days=59.0, utility=0.19, **semantic)
    episodic = memory("episodic", idle_days=60.0, utility=0.19)
    edge = memory("edge", idle_days=57.0, utility=0.0, **semantic)
    found = step(V9, gone, useful, recent, episodic, edge)
    assert found == {"gone": {"state": State.DORMANT}}


@pytest.mark.req("D35")
def test_what_was_promoted_is_looked_at_for_demotion_the_same_night() -> None:
    """Often used long ago and of no use since: it goes to sleep as a semantic memory."""
    found = step(V9, memory("old", accesses=5, idle_days=90.0, utility=0.1))
    assert found == {"old": {"tier": Tier.SEMANTIC, "state": State.DORMANT}}


@pytest.mark.req("D35", "D21")
@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
def test_the_exempt_are_neither_promoted_nor_demoted(flag: str) -> None:
    """Pinned and immutable memories stay where they are; a flashbulb is not demoted."""
    useless = memory("m", tier=Tier.SEMANTIC, idle_days=99.0, utility=0.0, **{flag: True})
    assert is_protected(useless)
    assert step(V9, useless) == {}
    assert step(V9, memory("p", accesses=9, pinned=True), memory("i", accesses=9, immutable=True)) == {}
