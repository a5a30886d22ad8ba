from __future__ import annotations

import numpy as np
import pytest

from reverie.consolidate.clusters import clustering
from reverie.consolidate.settings import DreamSettings
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Kind, Memory
from tests.consolidate.making import NOW, Lying, at_cosine, days_ago, memory, snapshot


def clusters(recipe: DreamSettings, *memories: Memory, lying: Lying | None = None) -> list[tuple[str, str]]:
    """Label and members of each cluster."""
    assert recipe.clustering is not None
    found = clustering(snapshot(*memories, lying=lying), recipe.clustering, NOW)
    assert not found.changes
    return [(one.label, "".join(memories[row].id for row in one.rows)) for one in found.clusters]


def at_one_place(names: str) -> Lying:
    """All of them at the same place."""
    return Lying(dict.fromkeys(names, (1.0,)))


def equally_near(names: str, cosine: float, spread: float) -> Lying:
    """Each pair of them at the same cosine."""
    size = len(names)
    rows = np.linalg.cholesky(np.full((size, size), cosine) + (1.0 - cosine) * np.eye(size))
    return Lying(dict(zip(names, rows.tolist(), strict=True)), spread=spread)


@pytest.mark.req("D33")
@pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])
def test_three_around_one_entity_are_a_cluster(recipe: DreamSettings) -> None:
    """Two are none (their categories and importance differ)."""
    three = [memory(name, entities=("ada",)) for name in "abc"]
    two = [memory("d", entities=("bo",), kind=Kind.PLAN), memory("e", entities=("bo",), kind=Kind.DECISION)]
    assert clusters(recipe, *three, *two, lying=at_one_place("abcde")) == [("ada", "abc")]


@pytest.mark.req("D33")
def test_the_rarer_entity_claims_its_memories_first() -> None:
    """Each memory is in one cluster; the larger cluster is told first."""
    all_of = [memory(name, entities=("ada", "tea") if name in "abc" else ("ada",)) for name in "abcdefg"]
    assert clusters(V9, *all_of) == [("ada", "defg"), ("tea", "abc")]


@pytest.mark.req("D33")
def test_a_category_and_close_importance_are_enough_for_the_document() -> None:
    """Within .3 of the group's first; the default asks for an entity."""
    close = [memory(name, importance=0.4 + gap) for name, gap in (("a", 0.0), ("b", 0.2), ("c", 0.29), ("d", 0.301))]
    assert clusters(V9, *close) == [("fact", "abc")]
    assert clusters(REVERIE, *close, lying=at_one_place("abcd")) == []
    assert clusters(REVERIE, *[memory(name) for name in "abc"], lying=at_one_place("abc")) == []
    assert clusters(V9, memory("a"), memory("b"), memory("c", kind=Kind.PLAN)) == []


@pytest.mark.req("D20")
def test_no_cluster_is_larger_than_a_batch() -> None:
    """Five hundred in document D, a dozen in the default; a rest of two waits."""
    for recipe, most in ((V9, 500), (REVERIE, 12)):
        many = [memory(f"m{n:03}", entities=("ada",)) for n in range(most + 2)]
        lying = Lying({one.id: (1.0,) for one in many})
        assert [len(names) // 4 for _, names in clusters(recipe, *many, lying=lying)] == [most]


@pytest.mark.req("D33")
def test_the_default_asks_for_nearness_too() -> None:
    """Two at one place and a third aside: at a cosine of .41 it lies within .7 of the middle, at .38 not."""
    three = [memory(name, entities=("ada",)) for name in "abc"]
    for cosine, together in ((0.41, True), (0.38, False)):
        near, aside = at_cosine(cosine)
        assert bool(clusters(REVERIE, *three, lying=Lying({"a": near, "b": near, "c": aside}))) is together


@pytest.mark.parametrize("spread", [1.0, 4.5])
def test_how_near_is_read_on_the_models_own_scale(spread: float) -> None:
    """Four that have .25 with each other are no theme, three that have .4 are; nor with a model that crowds them."""
    for names, cosine, together in (("abcd", 0.25, False), ("abc", 0.4, True)):
        lying = equally_near(names, 1.0 - (1.0 - cosine) / spread, spread)
        assert bool(clusters(REVERIE, *[memory(name, entities=("ada",)) for name in names], lying=lying)) is together


def test_what_points_nowhere_together_is_no_cluster() -> None:
    """Three that lie opposite each other have no middle; and three of which nothing is known."""
    three = [memory(name, entities=("ada",)) for name in "abc"]
    assert not clusters(REVERIE, *three, lying=Lying({"a": (1.0, 0.0), "b": (-0.5, 0.866), "c": (-0.5, -0.866)}))
    assert not clusters(REVERIE, *three, lying=Lying())


@pytest.mark.req("D21", "D33")
def test_what_is_protected_or_in_a_theme_already_is_in_no_cluster() -> None:
    """Nothing of it is to be merged, or merged again."""
    two = [memory(name, entities=("ada",)) for name in "ab"]
    for kept in ({"pinned": True}, {"immutable": True}, {"consolidated_at": NOW}, {"write_source": "dream"}):
        assert clusters(V9, *two, memory("c", entities=("ada",), **kept)) == []


@pytest.mark.req("D33")
@pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])
def test_a_cluster_is_of_one_speaker(recipe: DreamSettings) -> None:
    """Around an entity as within a category: three of two speakers are none, three of each are two clusters."""
    ada = [memory(name, entities=("tea",)) for name in "abc"]
    bo = [memory(name, entities=("tea",), speaker="Bo") for name in "def"]
    lying = at_one_place("abcdef")
    assert clusters(recipe, *ada[:2], *bo[:2], lying=lying) == []
    assert clusters(recipe, *ada, *bo, lying=lying) == [("tea", "abc"), ("tea", "def")]
    bare = [memory(name, speaker="Ada" if name in "abc" else "Bo") for name in "abcdef"]
    assert clusters(V9, *bare) == [("fact", "abc"), ("fact", "def")]
    assert clusters(V9, *bare[1:5]) == []


@pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])
def test_what_has_an_end_is_in_no_theme(recipe: DreamSettings) -> None:
    """A theme has none and would tell a plan when it is over."""
    three = [memory(name, entities=("ada",)) for name in "abc"]
    plan = memory("d", entities=("ada",), kind=Kind.PLAN, time_bounded=True, valid_until=days_ago(-1))
    assert clusters(recipe, *three, plan, lying=at_one_place("abcd")) == [("ada", "abc")]
