from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.state import Candidate, Intent, Lane, RecallState
from reverie.recipes.published.candidates import Bm25, Hybrid, Nearest, by_text, by_vector, text_scores, walk
from reverie.recipes.published.exocortex import Expanding, Keywords
from reverie.recipes.published.v9.recall import Hyde
from reverie.types import Kind, Relation, RelationKind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, quest, request, world
from tests.spoken import english, turkish

LAW = Bm25(k1=1.2, b=0.75, postings=100)
HYBRID = Hybrid(overfetch=3, k=60, bm25=LAW)


def sought(lines: list[Line], text: str, around: Surroundings | None = None, lane: Lane | None = None) -> RecallState:
    """What the hybrid search finds."""
    seeking = replace(quest(request(text), world(FakeCorpus(lines), around)), lane=lane, intent=Intent.GENERAL)
    return HYBRID(seeking)


def found(*args: object) -> dict[str, Candidate]:
    """The candidates by id."""
    return by_id(sought(*args))  # type: ignore[arg-type]  # the arguments of `sought`


@pytest.mark.req("D6")
def test_two_lists_are_merged_by_reciprocal_rank() -> None:
    """First in both: 2/61. Second by meaning alone: 1/62."""
    lines = [Line("kite", vector=(1.0, 0.0)), Line("boat", vector=(0.6, 0.8))]
    scores = found(lines, "kite", Surroundings({"kite": (1.0, 0.0)}))
    assert scores["m0"].score == pytest.approx(2 / 61)
    assert scores["m1"].score == pytest.approx(1 / 62)


@pytest.mark.req("D6")
def test_what_is_missing_is_done_without() -> None:
    """No model: text alone. No shared word: meaning alone."""
    lines = [Line("kite", vector=(1.0, 0.0))]
    assert found(lines, "kite")["m0"].score == pytest.approx(1 / 61)
    assert found(lines, "kite")["m0"].cosine is None
    assert found(lines, "kite")["m0"].likeness == 1.0
    assert found(lines, "ship", Surroundings({"ship": (1.0, 0.0)}))["m0"].score == pytest.approx(1 / 61)


def test_the_raw_cosine_stays_beside_the_rank_score() -> None:
    """Also that of what only the text list brought."""
    lines = [Line("kite", vector=(0.6, 0.8))]
    assert found(lines, "kite", Surroundings({"kite": (1.0, 0.0)}))["m0"].cosine == pytest.approx(0.6)


@pytest.mark.req("D18")
def test_a_lane_weighs_the_lists() -> None:
    """.6 and .4 of two: 1.2/61 by meaning, .8/61 by text."""
    lines = [Line("kite"), Line("boat", vector=(1.0, 0.0))]
    lane = Lane(vector=0.6, text=0.4, limit=10)
    scores = found(lines, "kite", Surroundings({"kite": (1.0, 0.0)}), lane)
    assert scores["m0"].score == pytest.approx(0.8 / 61)
    assert scores["m1"].score == pytest.approx(1.2 / 61)


@pytest.mark.req("D18")
@pytest.mark.parametrize(("cue", "effect"), [("kite", "the server fell"), ("deniz", "sunucu çöktü")])
def test_the_graph_is_a_third_list(cue: str, effect: str) -> None:
    """What a cause leads to comes first in the graph's list: .8/61, with its seed's likeness times the confidence."""
    edge = Relation("m0", "m1", RelationKind.CAUSES, 0.6, START)
    lane = Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)
    scores = found([Line(cue), Line(effect)], cue, Surroundings(relations=[edge]), lane)
    assert scores["m1"].score == pytest.approx(0.8 / 61)
    assert scores["m1"].likeness == pytest.approx(0.6)
    assert scores["m0"].score == pytest.approx(0.6 / 61)


@pytest.mark.req("D18")
def test_what_is_led_to_counts_by_the_way_where_its_words_say_less() -> None:
    """A cause that shares nothing with the question: .6 of its effect's cosine stands for its own."""
    edge = Relation("m1", "m0", RelationKind.CAUSES, 0.6, START)
    lane = Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)
    lines = [Line("kite", vector=(0.8, 0.6)), Line("boat", vector=(0.0, 1.0))]
    around = Surroundings({"kite": (1.0, 0.0)}, relations=[edge])
    scores = found(lines, "kite", around, lane)
    assert (scores["m1"].cosine, scores["m1"].alike) == (pytest.approx(0.0), pytest.approx(0.48))
    assert scores["m0"].alike == pytest.approx(0.8)
    loose = Surroundings({"kite": (1.0, 0.0)}, relations=[replace(edge, kind=RelationKind.ELABORATES)])
    assert found(lines, "kite", loose, lane)["m1"].alike == pytest.approx(0.0)


