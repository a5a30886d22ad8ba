"""Pools: what a recipe begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recall.state import Candidate, Intent, Lane, RecallState
from reverie.recipes.published.candidates import Bm25, Hybrid, Nearest
from reverie.types import Kind, Relation, RelationKind
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, quest, request, world

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
