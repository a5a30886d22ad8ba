from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reverie.consolidate.clusters import clustering
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Snapshot
from reverie.consolidate.themes import consolidation
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import RelationKind, State, Tier
from tests.consolidate.making import NOW, Lying, after, memory, snapshot
from tests.spoken import english, turkish


def clustered(recipe: DreamSettings, count: int = 1) -> Snapshot:
    """So many clusters of three memories."""
    many = [
        memory(f"{n:02}{side}", f"Boat {n} is called {side}{side}{side}.", entities=(f"boat{n:02}",))
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


class Told:
    """A voice that says the same of every cluster."""

    def __init__(self, text: str) -> None:
        self._text = text

    def theme(self, texts: Sequence[str]) -> str:
        return self._text

    def pattern(self, texts: Sequence[str]) -> str:
        return self._text

    def summary(self, category: str, texts: Sequence[str]) -> str:
        return self._text


KEPT_EN = (
    "Elif lives in Ankara.",
    "Elif works at Aselsan in Ankara.",
    "Elif has two cats in Ankara.",
    "Elif plays the violin in Ankara.",
)
KEPT_TR = (
    "Elif Ankara'da yaşıyor.",
    "Elif Ankara'da Aselsan'da çalışıyor.",
    "Elif'in Ankara'da iki kedisi var.",
    "Elif Ankara'da keman çalıyor.",
)


def around_elif(texts: Sequence[str]) -> Snapshot:
    """One cluster of these texts, in document D's recipe."""
    assert V9.clustering is not None
    first = snapshot(*(memory(f"m{n}", text, entities=("elif",)) for n, text in enumerate(texts)))
    return first.after(clustering(first, V9.clustering, NOW))


@pytest.mark.req("D33", "D17")
@pytest.mark.parametrize("texts", [*english((KEPT_EN,)), *turkish((KEPT_TR,))])
def test_no_fact_sleeps_for_a_theme_that_leaves_it_out(texts: Sequence[str]) -> None:
    """Each member stands in the theme or stays active, linked to it and taken into no other."""
    assert V9.consolidation is not None
    outcome = consolidation(around_elif(texts), V9.consolidation, NOW)
    (theme,) = outcome.formed
    changes = after(outcome)
    asleep = {name for name, what in changes.items() if what.get("state") is State.SUPERSEDED}
    assert asleep == {f"m{n}" for n, text in enumerate(texts) if text in theme.text}
    assert 0 < len(asleep) < len(texts) == len(changes)
    ends = {(one.source, one.target, one.kind) for one in outcome.related}
    awake = set(changes) - asleep
    assert {(name, theme.id, RelationKind.ELABORATES) for name in awake} <= ends
    assert {(theme.id, name, RelationKind.SUPERSEDES) for name in asleep} <= ends
    assert all(changes[name] == {"consolidated_at": NOW} for name in awake)


@pytest.mark.req("D33", "D17")
@pytest.mark.parametrize(
    ("texts", "told", "asleep"),
    [
        *english((KEPT_EN, "Elif works at Aselsan in Ankara. Elif lives in Ankara.", {"m0", "m1"})),
        *english((KEPT_EN, "Elif lives in Ankara and works at Aselsan in Ankara.", set())),
        *english((KEPT_EN, "Elif's life is in Ankara.", set())),
        *turkish((KEPT_TR, "Elif Ankara'da Aselsan'da çalışıyor. Elif Ankara'da yaşıyor.", {"m0", "m1"})),
        *turkish((KEPT_TR, "Elif Ankara'da yaşıyor ve Aselsan'da çalışıyor.", set())),
        *turkish((KEPT_TR, "Elif'in hayatı Ankara'da geçiyor.", set())),
    ],
)
def test_what_a_models_theme_leaves_out_stays(texts: Sequence[str], told: str, asleep: set[str]) -> None:
    """What most of the members say is not what each of them says, nor is what it says in other words."""
    assert V9.consolidation is not None
    outcome = consolidation(replace(around_elif(texts), voice=Told(told)), V9.consolidation, NOW)
    assert {name for name, what in after(outcome).items() if "state" in what} == asleep


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    "texts",
    [
        *english((("I love tea {}.", "I hate tea {}."),)),
        *turkish((("{}. çayı severim.", "{}. çaydan nefret ederim."),)),
    ],
)
def test_a_theme_holds_one_speakers_words(texts: tuple[str, str]) -> None:
    """Three of each speaker make two themes, each in the mouth of who said it."""
    assert V9.clustering is not None
    assert V9.consolidation is not None
    many = [
        memory(f"{speaker}{n}", text.format(n), entities=("tea",), speaker=speaker)
        for n in range(3)
        for speaker, text in zip(("Ada", "Bo"), texts, strict=True)
    ]
    first = snapshot(*many)
    made = consolidation(first.after(clustering(first, V9.clustering, NOW)), V9.consolidation, NOW).formed
    assert [one.speaker for one in made] == ["Ada", "Bo"]
    assert all((m.text in one.text) == (m.speaker == one.speaker) for one in made for m in many)
