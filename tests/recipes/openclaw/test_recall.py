"""Document C's read path, by its published numbers: worked through the recipe's own stages."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.recall.deduplication import Deduplication
from reverie.recall.pipeline import ReadPath, recall
from reverie.recall.strengthen import on_the_tip, strengthen
from reverie.recipes.published.candidates import Nearest, text_scores
from reverie.recipes.published.openclaw import read_path
from reverie.recipes.published.openclaw_keys import Keys
from reverie.recipes.published.scores import Composite
from reverie.recipes.published.selection import ScoreGate
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, holding, quest, request, world
from tests.recall.stages import stage_of, terms_read

PATH = recipe("openclaw").recall


def composite(line: Line, cosine: float, path: ReadPath = PATH) -> float:
    """The combined score of one line of this cosine."""
    found = holding(request("x"), FakeCorpus([line]), [0.0])
    found = replace(found, candidates=[replace(c, cosine=cosine) for c in found.candidates])
    return by_id(stage_of(path, Composite)(found))["m0"].score


@pytest.mark.req("C1")
def test_the_combined_score_by_hand() -> None:
    """Cosine .8 is a squared distance of .4: 1/1.4. Recalled 9 times since its creation three days ago."""
    line = Line("a", day=-3, accesses=9, used=0, standing=Standing(importance=0.7))
    activation = 1 / (1 + math.exp(-(math.log(9) - 0.5 * math.log(3 * 86_400))))
    assert composite(line, 0.8) == pytest.approx(0.5 / 1.4 + 0.35 * activation + 0.15 * 0.7)


@pytest.mark.req("C1")
def test_an_age_is_at_least_a_second_and_a_count_at_least_one() -> None:
    """Just stored: ln 1 − ½ ln 1 = 0, an activation of ½."""
    assert composite(Line("a", standing=Standing(importance=0.0)), 1.0) == pytest.approx(0.5 + 0.35 * 0.5)


@pytest.mark.req("C3")
@pytest.mark.parametrize(("best", "gated"), [(0.36, False), (0.34, True)])
def test_the_gate_is_at_thirty_five_hundredths(best: float, gated: bool) -> None:
    """The answer says that it was gated, and the best score."""
    answer = stage_of(PATH, ScoreGate)(holding(request("x", automatic=True), FakeCorpus([Line("a")]), [best]))
    assert answer.ended.startswith("gated") is gated
    assert answer.confidence == best


@pytest.mark.req("C1")
def test_the_tool_takes_nothing_below_a_half() -> None:
    """.51 stays, .49 goes."""
    found = holding(request("x"), FakeCorpus([Line("a"), Line("b")]), [0.51, 0.49])
    assert [c.memory.id for c in stage_of(PATH, ScoreGate)(found).candidates if not c.withheld] == ["m0"]


@pytest.mark.req("C1", "C4")
@pytest.mark.parametrize("word", ["kite", "deniz"])
def test_five_for_the_tool_three_on_its_own(word: str) -> None:
    """And what the caller asks for, if they say."""
    lines = [Line(f"{word} {n}", vector=(1.0, 0.0)) for n in range(9)]
    around = world(FakeCorpus(lines), Surroundings({word: (1.0, 0.0)}))
    assert len(recall(request(word), around, PATH)[0].hits) == 5
    assert len(recall(request(word, automatic=True), around, PATH)[0].hits) == 3
    assert len(recall(request(word, top_k=7), around, PATH)[0].hits) == 7


@pytest.mark.req("C5")
def test_each_recall_makes_a_memory_a_fifth_harder_to_forget() -> None:
    """Nothing else: no company, no neighbours, no storage strength, no tip of the tongue."""
    law = PATH.strengthen
    assert law is not None
    uri = "entity://person/ada"
    lines = [Line(str(n), kind=Kind.FACT, day=-90, entities=(uri,), standing=Standing(storage=10.0)) for n in range(3)]
    corpus = FakeCorpus(lines)
    changes = strengthen(corpus.fetch([0, 1]), world(corpus), START, law)
    assert [(c.memory, [(f.name, f.after) for f in c.fields]) for c in changes] == [
        ("m0", [("stability_days", pytest.approx(1.2))]),
        ("m1", [("stability_days", pytest.approx(1.2))]),
    ]
    assert on_the_tip(corpus.fetch([0]), START, law) == []
    fresh = FakeCorpus([Line("a", kind=Kind.FACT)])
    assert [f.name for f in strengthen(fresh.fetch([0]), world(fresh), START, law)[0].fields] == ["stability_days"]
    assert (law.spreading, law.neighbours, law.tip_storage, law.tip_retrieval) == (0.0, 0, 11.0, 0.0)


@pytest.mark.req("C5")
def test_what_sleeps_is_not_recalled() -> None:
    """What fades still is."""
    vector = (1.0, 0.0)
    lines = [
        Line("asleep", vector=vector, standing=Standing(state=State.DORMANT)),
        Line("fading", vector=vector, standing=Standing(state=State.FADING)),
    ]
    around = world(FakeCorpus(lines), Surroundings({"kite": vector}))
    assert [hit.memory.text for hit in recall(request("kite"), around, PATH)[0].hits] == ["fading"]


@pytest.mark.req("C2")
@pytest.mark.parametrize(("said", "cue"), [("The kite is red.", "The kite is red"), ("Deniz mavi.", "Deniz mavi")])
def test_a_memory_counts_one_when_stored_and_one_more_for_each_recall(said: str, cue: str) -> None:
    """With the time of the last."""
    scope, clock = Scope("agent", "ada", "home"), FixedClock(START)
    options = {"embedder": HashEmbedder(), "clock": clock, "ids": RandomIds(seed=1), "background": False}
    with Reverie.open(":memory:", recipe="openclaw", **options) as engine:  # type: ignore[typeddict-item]  # the tests' own
        (formed,) = engine.observe(said, scope).formed
        assert engine.memory(formed, scope).accesses == 1
        assert formed in {hit.memory.id for hit in engine.recall(cue, scope).hits}
        memory = engine.memory(formed, scope)
        assert (memory.accesses, memory.last_access) == (2, START)
        assert memory.standing.stability_days == pytest.approx(1.2)


@pytest.mark.req("C10")
def test_every_key_is_optional_and_can_be_set() -> None:
    """What is left out has the documented default."""
    assert read_path(Keys()) == PATH
    mine = read_path(Keys(similarity_weight=1.0, activation_weight=0.0, importance_weight=0.0, decay_on_startup=False))
    assert composite(Line("a"), 0.8, mine) == pytest.approx(1 / 1.4)
    assert (PATH.decay_at_open, mine.decay_at_open) == (True, False)
    assert stage_of(read_path(Keys(confidence_threshold=0.1)), ScoreGate).threshold == 0.1
    awake = read_path(Keys(decay=False))
    assert not awake.decay_at_open
    assert (read_path(Keys(limit=2)).limit, read_path(Keys(automatic_limit=1)).automatic_limit) == (2, 1)


@pytest.mark.req("C1")
def test_a_memory_and_the_message_it_was_formed_of_are_handed_over_once() -> None:
    """Twice as many are looked at as are wanted, so that as many remain; six tenths of its length say a message."""
    lines = [Line(f"kite {n}", vector=(1.0, 0.0)) for n in range(6)]
    lines += [Line(f"kite {n}", kind=Kind.FACT, vector=(1.0, 0.0), sources=(f"m{n}",)) for n in range(6)]
    around = world(FakeCorpus(lines), Surroundings({"kite": (1.0, 0.0)}))
    found = recall(request("kite"), around, PATH)[0]
    assert len({hit.memory.text for hit in found.hits}) == len(found.hits) == 5
    assert len(list(stage_of(PATH, Nearest)(quest(request("kite"), around, limit=5)).candidates)) == 10
    for length, remain in ((60, 1), (59, 2)):
        pair = [Line("kite ".ljust(100, "b")), Line("kite ".ljust(length, "a"), kind=Kind.FACT, sources=("m0",))]
        collapsed = stage_of(PATH, Deduplication)(holding(request("kite"), FakeCorpus(pair), [0.8, 0.9]))
        assert sum(not one.withheld for one in collapsed.candidates) == remain


@pytest.mark.req("C4")
def test_a_question_asked_before_is_no_answer() -> None:
    """It would be the nearest, and open the gate."""
    lines = [Line("Which kite flies best?", vector=(1.0, 0.0)), Line("The red kite flies best.", vector=(0.9, 0.1))]
    around = world(FakeCorpus(lines), Surroundings({"which kite flies here?": (1.0, 0.0)}))
    for automatic in (True, False):
        found = recall(request("which kite flies here?", automatic=automatic), around, PATH)[0]
        assert [hit.memory.text for hit in found.hits] == ["The red kite flies best."]


@pytest.mark.req("C1")
def test_without_a_model_text_stands_in() -> None:
    """BM25 with the field's constants; at most 20 000 postings are read."""
    law, corpus = stage_of(PATH, Nearest).bm25, FakeCorpus([Line("red kite"), Line("a blue boat sails")])
    expected = math.log(1 + 1.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    assert text_scores(corpus, ["kite"], None, law)[0] == pytest.approx(expected)
    assert (terms_read(law.postings, 8_000, 12_000), terms_read(law.postings, 8_000, 12_001)) == (2, 1)
