"""Boosts: each adds what it says, to whom it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recall.state import RecallState, Stage
from reverie.recipes.published.scores import CoActivation, EntityBoost, EpisodeBoost, Mood, RelatedBoost
from reverie.recipes.published.v9.emotion import emotion
from reverie.types import Companions, Relation, RelationKind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, holding, request


def scores(stage: Stage, found: RecallState) -> list[float]:
    """The scores after a stage, in order of writing."""
    after = by_id(stage(found))
    return [after[name].score for name in sorted(after)]


@pytest.mark.req("D6")
@pytest.mark.parametrize("cue", ["Do we run Redis or PostgreSQL?", "Redis mi PostgreSQL mi kullanıyoruz?"])
def test_each_shared_entity_adds(cue: str) -> None:
    """Two shared entities add twice, none nothing; an episode shares by its words."""
    both = ("entity://tech/redis", "entity://tech/postgresql")
    lines = [Line("a", entities=both), Line("b", entities=("PostgreSQL",)), Line("c", entities=("entity://org/x",))]
    assert scores(EntityBoost(0.1), holding(request(cue), FakeCorpus(lines), [0.5] * 3)) == pytest.approx(
        [0.7, 0.6, 0.5]
    )


@pytest.mark.req("D6")
def test_what_was_formed_in_the_asking_session_gains() -> None:
    """Where no session asks, nobody gains."""
    corpus = FakeCorpus([Line("a", session="now"), Line("b", session="then")])
    assert scores(EpisodeBoost(0.15), holding(request("x", session="now"), corpus, [0.5, 0.5])) == [0.65, 0.5]
    assert scores(EpisodeBoost(0.15), holding(request("x"), corpus, [0.5, 0.5])) == [0.5, 0.5]


@pytest.mark.req("D6")
@pytest.mark.parametrize(
    "cue", ["Do we run Redis, PostgreSQL or Docker?", "Redis, PostgreSQL ya da Docker mı kullanıyoruz?"]
)
def test_each_shared_entity_adds_a_tenth(cue: str) -> None:
    """“+0.1 per matching entity”: with none, one and three."""
    three = ("Redis", "PostgreSQL", "Docker")
    lines = [Line("a"), Line("b", entities=three[:1]), Line("c", entities=three)]
    found = holding(request(cue), FakeCorpus(lines), [0.5] * 3)
    assert scores(EntityBoost(0.1), found) == pytest.approx([0.5, 0.6, 0.8])


@pytest.mark.req("D6")
def test_the_running_session_adds_fifteen_hundredths() -> None:
    """“+0.15 for same session episode”."""
    found = holding(
        request("x", session="now"), FakeCorpus([Line("a", session="now"), Line("b", session="then")]), [0.5, 0.5]
    )
    assert scores(EpisodeBoost(0.15), found) == pytest.approx([0.65, 0.5])


def pair(first: str, second: str, count: int) -> Companions:
    """Two that were recalled together."""
    return Companions(first, second, count, START, START)


@pytest.mark.req("D31")
def test_companions_gain_once() -> None:
    """Three times together is enough, twice is not; who met two others gains once."""
    met = [pair("m0", "m1", 3), pair("m0", "m2", 2), pair("m1", "m9", 9)]
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c")])
    found = holding(request("x"), corpus, [0.5] * 3, Surroundings(companions=[*met, pair("m0", "m1", 5)]))
    assert scores(CoActivation(3, 0.05), found) == [0.55, 0.55, 0.5]


@pytest.mark.req("D31")
@pytest.mark.parametrize(("count", "brought"), [(2, []), (3, ["m2"])])
def test_who_is_often_recalled_with_a_hit_comes_along(count: int, brought: list[str]) -> None:
    """Either is enough: the hit gains, and its partner is brought with the same, as sure as the way to it."""
    corpus = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d", standing=Standing(state=State.DORMANT))])
    around = Surroundings(companions=[pair("m0", "m2", count), pair("m0", "m3", 9)])
    found = holding(request("x"), FakeCorpus(corpus.lines[:2]), [0.5, 0.4], around)
    named = {memory.id: memory for memory in corpus.fetch(range(4))}
    found = replace(found, world=replace(found.world, named=lambda ids: [named[name] for name in ids]))
    found = replace(found, candidates=[replace(one, cosine=0.8) for one in found.candidates])
    after = by_id(CoActivation(3, 0.05)(found))
    assert sorted(set(after) - {"m0", "m1"}) == brought
    assert after["m0"].score == pytest.approx(0.55)
    assert after["m1"].score == pytest.approx(0.4)
    assert [(after[name].score, after[name].alike) for name in brought] == [(0.05, pytest.approx(0.6))] * len(brought)


@pytest.mark.req("D32")
@pytest.mark.parametrize("cue", ["I am so happy today!", "Bugün çok mutluyum!"])
def test_a_mood_favours_its_like(cue: str) -> None:
    """The cue's own mood: what was glad gains a tenth, what was sad or calm nothing."""
    lines = [Line("a", standing=Standing(valence=v)) for v in (0.6, -0.6, 0.0)]
    assert scores(
        Mood(1.1, lambda cue: emotion(cue).valence), holding(request(cue), FakeCorpus(lines), [0.5] * 3)
    ) == pytest.approx([0.55, 0.5, 0.5])


@pytest.mark.req("D32")
def test_a_mood_that_is_told_goes_before_the_words() -> None:
    """Who is sad and speaks plainly is sad."""
    lines = [Line("a", standing=Standing(valence=v)) for v in (0.6, -0.6)]
    found = holding(request("kite", mood=-0.4), FakeCorpus(lines), [0.5] * 2)
    assert scores(Mood(1.1, lambda cue: emotion(cue).valence), found) == pytest.approx([0.5, 0.55])


def edge(one: int, other: int, kind: RelationKind = RelationKind.RELATED_TO) -> Relation:
    """A link between two lines."""
    return Relation(f"m{one}", f"m{other}", kind, 1.0, START)


LINES = FakeCorpus([Line("a"), Line("b"), Line("c"), Line("d")])


def linked(*edges: Relation) -> RecallState:
    """Four candidates, of which two are wanted."""
    around = Surroundings(relations=list(edges))
    return replace(holding(request("x"), LINES, [0.9, 0.8, 0.75, 0.7], around), limit=2)


@pytest.mark.req("A5", "A16.20")
def test_a_link_lifts_what_stands_below_the_cut() -> None:
    """The third and the fourth are linked to the first: the third comes in before the second."""
    after = RelatedBoost(0.08)(linked(edge(0, 2), edge(3, 0)))
    assert list(by_id(after)) == ["m0", "m2", "m1", "m3"]
    assert by_id(after)["m3"].score == pytest.approx(0.78)


@pytest.mark.req("A5")
def test_many_links_lift_once_and_none_lifts_what_is_in() -> None:
    """Reading 34."""
    after = by_id(RelatedBoost(0.08)(linked(edge(0, 2), edge(1, 2), edge(0, 1))))
    assert after["m2"].score == pytest.approx(0.83)
    assert after["m1"].score == 0.8


def test_only_related_links_lift() -> None:
    """A contradiction is no recommendation."""
    assert list(by_id(RelatedBoost(0.08)(linked(edge(0, 2, RelationKind.CONTRADICTS))))) == ["m0", "m1", "m2", "m3"]
