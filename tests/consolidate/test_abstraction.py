from __future__ import annotations

import pytest

from reverie.consolidate.clusters import clustering
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.themes import abstraction
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Kind, State
from tests.consolidate.making import NOW, Lying, memory, snapshot
from tests.spoken import english, turkish


@pytest.mark.req("D33")
@pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])
def test_the_three_largest_clusters_give_a_pattern_each(recipe: DreamSettings) -> None:
    """Of importance .85, in the memories' own words; a cluster that has its pattern gets no second one."""
    assert recipe.clustering is not None
    assert recipe.abstraction is not None
    many = [
        memory(f"{n}{side}", f"Ada waters plant {n} on {side}.", entities=(f"plant{n}",))
        for n in range(5)
        for side in "xyz"
    ]
    first = snapshot(*many, lying=Lying({one.id: (1.0,) for one in many}))
    first = first.after(clustering(first, recipe.clustering, NOW))
    outcome = abstraction(first, recipe.abstraction, NOW)
    assert [one.standing.tags for one in outcome.formed] == [("pattern", f"plant{n}") for n in range(3)]
    assert {(one.kind, one.standing.importance) for one in outcome.formed} == {(Kind.PATTERN, 0.85)}
    assert all(one.text in {memory.text for memory in many} for one in outcome.formed)
    assert not abstraction(first.after(outcome), recipe.abstraction, NOW).formed


@pytest.mark.req("D33")
def test_a_pattern_that_later_words_closed_is_made_anew() -> None:
    """Of what holds now; one that a person corrected is not."""
    assert V9.clustering is not None
    assert V9.abstraction is not None
    many = [memory(side, f"Ada waters the plant on {side}.", entities=("plant",)) for side in "xyz"]
    for kind, made in ((Kind.FACT, 1), (Kind.PATTERN, 0)):
        old = memory(
            "p",
            kind=Kind.PATTERN,
            state=State.SUPERSEDED,
            superseded_by="n",
            tags=("pattern", "plant"),
            write_source="dream",
        )
        first = snapshot(*many, old, memory("n", "Ada waters nothing.", kind=kind))
        first = first.after(clustering(first, V9.clustering, NOW))
        assert len(abstraction(first, V9.abstraction, NOW).formed) == made


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    "texts",
    [
        *english((("I water the plant on {}.", "I dry the plant on {}."),)),
        *turkish((("{} günü bitkiyi sularım.", "{} günü bitkiyi kuruturum."),)),
    ],
)
def test_each_speaker_has_a_pattern_of_their_own(texts: tuple[str, str]) -> None:
    """Around the same thing; it is that one's, and made once."""
    assert V9.clustering is not None
    assert V9.abstraction is not None
    many = [
        memory(f"{speaker}{n}", text.format(n), entities=("plant",), speaker=speaker)
        for speaker, text in zip(("Ada", "Bo"), texts, strict=True)
        for n in range(3)
    ]
    first = snapshot(*many)
    first = first.after(clustering(first, V9.clustering, NOW))
    outcome = abstraction(first, V9.abstraction, NOW)
    assert [one.speaker for one in outcome.formed] == ["Ada", "Bo"]
    assert all(any(m.speaker == one.speaker and m.text == one.text for m in many) for one in outcome.formed)
    assert not abstraction(first.after(outcome), V9.abstraction, NOW).formed
