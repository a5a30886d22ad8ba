from __future__ import annotations

import math
from dataclasses import replace

import pytest

from reverie.formulas.scores import CompositeWeights
from reverie.recall.state import Candidate, RecallState, Stage, age_s
from reverie.recipes.published.scores import (
    CoActivation,
    Composite,
    EntityBoost,
    EpisodeBoost,
    Mood,
    Recency,
    RelatedBoost,
    Scale,
    Since,
    SourceTrust,
    marks,
    similarities,
)
from reverie.recipes.published.v9.emotion import emotion
from reverie.types import Companions, Kind, Relation, RelationKind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, holding, request

WEIGHTS = CompositeWeights(similarity=0.4, activation=0.3, importance=0.2, fused=0.1)
COMPOSITE = Composite(WEIGHTS, Since.ACCESS, Scale.COSINE, ((Kind.FACT, 0.1),), other_decay=0.0)
RECENCY = Recency(half_life_hours=24.0, weight=0.2, floor=0.1, exempt=frozenset({"confirmed"}), scale=Scale.COSINE)


def seeking(line: Line, cosine: float | None, score: float = 0.5, likeness: float = 0.0) -> RecallState:
    """A quest that found one line."""
    found = holding(request("x"), FakeCorpus([line]), [score])
    return replace(found, candidates=[replace(c, cosine=cosine, likeness=likeness) for c in found.candidates])


def scored(stage: Composite | Recency | SourceTrust, *args: object, **others: object) -> Candidate:
    """The one candidate after the stage."""
    return by_id(stage(seeking(*args, **others)))["m0"]  # type: ignore[arg-type]  # the arguments of `seeking`


@pytest.mark.req("D6", "D7", "D8")
def test_a_composite_by_hand() -> None:
    """Used 4 times, last 4 days ago; a fact that loses a tenth a day."""
    line = Line("a", day=-9, accesses=4, used=-4, kind=Kind.FACT, standing=Standing(importance=0.5))
    activation = 1 / (1 + math.exp(-(math.log(4) - 0.5 * math.log(4 * 86_400))))
    expected = 0.4 * 0.6 + 0.3 * activation + 0.2 * 0.5 * math.exp(-0.1 * 4) + 0.1 * 0.5
    candidate = scored(COMPOSITE, line, 0.6)
    assert candidate.score == pytest.approx(expected)
    assert [signal.name for signal in candidate.signals] == ["similarity", "activation", "importance", "fused"]


@pytest.mark.req("D7", "C1")
def test_the_age_counts_from_access_or_from_creation() -> None:
    """Created nine days ago, used four days ago; never younger than a second."""
    memory = FakeCorpus([Line("a", day=-9, used=-4)]).fetch([0])[0]
    assert age_s(memory, START) == 4 * 86_400
    assert age_s(memory, START, created=True) == 9 * 86_400
    assert age_s(FakeCorpus([Line("a", day=1)]).fetch([0])[0], START) == 1.0


@pytest.mark.req("D8")
def test_what_a_memory_is_stored_with_is_not_touched() -> None:
    """Decay happens in scoring (reading 6)."""
    line = Line("a", day=-9, kind=Kind.FACT, standing=Standing(importance=0.5))
    assert scored(COMPOSITE, line, 0.6).memory.standing.importance == 0.5


@pytest.mark.parametrize(
    ("scale", "expected"), [(Scale.COSINE, 0.6), (Scale.AGENT_ZERO, 0.8), (Scale.OPENCLAW, 1 / (1 + 0.8))]
)
def test_similarity_is_on_the_hosts_scale(scale: Scale, expected: float) -> None:
    """A cosine of .6 three ways; without a vector the likeness as it is."""
    (candidate,) = seeking(Line("a"), 0.6).candidates
    assert similarities([candidate], scale)[0] == pytest.approx(expected)
    assert similarities([replace(candidate, cosine=None, likeness=0.3)], scale)[0] == 0.3


def test_without_a_model_the_text_decides() -> None:
    """The likeness stands where the cosine would."""
    near, far = scored(COMPOSITE, Line("a"), None, likeness=1.0), scored(COMPOSITE, Line("a"), None, likeness=0.5)
    assert near.score - far.score == pytest.approx(0.4 * 0.5)


@pytest.mark.req("A3", "A16.10")
def test_recency_is_blended_in() -> None:
    """One half-life ago: .8·.6 + .2·.5; long ago the floor is left."""
    assert scored(RECENCY, Line("a", day=-1), 0.6).score == pytest.approx(0.8 * 0.6 + 0.2 * 0.5)
    assert scored(RECENCY, Line("a", day=-99), 0.6).score == pytest.approx(0.8 * 0.6 + 0.2 * 0.1)


@pytest.mark.req("A3", "A16.6", "A16.13")
def test_the_age_is_since_the_last_access_else_since_creation() -> None:
    """Of two equal ones the one used today stands before the one used a month ago."""
    fresh = scored(RECENCY, Line("a", day=-40, used=0), 0.6)
    stale = scored(RECENCY, Line("a", day=-40, used=-30), 0.6)
    assert fresh.score > stale.score
    assert scored(RECENCY, Line("a", day=-1), 0.6).score == scored(RECENCY, Line("a", day=-40, used=-1), 0.6).score


@pytest.mark.req("A4")
def test_what_is_exempt_does_not_fade() -> None:
    """Verified is confirmed."""
    line = Line("a", day=-99, standing=Standing(verified=True))
    assert scored(RECENCY, line, 0.6).score == pytest.approx(0.8 * 0.6 + 0.2)


@pytest.mark.req("A4")
@pytest.mark.parametrize(
    ("standing", "mark"),
    [
        (Standing(pinned=True), "load_bearing"),
        (Standing(immutable=True), "load_bearing"),
        (Standing(tags=("load_bearing",)), "load_bearing"),
        (Standing(data_source="user_message"), "user_asserted"),
        (Standing(write_source="manual"), "user_asserted"),
        (Standing(verified=True), "confirmed"),
    ],
)
def test_how_the_hosts_marks_are_read(standing: Standing, mark: str) -> None:
    """Its words where they are tags, else what stands for them; a plain memory bears none."""
    assert marks(FakeCorpus([Line("a", standing=standing)]).fetch([0])[0]) == (mark,)
    assert marks(FakeCorpus([Line("a")]).fetch([0])[0]) == ()


@pytest.mark.req("D22")
def test_a_doubtful_source_ranks_lower() -> None:
    """Half of the threshold: ¾ of the score where ½ is the least; from the threshold on nothing happens."""
    trust = SourceTrust(threshold=0.4, least=0.5)
    assert scored(trust, Line("a", standing=Standing(confidence=0.2)), 0.6).score == pytest.approx(0.5 * 0.75)
    assert scored(trust, Line("a", standing=Standing(confidence=0.4)), 0.6).score == 0.5


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