@pytest.mark.req("D18", "D16")
@pytest.mark.parametrize("cue", ["Tell me about PostgreSQL", "PostgreSQL hakkında ne biliyorsun?"])
def test_the_hub_brings_what_names_the_entity(cue: str) -> None:
    """Though no word is shared; what names something else stays away."""
    lines = [
        Line("it stores our bills", entities=("entity://tech/postgresql",), kind=Kind.FACT),
        Line("it renders our pages", entities=("entity://tech/react",), kind=Kind.FACT),
    ]
    lane = Lane(vector=0.5, text=0.5, limit=15, hub=True)
    assert list(found(lines, cue, None, lane)) == ["m0"]
    vectors = [replace(line, vector=vector) for line, vector in zip(lines, ((0.2, 0.98), (0.0, 1.0)), strict=True)]
    scores = found(vectors, cue, Surroundings({cue: (1.0, 0.0)}), lane)
    assert [scores[name].alike for name in ("m0", "m1")] == [pytest.approx(0.5), pytest.approx(0.0)]


@pytest.mark.req("D18")
def test_a_lane_keeps_to_its_kinds_where_there_are_any() -> None:
    """A preference hides the talk about it; without one the talk is found."""
    lane = Lane(vector=0.5, text=0.5, limit=10, kinds=(Kind.PREFERENCE,))
    talk = Line("tea")
    assert list(found([talk, Line("tea please", kind=Kind.PREFERENCE)], "tea", None, lane)) == ["m1"]
    assert list(found([talk], "tea", None, lane)) == ["m0"]


@pytest.mark.req("A1")
def test_of_several_queries_each_memory_keeps_its_best_similarity() -> None:
    """Two wordings, similarity .6 and .8 to one line: .8 stands."""
    lines = [Line("kite", vector=(0.6, 0.8)), Line("boat", vector=(0.0, 1.0))]
    around = Surroundings({"one": (1.0, 0.0), "two": (0.0, 1.0)})
    seeking = replace(quest(request("one"), world(FakeCorpus(lines), around)), queries=("one", "two"))
    scores = by_id(Nearest(LAW, each=8)(seeking))
    assert scores["m0"].score == pytest.approx(0.8)
    assert scores["m0"].cosine == pytest.approx(0.8)
    assert scores["m1"].score == pytest.approx(1.0)


@pytest.mark.req("A1", "A16.2")
def test_each_query_brings_so_many_and_the_union_is_larger() -> None:
    """Two queries of one each bring two."""
    lines = [Line("kite", vector=(1.0, 0.0)), Line("boat", vector=(0.0, 1.0))]
    around = Surroundings({"one": (1.0, 0.1), "two": (0.1, 1.0)})
    one = quest(request("one"), world(FakeCorpus(lines), around))
    assert len(by_id(Nearest(LAW, each=1)(one))) == 1
    assert len(by_id(Nearest(LAW, each=1)(replace(one, queries=("one", "two"))))) == 2


def test_without_a_model_the_nearest_are_by_text() -> None:
    """Scaled by the best, with no cosine made up."""
    candidate = by_id(Nearest(LAW)(quest(request("kite"), world(FakeCorpus([Line("kite"), Line("boat")])))))["m0"]
    assert (candidate.score, candidate.cosine, candidate.signals[0].name) == (1.0, None, "text")


def edge(source: int, target: int, kind: RelationKind = RelationKind.CAUSES, sure: float = 0.5) -> Relation:
    """An edge between two lines."""
    return Relation(f"m{source}", f"m{target}", kind, sure, START)


def reached(lines: list[Line], edges: list[Relation], hops: int) -> list[tuple[str, int, float]]:
    """What the first line leads to, with hops and likeness."""
    around = world(FakeCorpus(lines), Surroundings(relations=edges))
    return [(one.memory.id, one.hops, one.likeness) for one in walk({"m0": 0.8}, hops, request("x"), around)]


CHAIN = [Line("rain"), Line("flood"), Line("closed road"), Line("late train")]


@pytest.mark.req("D16", "D18")
def test_breadth_first_to_so_many_hops() -> None:
    """Two hops reach two further; the likeness fades with each edge. The third is too far."""
    edges = [edge(0, 1), edge(1, 2), edge(2, 3)]
    assert reached(CHAIN, edges, 2) == [("m1", 1, 0.4), ("m2", 2, 0.2)]


def test_effects_lead_back_to_causes() -> None:
    """An edge is walked both ways."""
    assert reached(CHAIN, [edge(1, 0)], 1) == [("m1", 1, 0.4)]


def test_a_seed_is_reached_from_another_one_alone() -> None:
    """Two that are linked support each other; none supports itself by way of others."""
    around = world(FakeCorpus(CHAIN), Surroundings(relations=[edge(0, 1)]))
    assert [one.memory.id for one in walk({"m0": 0.8, "m1": 0.4}, 2, request("x"), around)] == ["m1", "m0"]


