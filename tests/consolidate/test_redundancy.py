from __future__ import annotations

import pytest

from reverie.consolidate.forgetting import redundancy, spent
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Outcome
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Memory, RelationKind, State
from tests.consolidate.making import NOW, Lying, after, at_cosine, memory, snapshot


def step(recipe: DreamSettings, cosine: float, *pair: Memory) -> Outcome:
    """The step over two memories of this cosine."""
    assert recipe.redundancy is not None
    where = dict(zip([one.id for one in pair], at_cosine(cosine), strict=True))
    return redundancy(snapshot(*pair, lying=Lying(where)), recipe.redundancy, NOW)


@pytest.mark.req("D14", "D33")
@pytest.mark.parametrize(("recipe", "edge"), [(V9, 0.9), (REVERIE, 0.965)], ids=["v9", "reverie"])
def test_above_the_cosine_the_less_useful_sleeps(recipe: DreamSettings, edge: float) -> None:
    """At the edge and below both stay."""
    pair = memory("a", "The same.", utility=0.6), memory("b", "The same.", utility=0.5)
    sleeps = after(step(recipe, edge + 0.002, *pair))
    assert sleeps == {"b": {"state": State.DORMANT, "superseded_by": "a", "consolidated_at": NOW}}
    assert not step(recipe, edge - 0.002, *pair).changes


@pytest.mark.req("D14")
def test_of_equally_useful_ones_the_more_used_stays_then_the_newer() -> None:
    """Utility decides first."""
    same = "The same."
    assert set(after(step(V9, 0.99, memory("a", same, accesses=2), memory("b", same, accesses=1)))) == {"b"}
    assert set(after(step(V9, 0.99, memory("a", same), memory("b", same)))) == {"a"}


@pytest.mark.req("D33")
def test_only_what_agrees_is_merged_and_both_stay_reachable() -> None:
    """As near as can be, but not the same number: both stay. The same in other words: an edge leads to the sleeper."""
    kept = (
        memory("a", "The flight leaves at 7 on Monday.", utility=0.9),
        memory("b", "The flight leaves at 8 on Monday."),
    )
    assert not step(REVERIE, 0.999, *kept).changes
    assert not step(V9, 0.999, *kept).changes
    same = (
        memory("a", "The flight leaves at 7 on Monday.", utility=0.9),
        memory("b", "The flight leaves at 7 on Monday!"),
    )
    found = step(REVERIE, 0.999, *same)
    assert set(after(found)) == {"b"}
    assert [(one.source, one.target, one.kind) for one in found.related] == [("a", "b", RelationKind.ELABORATES)]


@pytest.mark.req("D14", "D33")
@pytest.mark.parametrize(("recipe", "limit"), [(V9, 50), (REVERIE, 500)], ids=["v9", "reverie"])
def test_so_many_pairs_a_period(recipe: DreamSettings, limit: int) -> None:
    """What was put to sleep earlier in the period leaves less room."""
    assert recipe.redundancy is not None
    count = limit + 2
    pairs = [memory(f"{n:04}{side}", f"Shelf {n} is full.") for n in range(count) for side in "ab"]
    axes = {one.id: [0.0] * (place // 2) + [1.0] for place, one in enumerate(pairs)}
    lying = Lying(axes, dims=count + 17)
    first = snapshot(*pairs, lying=lying)
    outcome = redundancy(first, recipe.redundancy, NOW)
    assert len(outcome.changes) == limit
    second = first.after(outcome)
    assert spent(second) == limit
    assert not redundancy(second, recipe.redundancy, NOW).changes


@pytest.mark.req("D21")
def test_a_pinned_memory_does_not_sleep_for_a_better_one() -> None:
    """Nor does the better one in its place."""
    assert not step(V9, 0.99, memory("a", utility=0.9), memory("b", utility=0.1, pinned=True)).changes
