from __future__ import annotations

import pytest

from reverie.consolidate.clustering import clustering
from reverie.consolidate.consolidation import consolidation
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Snapshot
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.v9.dream import DREAM as V9
from reverie.types import RelationKind, State, Tier
from tests.consolidate.making import NOW, Lying, after, memory, snapshot


def clustered(recipe: DreamSettings, count: int = 1) -> Snapshot:
    """So many clusters of three memories."""
    many = [
        memory(f"{n:02}{side}", f"Boat {n} is {side}.", entities=(f"boat{n:02}",))
        for n in range(count)
        for side in "xyz"
    ]
    assert recipe.clustering is not None
    first = snapshot(*many, lying=Lying({one.id: (1.0,) for one in many}))
    return first.after(clustering(first, recipe.clustering, NOW))


@pytest.mark.req("D33", "D17")
def test_the_document_supersedes_what_went_into_a_theme() -> None:
    """The theme is semantic, of importance .8, names the episodes, and supersedes its members by an edge each."""
    assert V9.consolidation is not None
    outcome = consolidation(clustered(V9), V9.consolidation, NOW)
    (theme,) = outcome.formed
    assert (theme.standing.importance, theme.standing.tier) == (0.8, Tier.SEMANTIC)
    assert theme.sources == ("e-00x", "e-00y", "e-00z")
    assert theme.entities == ("boat00",)
    assert {what["superseded_by"] for what in after(outcome).values()} == {theme.id}
    assert {what["state"] for what in after(outcome).values()} == {State.SUPERSEDED}
    assert {(one.source, one.kind) for one in outcome.related} == {(theme.id, RelationKind.SUPERSEDES)}


@pytest.mark.req("D33")
def test_the_default_keeps_what_went_into_a_theme() -> None:
    """The members stay active, each leading to the theme, and are not taken into another."""
    assert REVERIE.consolidation is not None
    assert REVERIE.clustering is not None
    first = clustered(REVERIE)
    outcome = consolidation(first, REVERIE.consolidation, NOW)
    (theme,) = outcome.formed
    assert theme.standing.importance == 0.8
    assert set(after(outcome)) == {"00x", "00y", "00z"}
    assert all(what == {"consolidated_at": NOW} for what in after(outcome).values())
    assert {(one.target, one.kind) for one in outcome.related} == {(theme.id, RelationKind.ELABORATES)}
    assert clustering(first.after(outcome), REVERIE.clustering, NOW).clusters == ()


@pytest.mark.req("D33")
@pytest.mark.parametrize(("recipe", "limit"), [(V9, 5), (REVERIE, 20)], ids=["v9", "reverie"])
def test_so_many_themes_a_period(recipe: DreamSettings, limit: int) -> None:
    """Themes of the period count, whichever cycle made them; the other clusters wait."""
    assert recipe.consolidation is not None
    first = clustered(recipe, limit + 2)
    outcome = consolidation(first, recipe.consolidation, NOW)
    assert len(outcome.formed) == limit
    assert outcome.notes == ("2 clusters wait for another night",)
    assert not consolidation(first.after(outcome), recipe.consolidation, NOW).formed


@pytest.mark.req("D33")
def test_the_same_night_makes_the_same_theme() -> None:
    """Id and words follow from the memories and the cycle."""
    assert V9.consolidation is not None
    assert consolidation(clustered(V9), V9.consolidation, NOW) == consolidation(clustered(V9), V9.consolidation, NOW)
