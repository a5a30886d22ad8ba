from __future__ import annotations

import pytest

from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.tiers import hot
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Kind, Memory, State, Tier
from tests.consolidate.making import NOW, memory, snapshot

BOTH = pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])


def ids(recipe: DreamSettings, *memories: Memory) -> tuple[str, ...]:
    """What is hot."""
    assert recipe.hot is not None
    return hot(snapshot(*memories), recipe.hot, NOW).hot


@BOTH
@pytest.mark.req("D36")
def test_useful_used_young_and_active_is_hot(recipe: DreamSettings) -> None:
    """.8, ten accesses, less than thirty days since it was made, semantic; each a hair off is not."""
    good = {"utility": 0.8, "accesses": 10, "age_days": 29.9, "tier": Tier.SEMANTIC}
    off = {"utility": 0.79, "accesses": 9, "age_days": 30.0, "tier": Tier.EPISODIC, "state": State.FADING}
    cold = [memory(name, **(good | {name: value})) for name, value in off.items()]  # type: ignore[arg-type]  # fields by name
    old = memory("old", **(good | {"age_days": 28.0}))  # type: ignore[arg-type]  # fields by name
    assert ids(recipe, memory("hot", **good), old, *cold) == ("hot", "old")  # type: ignore[arg-type]  # fields by name


@BOTH
@pytest.mark.req("D36")
def test_fifteen_at_most_and_the_most_useful_first(recipe: DreamSettings) -> None:
    """Of equally useful ones the more used."""
    many = [memory(f"m{n:02}", utility=0.8 + n / 100, accesses=10, age_days=1.0, tier=Tier.SEMANTIC) for n in range(17)]
    assert ids(recipe, *many) == tuple(f"m{n:02}" for n in range(16, 1, -1))


@pytest.mark.req("D36")
def test_the_default_has_a_second_door_for_standing_instructions() -> None:
    """Instructions and preferences, whatever their count and age, unless they were found useless; not in v9."""
    standing = memory("i", kind=Kind.INSTRUCTION, utility=0.4), memory("p", kind=Kind.PREFERENCE, age_days=999.0)
    useless = memory("u", kind=Kind.INSTRUCTION, utility=0.39)
    assert ids(REVERIE, *standing, useless, memory("f")) == ("p", "i")
    assert ids(V9, *standing) == ()
