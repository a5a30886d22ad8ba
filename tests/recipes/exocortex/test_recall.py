"""Document A's read path, by its published numbers: worked through the recipe's own stages."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from reverie.recall.pipeline import recall
from reverie.recipes.published.candidates import Nearest, text_scores
from reverie.recipes.published.exocortex import Enhancement, Expanding, Keywords, read_path
from reverie.recipes.published.scores import Recency, RelatedBoost
from reverie.recipes.recipe import recipe
from reverie.types import Relation, RelationKind, Standing
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, holding, quest, request, world
from tests.recall.stages import stage_of, terms_read

PATH = recipe("exocortex").recall
WEEK = 7.0
"""Days of one half-life."""


def blended(line: Line, cosine: float) -> float:
    """The score of one line of this cosine."""
    found = holding(request("x"), FakeCorpus([line]), [0.0])
    found = replace(found, candidates=[replace(c, cosine=cosine) for c in found.candidates])
    return by_id(stage_of(PATH, Recency)(found))["m0"].score


def names(path: object) -> list[str]:
    """The names of a path's stages."""
    return [stage.name for stage in path.stages]  # type: ignore[attr-defined]  # a read path


@pytest.mark.req("A1", "A3", "A5", "A13")
def test_the_stages_stand_in_the_documents_order() -> None:
    """Expansion, retrieval, decay, related boost."""
    assert names(PATH) == ["expand", "nearest", "temporal decay", "related boost"]


@pytest.mark.req("A1", "A16.3")
@pytest.mark.parametrize("word", ["boat", "deniz"])
def test_at_most_twelve_keywords_longer_than_two_letters(word: str) -> None:
    """The thirteenth is left out, so is what is too short."""
    words = ["sea", *(f"{word}{n}" for n in range(12))]
    queries = stage_of(PATH, Keywords)(quest(request(" ".join(["xy", *words])), world(FakeCorpus([])))).queries
    assert queries[1] == " ".join(words[:12])


@pytest.mark.req("A1", "A2", "A16.1")
@pytest.mark.parametrize("cue", ["Why did the build break?", "Build neden bozuldu?"])
def test_three_variants_with_a_domain_two_without(cue: str) -> None:
    """The domain is a hint."""
    expand, around = stage_of(PATH, Keywords), world(FakeCorpus([]))
    assert len(expand(quest(request(cue, domain="code"), around)).queries) == 3
    assert len(expand(quest(request(cue), around)).queries) == 2


@pytest.mark.req("A1", "A16.5")
def test_each_variant_brings_eight() -> None:
    """Two that point elsewhere bring sixteen."""
    lines = [Line("a", vector=(1.0, n / 100)) for n in range(10)] + [
        Line("b", vector=(n / 100, 1.0)) for n in range(10)
    ]
    around = world(FakeCorpus(lines), Surroundings({"one": (1.0, 0.0), "two": (0.0, 1.0)}))
    nearest = stage_of(PATH, Nearest)
    assert len(by_id(nearest(quest(request("one"), around)))) == 8
    assert len(by_id(nearest(replace(quest(request("one"), around), queries=("one", "two"))))) == 16


@pytest.mark.req("A3", "A16.6", "A16.10")
def test_similarity_and_recency_are_blended_on_the_hosts_scale() -> None:
    """A cosine of .6 is .8 there: .85·.8 + .15·½ after a week, ·¼ after two, and never less than ·.1."""
    assert blended(Line("a", day=-WEEK), 0.6) == pytest.approx(0.85 * 0.8 + 0.15 * 0.5)
    assert blended(Line("a", day=-2 * WEEK), 0.6) == pytest.approx(0.85 * 0.8 + 0.15 * 0.25)
    assert blended(Line("a", day=-999), 0.6) == pytest.approx(0.85 * 0.8 + 0.15 * 0.1)
    assert blended(Line("a", day=-999, used=0), 0.6) == pytest.approx(0.85 * 0.8 + 0.15, abs=1e-6)


@pytest.mark.req("A4", "A16.7", "A16.8", "A16.9")
@pytest.mark.parametrize(
    "standing", [Standing(tags=("load_bearing",)), Standing(data_source="user_message"), Standing(verified=True)]
)
def test_what_bears_load_was_asserted_or_confirmed_keeps_its_whole_score(standing: Standing) -> None:
    """Whatever its age."""
    assert blended(Line("a", day=-999, standing=standing), 0.6) == pytest.approx(0.85 * 0.8 + 0.15)


@pytest.mark.req("A5", "A16.20")
def test_a_related_memory_gains_eight_hundredths() -> None:
    """The sixth of six, linked to the first."""
    around = Surroundings(relations=[Relation("m0", "m5", RelationKind.RELATED_TO, 1.0, START)])
    found = holding(request("x"), FakeCorpus([Line("a")] * 6), [0.9, 0.8, 0.8, 0.8, 0.8, 0.7], around)
    assert by_id(stage_of(PATH, RelatedBoost)(replace(found, limit=5)))["m5"].score == pytest.approx(0.78)


@pytest.mark.req("A6")
def test_five_are_injected_unless_the_host_says_otherwise() -> None:
    """A model's profile that wants seven gets seven."""
    around = world(FakeCorpus([Line(f"kite {n}") for n in range(8)]))
    assert len(recall(request("kite"), around, PATH)[0].hits) == 5
    assert len(recall(request("kite", top_k=7), around, PATH)[0].hits) == 7
    assert len(recall(request("kite"), around, read_path(Enhancement(max_injected=3)))[0].hits) == 3


@pytest.mark.req("A6")
def test_a_profile_may_set_a_threshold_and_switch_domains_off() -> None:
    """A threshold of .8 on the host's scale is a cosine of .6."""
    lines = [Line("near", vector=(0.61, 0.79)), Line("far", vector=(0.59, 0.81))]
    around = world(FakeCorpus(lines), Surroundings({"kite": (1.0, 0.0)}))
    profile = read_path(Enhancement(similarity_threshold=0.8, disabled_domains=frozenset({"codegen"})))
    assert [hit.memory.text for hit in recall(request("kite"), around, profile)[0].hits] == ["near"]
    assert recall(request("kite", domain="codegen"), around, profile)[0].hits == ()
    assert recall(request("kite", domain="codegen"), around, PATH)[0].hits


@pytest.mark.req("A13", "A14a")
def test_each_component_can_be_switched_off() -> None:
    """What is missing is skipped, the rest goes on."""
    assert names(read_path(Enhancement(expanding=None))) == ["nearest", "temporal decay", "related boost"]
    assert names(read_path(Enhancement(decay=None, related=None))) == ["expand", "nearest"]
    unscoped = read_path(Enhancement(expanding=Expanding(by_domain=False)))
    queries = stage_of(unscoped, Keywords)(quest(request("red kite", domain="code"), world(FakeCorpus([])))).queries
    assert queries == ("red kite", "red kite")


@pytest.mark.req("A1")
def test_without_a_model_text_stands_in() -> None:
    """BM25 with the field's constants; at most 20 000 postings are read."""
    law, corpus = stage_of(PATH, Nearest).bm25, FakeCorpus([Line("red kite"), Line("a blue boat sails")])
    expected = math.log(1 + 1.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    assert text_scores(corpus, ["kite"], None, law)[0] == pytest.approx(expected)
    assert (terms_read(law.postings, 8_000, 12_000), terms_read(law.postings, 8_000, 12_001)) == (2, 1)
