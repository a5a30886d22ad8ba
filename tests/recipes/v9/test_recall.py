"""Document D's read path, by its published numbers: worked through the recipe's own stages."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.recall.deduplication import BelowFormed
from reverie.recall.gates import PreGate
from reverie.recall.pipeline import recall
from reverie.recall.state import Candidate, Intent, Lane, RecallState, Stage
from reverie.recall.strengthen import on_the_tip, strengthen
from reverie.recall.supersession import Supersession
from reverie.recipes.published.candidates import Hybrid, text_scores
from reverie.recipes.published.scores import CoActivation, Composite, EntityBoost, EpisodeBoost, Mood, SourceTrust
from reverie.recipes.published.selection import Bands, HotTier, Mmr, Newest, Route, UtilityBoost
from reverie.recipes.published.v9.recall import Decompose, SubTierBoost
from reverie.recipes.recipe import recipe
from reverie.types import Companions, Kind, Relation, RelationKind, Standing, State, Tier
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, holding, quest, request, world
from tests.recall.stages import stage_of, stages, terms_read

PATH = recipe("v9").recall
CUES = {
    Intent.FACTUAL: ("Where is the key?", "Anahtar nerede?"),
    Intent.TEMPORAL: ("When did Ada move?", "Ada ne zaman taşındı?"),
    Intent.CAUSAL: ("Why did the build break?", "Build neden bozuldu?"),
    Intent.ENTITY_PROFILE: ("Tell me about PostgreSQL", "PostgreSQL hakkında ne biliyorsun?"),
    Intent.PREFERENCE: ("What do I like to drink?", "Hangi çayı severim?"),
    Intent.GENERAL: ("kite", "uçurtma"),
}


def routed(cue: str) -> RecallState:
    """A quest behind the router."""
    return stage_of(PATH, Route)(quest(request(cue), world(FakeCorpus([]))))


def touched(kind: type[Stage], line: Line, cue: str = "x", **asked: object) -> float:
    """What a stage makes of one line's score of .5."""
    found = holding(request(cue, **asked), FakeCorpus([line]), [0.5])
    return by_id(stage_of(PATH, kind)(found))["m0"].score


@pytest.mark.req("D39")
def test_the_stages_stand_in_the_documents_order() -> None:
    """Pre-gate, route, decompose (expand, hybrid, activation, boosts), bands, MMR, hot tier."""
    order: list[type] = [type(stage) for stage in stages(PATH)]
    wanted = [
        PreGate,
        Route,
        Decompose,
        Hybrid,
        Composite,
        EntityBoost,
        EpisodeBoost,
        SubTierBoost,
        Bands,
        Mmr,
        HotTier,
    ]
    assert [kind for kind in order if kind in wanted] == wanted
    inner = stage_of(PATH, Decompose).stages
    assert [stage.name for stage in inner[:3]] == ["expand", "hybrid", "activation"]
    assert order.index(Mmr) < order.index(BelowFormed) < order.index(Newest)


@pytest.mark.req("D23")
@pytest.mark.parametrize("cue", ["hello", "merhaba", "/help", "tamam"])
def test_small_talk_is_never_looked_up(cue: str) -> None:
    """Also where it was asked by hand."""
    assert recall(request(cue), world(FakeCorpus([Line(cue)])), PATH)[0].ended


@pytest.mark.req("D18")
@pytest.mark.parametrize(
    ("intent", "lane"),
    [
        (Intent.FACTUAL, Lane(vector=0.6, text=0.4, limit=10, utility=0.2)),
        (Intent.TEMPORAL, Lane(vector=0.4, text=0.6, limit=15, latest=True)),
        (Intent.CAUSAL, Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)),
        (Intent.ENTITY_PROFILE, Lane(vector=0.5, text=0.5, limit=15, utility=0.3, hub=True)),
        (Intent.PREFERENCE, Lane(vector=0.5, text=0.5, limit=10, kinds=(Kind.PREFERENCE, Kind.CORRECTION))),
        (Intent.GENERAL, Lane(vector=0.5, text=0.5, limit=10)),
    ],
)
def test_each_intent_takes_its_lane(intent: Intent, lane: Lane) -> None:
    """The later table of the document, for a question in each language."""
    for cue in CUES[intent]:
        assert routed(cue).lane == lane
        assert routed(cue).limit == lane.limit


def pooled(cue: str, lines: list[Line], around: Surroundings | None = None) -> dict[str, Candidate]:
    """What the hybrid search finds in the lane of a cue."""
    seeking = stage_of(PATH, Route)(quest(request(cue), world(FakeCorpus(lines), around)))
    return by_id(stage_of(PATH, Hybrid)(seeking))


