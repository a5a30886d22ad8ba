from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reverie.consolidate.clusters import clustering, near_pairs
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Snapshot
from reverie.consolidate.themes import consolidation
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import FloatArray, Kind, Memory, RelationKind, State, Tier
from tests.consolidate.making import NOW, Lying, after, at_cosine, days_ago, memory, snapshot
from tests.spoken import english, turkish


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


class Rows:
    """Memories lie at the row their name says (``Nearness``)."""

    def __init__(self, rows: FloatArray) -> None:
        self._rows = rows

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        return self._rows[[int(one.id) for one in memories]]

    def read(self, cosine: float) -> float:
        return cosine

    edge = read


def test_a_pair_is_told_once_with_its_cosine() -> None:
    """The nearest first; what lies no nearer than the edge is left out."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    found = near_pairs(snapshot(*[memory(name) for name in "abc"], lying=Lying(where)), np.arange(3), 0.9)
    assert [(pair.first, pair.second, pair.cosine) for pair in found] == [(0, 1, pytest.approx(0.95, abs=1e-5))]


def test_the_words_of_two_people_are_no_pair() -> None:
    """However alike: one of the two would go to sleep."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    both = [replace(memory(name), speaker=speaker) for name, speaker in zip("ab", ("Ada", "Bora"), strict=True)]
    assert near_pairs(snapshot(*both, lying=Lying(where)), np.arange(2), 0.9) == []


def test_the_edge_is_read_on_the_models_own_scale() -> None:
    """Where a model has all texts four times closer together, .95 is far from the .9 of a recipe."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    both = [memory(name) for name in "ab"]
    assert near_pairs(snapshot(*both, lying=Lying(where)), np.arange(2), 0.9)
    assert not near_pairs(snapshot(*both, lying=Lying(where, spread=4.0)), np.arange(2), 0.9)


@pytest.mark.req("D20")
def test_in_a_large_store_nearly_every_pair_is_found_without_comparing_all() -> None:
    """Two hundred pairs at cosine .97 among 4,000 memories: nine in ten and more are found, and nothing else."""
    chance = np.random.default_rng(5)
    rows = chance.standard_normal((4_000, 96)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for place in range(0, 400, 2):
        aside = rows[place + 1] - rows[place] * (rows[place + 1] @ rows[place])
        rows[place + 1] = 0.97 * rows[place] + np.sqrt(1 - 0.97**2) * aside / np.linalg.norm(aside)
    found = near_pairs(snapshot(*[memory(str(n)) for n in range(4_000)], lying=Rows(rows)), np.arange(4_000), 0.96)
    assert {(pair.first, pair.second) for pair in found} <= {(place, place + 1) for place in range(0, 400, 2)}
    assert len(found) > 180


def test_a_shared_entity_finds_what_directions_miss() -> None:
    """Whatever way they point, two memories of one entity are compared."""
    chance = np.random.default_rng(6)
    rows = chance.standard_normal((600, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[1] = 0.5 * rows[0] + np.sqrt(0.75) * (rows[1] - rows[0] * (rows[1] @ rows[0])) / np.linalg.norm(
        rows[1] - rows[0] * (rows[1] @ rows[0])
    )
    many = [memory(str(n), entities=("ada",) if n < 2 else ()) for n in range(600)]
    assert (0, 1) in {
        (pair.first, pair.second) for pair in near_pairs(snapshot(*many, lying=Rows(rows)), np.arange(600), 0.49)
    }


def test_equal_memories_are_paired_with_those_beside_them() -> None:
    """Each of a thousand with five, not with all: else a few were held against all others, and no others judged."""
    many = [memory(f"m{n}") for n in range(1_000)]
    lying = Lying({one.id: (1.0,) for one in many})
    found = {(pair.first, pair.second) for pair in near_pairs(snapshot(*many, lying=lying), np.arange(1_000), 0.9)}
    assert len(found) <= 5 * len(many)
    assert found >= {(row, row + 1) for row in range(999) if row + 1 != 500}


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
