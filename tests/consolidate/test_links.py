from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import links
from reverie.recipes.published.exocortex import DREAM
from reverie.types import RelationKind
from tests.consolidate.making import NOW, edge, memory, snapshot


@pytest.mark.req("A10", "A16.19")
def test_three_shared_tags_link_both_ways() -> None:
    """Two do not; links that are there are not drawn again."""
    assert DREAM.links is not None
    three = memory("a", tags=("x", "y", "z")), memory("b", tags=("z", "y", "x", "w")), memory("c", tags=("x", "y"))
    first = snapshot(*three)
    outcome = links(first, DREAM.links, NOW)
    assert {(one.source, one.target) for one in outcome.related} == {("a", "b"), ("b", "a")}
    assert {one.kind for one in outcome.related} == {RelationKind.RELATED_TO}
    assert not links(first.after(outcome), DREAM.links, NOW).related


@pytest.mark.req("A10", "A16.21")
def test_ten_links_a_memory() -> None:
    """Those it has count, also to memories that have gone."""
    assert DREAM.links is not None
    many = [memory(f"m{n:02}", tags=("x", "y", "z")) for n in range(12)]
    outcome = links(snapshot(*many), DREAM.links, NOW)
    drawn = [one.source for one in outcome.related]
    assert max(drawn.count(one.id) for one in many) == 10
    full = [edge("m00", f"gone{n}", RelationKind.RELATED_TO) for n in range(10)]
    linked = links(snapshot(*many, relations=full), DREAM.links, NOW).related
    assert "m00" not in {one.source for one in linked} | {one.target for one in linked}


@pytest.mark.req("D21")
def test_an_immutable_memory_is_not_linked() -> None:
    """It stays as it is; a pinned one may be linked."""
    assert DREAM.links is not None
    tags = ("x", "y", "z")
    found = snapshot(
        memory("i", tags=tags, immutable=True), memory("p", tags=tags, pinned=True), memory("a", tags=tags)
    )
    assert {one.source for one in links(found, DREAM.links, NOW).related} == {"a", "p"}