@pytest.mark.req("D6", "D18")
def test_the_lists_are_fused_by_rank_with_sixty() -> None:
    """A general cue, first in both lists: 1/61 + 1/61."""
    assert pooled("kite", [Line("kite", vector=(1.0, 0.0))], Surroundings({"kite": (1.0, 0.0)}))[
        "m0"
    ].score == pytest.approx(2 / 61)


@pytest.mark.req("D6")
def test_three_times_as_many_are_fetched_as_are_wanted() -> None:
    """Thirty for ten."""
    assert len(pooled("kite", [Line("kite") for _ in range(40)])) == 30


@pytest.mark.req("D18")
def test_a_cause_is_walked_two_hops_and_weighs_four_tenths() -> None:
    """.6/61 by text; .8/61 and .8/62 by the graph; the third hop is too far."""
    edges = [Relation(f"m{n}", f"m{n + 1}", RelationKind.CAUSES, 1.0, START) for n in range(3)]
    found = pooled("Why rain?", [Line("rain"), Line("a"), Line("b"), Line("c")], Surroundings(relations=edges))
    assert {name: c.score for name, c in found.items()} == pytest.approx(
        {"m0": 0.6 / 61, "m1": 0.8 / 61, "m2": 0.8 / 62}
    )


@pytest.mark.req("D6")
def test_text_is_bm25_with_the_fields_constants() -> None:
    """k1 1.2 and b .75, which the document does not name; at most 20 000 postings are read."""
    law, corpus = stage_of(PATH, Hybrid).bm25, FakeCorpus([Line("red kite"), Line("a blue boat sails")])
    expected = math.log(1 + 1.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    assert text_scores(corpus, ["kite"], None, law)[0] == pytest.approx(expected)
    assert (terms_read(law.postings, 8_000, 12_000), terms_read(law.postings, 8_000, 12_001)) == (2, 1)


def composite(line: Line, cosine: float, fused: float) -> float:
    """The composite score of one line."""
    found = holding(request("x"), FakeCorpus([line]), [fused])
    found = replace(found, candidates=[replace(c, cosine=cosine) for c in found.candidates])
    return by_id(stage_of(PATH, Composite)(found))["m0"].score


@pytest.mark.req("D6", "D7", "D8")
@pytest.mark.parametrize(
    ("kind", "rate"),
    [
        (Kind.PREFERENCE, 0.0),
        (Kind.ENTITY, 0.0),
        (Kind.CORRECTION, 0.0),
        (Kind.FACT, 0.005),
        (Kind.DECISION, 0.02),
        (Kind.PLAN, 0.05),
    ],
)
def test_the_composite_by_hand(kind: Kind, rate: float) -> None:
    """.40 similarity, .30 activation since the last access, .15 decayed importance, .15 rank score."""
    line = Line("a", kind=kind, day=-99, accesses=5, used=-20, standing=Standing(importance=0.8))
    activation = 1 / (1 + math.exp(-(math.log(5) - 0.5 * math.log(20 * 86_400))))
    expected = 0.4 * 0.6 + 0.3 * activation + 0.15 * 0.8 * math.exp(-rate * 20) + 0.15 * (2 / 61)
    assert composite(line, 0.6, 2 / 61) == pytest.approx(expected, abs=1e-9)


@pytest.mark.req("D6")
@pytest.mark.parametrize("cue", ["Do we run Redis?", "Redis mi kullanıyoruz?"])
def test_a_shared_entity_is_worth_a_tenth(cue: str) -> None:
    """.5 becomes .6."""
    assert touched(EntityBoost, Line("a", entities=("entity://tech/redis",)), cue) == pytest.approx(0.6)


@pytest.mark.req("D6")
def test_the_running_session_is_worth_fifteen_hundredths() -> None:
    """.5 becomes .65."""
    assert touched(EpisodeBoost, Line("a", session="now"), session="now") == pytest.approx(0.65)


@pytest.mark.req("D37")
@pytest.mark.parametrize(
    ("line", "factor"),
    [
        (Line("a"), 1.1),
        (Line("a", "assistant"), 1.0),
        (Line("a", standing=Standing(data_source="federation")), 0.9),
        (Line("a", kind=Kind.PATTERN, standing=Standing(tier=Tier.SEMANTIC)), 1.1),
        (Line("a", kind=Kind.SKILL, standing=Standing(tier=Tier.SEMANTIC)), 1.05),
        (Line("a", kind=Kind.FACT, standing=Standing(tier=Tier.SEMANTIC)), 1.0),
    ],
)
def test_sub_tiers_by_their_factors(line: Line, factor: float) -> None:
    """Personal, observed, vicarious; schematic, procedural, factual."""
    assert touched(SubTierBoost, line) == pytest.approx(0.5 * factor)


@pytest.mark.req("D31")
def test_three_times_together_is_worth_a_twentieth() -> None:
    """Twice is not."""
    for count, expected in ((3, 0.55), (2, 0.5)):
        around = Surroundings(companions=[Companions("m0", "m1", count, START, START)])
        found = holding(request("x"), FakeCorpus([Line("a"), Line("b")]), [0.5, 0.5], around)
        assert by_id(stage_of(PATH, CoActivation)(found))["m0"].score == pytest.approx(expected)


@pytest.mark.req("D32")
@pytest.mark.parametrize("cue", ["I am so happy today!", "Bugün çok mutluyum!"])
def test_the_same_mood_is_worth_a_tenth_more(cue: str) -> None:
    """Times 1.1."""
    assert touched(Mood, Line("a", standing=Standing(valence=0.5)), cue) == pytest.approx(0.55)


@pytest.mark.req("D18")
def test_utility_boosts() -> None:
    """.2 for facts, .3 for profiles, none elsewhere."""
    corpus = FakeCorpus([Line("a", standing=Standing(utility=1.0))])
    for intent, boost in ((Intent.FACTUAL, 0.2), (Intent.ENTITY_PROFILE, 0.3), (Intent.GENERAL, 0.0)):
        found = replace(holding(request("x"), corpus, [0.5]), lane=routed(CUES[intent][0]).lane)
        assert by_id(stage_of(PATH, UtilityBoost)(found))["m0"].score == pytest.approx(0.5 + boost)


@pytest.mark.req("D22")
@pytest.mark.parametrize(("confidence", "factor"), [(0.3, 1.0), (0.29, 0.5 + 0.5 * 0.29 / 0.3), (0.15, 0.75), (0, 0.5)])
def test_a_source_below_three_tenths_ranks_down(confidence: float, factor: float) -> None:
    """Evenly to a half."""
    assert touched(SourceTrust, Line("a", standing=Standing(confidence=confidence))) == pytest.approx(0.5 * factor)


@pytest.mark.req("D29")
@pytest.mark.parametrize("cue", ["Where is the key? Where is the kite?", "Anahtar nerede? Tekne nerede?"])
def test_the_parts_of_a_question_are_fused_with_sixty(cue: str) -> None:
    """One memory, first for both parts: 2/61, which is more than any list of one part gives."""
    found = quest(request(cue), world(FakeCorpus([Line("key kite anahtar anaht tekn tekne")])))
    candidate = by_id(stage_of(PATH, Decompose)(stage_of(PATH, Route)(found)))["m0"]
    assert candidate.score == pytest.approx(2 / 61)


@pytest.mark.req("D26")
@pytest.mark.parametrize(
    ("cosine", "shown", "withheld"),
    [(0.7, False, False), (0.69, True, False), (0.4, True, False), (0.39, False, True), (0.65, True, False)],
)
def test_the_bands_of_confidence(cosine: float, shown: bool, withheld: bool) -> None:
    """Whole from .7 on, a summary from .4 on, else nothing."""
    found = holding(request("x"), FakeCorpus([Line("a")]), [0.1])
    found = replace(found, candidates=[replace(c, cosine=cosine) for c in found.candidates])
    (candidate,) = stage_of(PATH, Bands)(found).candidates
    assert (bool(candidate.shown), bool(candidate.withheld)) == (shown, withheld)


@pytest.mark.req("D9")
def test_diversity_weighs_three_tenths() -> None:
    """.7·.75 − .3·1 for the twin is more than .7·.3, less than .7·.34; at .63 the weaker would come first as well."""
    for third, last in ((0.3, "m2"), (0.34, "m1")):
        found = holding(request("x"), FakeCorpus([Line("kite"), Line("kite"), Line("boat")]), [1.0, 0.75, third])
        assert list(by_id(stage_of(PATH, Mmr)(found)))[-1] == last


def known(text: str, utility: float = 0.8, accesses: int = 10, day: float = -29.9) -> Line:
    """A semantic fact that just qualifies."""
    standing = Standing(tier=Tier.SEMANTIC, utility=utility)
    return Line(text, kind=Kind.FACT, accesses=accesses, day=day, standing=standing)


@pytest.mark.req("D36")
def test_the_hot_tier() -> None:
    """Utility .8, ten accesses, younger than thirty days, at most fifteen, for five minutes; no second door."""
    lines = [
        known("in"),
        known("useless", utility=0.79),
        known("rare", accesses=9),
        known("old", day=-30),
        Line("order", kind=Kind.INSTRUCTION, standing=Standing(utility=1.0)),
    ]
    tier = stage_of(PATH, HotTier)
    assert [c.memory.text for c in tier(quest(request("x"), world(FakeCorpus(lines)))).hot] == ["in"]
    assert len(tier(quest(request("x"), world(FakeCorpus([known(str(n)) for n in range(20)])))).hot) == 15
    asked: list[float] = []
    around = replace(world(FakeCorpus(lines)), kept=lambda minutes, _: asked.append(minutes) or ())
    tier(quest(request("x"), around))
    assert asked == [5.0]


@pytest.mark.req("D36", "D39")
def test_what_is_hot_stands_beside_the_hits_and_never_twice() -> None:
    """It does not count among the hits, and what is a hit already does not stand beside."""
    lines = [known("kite"), known("boat")]
    answer = recall(request("kite", top_k=1), world(FakeCorpus(lines)), PATH)[0]
    assert [hit.memory.text for hit in answer.hits] == ["kite"]
    assert [hit.memory.text for hit in answer.standing] == ["boat"]


def fact(text: str = "a", used: float = 0, **others: object) -> Line:
    """A fact, used today unless it is said when."""
    return replace(Line(text, kind=Kind.FACT, used=used), **others)  # type: ignore[arg-type]  # the test's own fields


@pytest.mark.req("D31", "D13", "D2")
def test_what_a_recall_strengthens() -> None:
    """Stability 2 % for two together, 2 % for fifty neighbours, storage between .02 and .2 of what is missing."""
    law = PATH.strengthen
    assert law is not None
    uri = "entity://person/ada"
    near = [fact(entities=(uri,)) for _ in range(60)]
    corpus = FakeCorpus([fact(entities=(uri,)), fact("b", used=-45), *near])
    changes = strengthen(corpus.fetch([0, 1]), world(corpus), START, law)
    values = {change.memory: {field.name: field.after for field in change.fields} for change in changes}
    assert values["m0"]["stability_days"] == pytest.approx(1.02)
    assert values["m0"]["storage"] == pytest.approx(1 + 0.02 * 9, abs=1e-4)
    assert values["m1"]["storage"] == pytest.approx(1 + (0.2 - 0.18 / 36) * 9)
    assert len(values) == 2 + 50
    assert values["m61"] == {"stability_days": pytest.approx(1.02)}


@pytest.mark.req("D2")
def test_the_tip_of_the_tongue() -> None:
    """Storage from 3 on, and retrieval below .3: 7.4 days of a stability of one day are R = .301."""
    law = PATH.strengthen
    assert law is not None
    lines = [
        fact(used=-7.5, standing=Standing(storage=3.0)),
        fact(used=-7.4, standing=Standing(storage=3.0)),
        fact(used=-7.5, standing=Standing(storage=2.9)),
    ]
    assert on_the_tip(FakeCorpus(lines).fetch([0, 1, 2]), START, law) == ["m0"]


@pytest.mark.req("D17", "D18")
@pytest.mark.parametrize(
    ("cue", "old", "new"),
    [("When did we sail?", "sail may", "sail june"), ("Deniz ne zaman?", "deniz mayıs", "deniz haziran")],
)
def test_a_question_of_time_is_answered_newest_first_with_what_was_superseded(cue: str, old: str, new: str) -> None:
    """Though the older one is the better match."""
    superseded = Standing(state=State.SUPERSEDED)
    word = old.split()[0]
    corpus = FakeCorpus([Line(f"{word} {word}", day=-9, until=-5, standing=superseded), Line(new, day=-5)])
    hits = recall(request(cue), world(corpus), PATH)[0].hits
    assert [hit.memory.id for hit in hits] == ["m1", "m0"]
    then = recall(request(cue, as_of=START - timedelta(days=7)), world(corpus), PATH)[0].hits
    assert [hit.memory.id for hit in then] == ["m0"]


@pytest.mark.req("D17", "D26")
def test_what_is_superseded_is_looked_for_among_twice_as_many() -> None:
    """Of two hits that are wanted, among the first four."""
    superseded = Standing(state=State.SUPERSEDED, superseded_by="m6")
    for place, looked in ((3, True), (4, False)):
        lines = [Line(f"kite {n}") for n in range(6)]
        lines += [Line("boat", kind=Kind.FACT), Line("x", kind=Kind.FACT, sources=(f"m{place}",), standing=superseded)]
        seeking = holding(request("kite"), FakeCorpus(lines), [1.0 - n / 100 for n in range(6)] + [0.0, 0.0])
        first = list(stage_of(PATH, Supersession)(replace(seeking, limit=2)).candidates)[: place + 1]
        assert ("m6" in {candidate.memory.id for candidate in first}) is looked