@pytest.mark.req("D18")
def test_only_causes_and_elaborations_are_walked() -> None:
    """What merely shares an entity, or contradicts, leads nowhere."""
    edges = [edge(0, 1, RelationKind.ELABORATES), edge(0, 2, RelationKind.SAME_ENTITY)]
    assert reached(CHAIN, edges, 2)[0][0] == "m1"
    assert "m2" not in {one[0] for one in reached(CHAIN, edges, 2)}


@pytest.mark.req("D16", "D18")
def test_a_lane_says_which_edges_are_walked() -> None:
    """Where it names one kind, that kind alone."""
    around = world(FakeCorpus(CHAIN), Surroundings(relations=[edge(0, 1), edge(0, 2, RelationKind.SAME_ENTITY)]))
    steps = (RelationKind.SAME_ENTITY,)
    assert [one.memory.id for one in walk({"m0": 0.8}, 2, request("x"), around, steps)] == ["m2"]


def test_what_sleeps_is_not_reached_and_bars_the_way() -> None:
    """A dormant link ends the walk."""
    lines = [Line("rain"), Line("flood", standing=Standing(state=State.DORMANT)), Line("closed road")]
    assert reached(lines, [edge(0, 1), edge(1, 2)], 2) == []


@pytest.mark.req("D18")
def test_what_a_dream_made_is_no_step() -> None:
    """A theme gathers what is alike: it leads from no cause to another's effect."""
    lines = [Line("rain"), Line("weather", standing=Standing(write_source="dream")), Line("drought")]
    assert reached(lines, [edge(0, 1), edge(1, 2)], 2) == []


@pytest.mark.req("D18")
def test_whether_causes_alone_led_there_is_told() -> None:
    """What elaborates something on the way makes it a looser way."""
    edges = [edge(0, 1), edge(1, 2, RelationKind.ELABORATES)]
    around = world(FakeCorpus(CHAIN), Surroundings(relations=edges))
    found = walk({"m0": 0.8}, 2, request("x"), around)
    assert [(one.memory.id, one.caused) for one in found] == [("m1", True), ("m2", False)]


CORPUS = FakeCorpus([Line("red kite", vector=(0.6, 0.8)), Line("a blue boat sails", vector=(1.0, 0.0)), Line("boat")])


@pytest.mark.req("D6")
def test_text_is_bm25_by_hand() -> None:
    """One term in one of three lines of 2, 4 and 1 terms: idf · 1/(1 + 1.2·(.25 + .75·2/(7/3)))."""
    expected = math.log(1 + 2.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 2 / (7 / 3)))
    assert text_scores(CORPUS, ["kite"], None, LAW).tolist() == pytest.approx([expected, 0, 0])


def test_the_text_list_is_scaled_by_its_best() -> None:
    """The shorter of two lines with the term comes first, at 1."""
    told = by_text(CORPUS, "boat", 5, None, LAW)
    assert list(told) == [2, 1]
    assert told[2] == 1.0
    assert 0 < told[1] < 1


def test_the_text_list_keeps_to_what_may_come() -> None:
    """A masked line is not told."""
    assert list(by_text(CORPUS, "boat", 5, np.array([True, True, False]), LAW)) == [1]


@pytest.mark.req("D6")
def test_the_vector_list_is_by_raw_cosine() -> None:
    """Best first, at most so many; what has no vector and no model bring nothing."""
    query = np.array([0.0, 1.0], np.float32)
    assert by_vector(CORPUS, query, 1, None) == [0]
    assert by_vector(CORPUS, query, 5, None) == [0, 1]
    assert by_vector(CORPUS, None, 5, None) == []


WORLD = world(FakeCorpus([]))


@pytest.mark.req("D10")
@pytest.mark.parametrize(
    "cue", [*english("Why did the build break?", "kite"), *turkish("Build neden bozuldu?", "uçurtma")]
)
def test_two_or_three_hypothetical_answers_join_the_cue(cue: str) -> None:
    """The cue itself comes first."""
    queries = Hyde()(quest(request(cue), WORLD)).queries
    assert queries[0] == cue
    assert 2 <= len(queries) - 1 <= 3


@pytest.mark.req("A1", "A16.1", "A16.4")
@pytest.mark.parametrize(
    ("cue", "keywords"),
    [*english(("Why did the build break?", "why build break")), *turkish(("Build neden bozuldu?", "build bozuldu"))],
)
def test_three_variants_with_a_domain(cue: str, keywords: str) -> None:
    """The cue, its keywords, and these behind the domain."""
    queries = Keywords(Expanding())(quest(request(cue, domain="code"), WORLD)).queries
    assert queries == (cue, keywords, f"code: {keywords}")


@pytest.mark.req("A2")
@pytest.mark.parametrize("cue", [*english("Why did the build break?"), *turkish("Build neden bozuldu?")])
def test_two_variants_without(cue: str) -> None:
    """No domain, no third."""
    assert len(Keywords(Expanding())(quest(request(cue), WORLD)).queries) == 2
