from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.gates import AnswerGate
from reverie.recall.state import Intent, Lane, RecallState
from reverie.recipes.published.scores import Scale
from reverie.recipes.published.selection import (
    SUMMARY_CHARS,
    WHY,
    Bands,
    DomainGate,
    Mmr,
    Newest,
    QuestionFilter,
    Route,
    ScoreGate,
    Threshold,
    UtilityBoost,
    abbreviated,
    only_asks,
)
from reverie.recipes.published.v9.recall import route
from reverie.types import Kind, Standing
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, by_id, holding, quest, request, world
from tests.spoken import NEITHER, english, neither, turkish


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        *english(
            ("Which editor do I like?", True),
            ("Which one? And why?", True),
            ("I like Helix. Which one do you like?", False),
            ("I like Helix.", False),
        ),
        *turkish(
            ("Hangi çayı severim?", True),
            ("Hangisi? Peki neden?", True),
            ("Helix'i severim. Sen hangisini seversin?", False),
            ("Helix'i severim.", False),
        ),
        *neither(("", False), ("?" + "a" * 3_000, False)),
    ],
)
def test_nothing_but_questions(text: str, asks: bool) -> None:
    """One statement is enough to be worth telling."""
    assert only_asks(text) is asks


@pytest.mark.req("C4")
@pytest.mark.parametrize(
    ("asked", "answer"), [*english(("Which editor?", "Helix it is.")), *turkish(("Hangi editör?", "Helix olsun."))]
)
def test_questions_that_were_kept_are_withheld_and_what_was_formed_is_not(asked: str, answer: str) -> None:
    """By hand too: an explanation shows them with the reason."""
    lines = [Line(asked), Line(answer), Line(asked, kind=Kind.FACT)]
    found = QuestionFilter()(holding(request(asked), FakeCorpus(lines), [0.9, 0.5, 0.4]))
    assert [candidate.withheld for candidate in found.candidates] == [WHY, "", ""]
    assert found.notes[-1] == "1 only ask"


def similar(cosines: Sequence[float | None], text: str = "word " * 60) -> RecallState:
    """A quest that found lines of these cosines."""
    found = holding(request("x"), FakeCorpus([Line(text) for _ in cosines]), [0.5] * len(cosines))
    rows = zip(found.candidates, cosines, strict=True)
    return replace(found, candidates=[replace(candidate, cosine=cosine) for candidate, cosine in rows])


@pytest.mark.req("D26")
def test_three_bands_of_confidence() -> None:
    """From .7 on whole, from .4 on abbreviated, below withheld with the reason; the edges belong to the upper band."""
    edge = float(np.float32(0.7))  # a hair below .7 in double precision
    after = list(Bands(full=0.7, summary=0.4)(similar([edge, 0.69, 0.4, 0.39])).candidates)
    assert [bool(candidate.shown) for candidate in after] == [False, True, True, False]
    assert [bool(candidate.withheld) for candidate in after] == [False, False, False, True]
    assert after[3].withheld == "low confidence: 0.39 below 0.4"


@pytest.mark.req("D26")
def test_without_vectors_nothing_is_held_back() -> None:
    """What was not compared is not doubted."""
    (candidate,) = Bands(full=0.7, summary=0.4)(similar([None])).candidates
    assert (candidate.shown, candidate.withheld) == ("", "")


@pytest.mark.req("D26")
def test_the_confidence_is_read_as_the_model_reads_questions() -> None:
    """A model whose .5 means .75 injects it whole; how it reads two texts does not matter."""
    found = similar([0.5])
    found = replace(found, world=replace(found.world, confidence=lambda cosine: cosine * 1.5, scale=lambda _: 0.0))
    (candidate,) = Bands(full=0.7, summary=0.4)(found).candidates
    assert (candidate.shown, candidate.withheld) == ("", "")


@pytest.mark.req("D26", "D18")
def test_what_the_graph_leads_to_is_as_sure_as_the_way_there() -> None:
    """A cosine of .1 alone is withheld; led to with .45 it is told in short."""
    found = similar([0.1])
    led = replace(found, candidates=[replace(candidate, led=0.45) for candidate in found.candidates])
    (held,), (told,) = (Bands(full=0.7, summary=0.4)(one).candidates for one in (found, led))
    assert (bool(held.withheld), bool(told.withheld), bool(told.shown)) == (True, False, True)


def test_an_abbreviation_ends_at_a_word() -> None:
    """A short text is its own summary."""
    assert abbreviated("short") == "short"
    cut = abbreviated("word " * 60)
    assert cut.endswith("word …")
    assert len(cut) <= SUMMARY_CHARS + 2


def gated(scores: list[float], *, automatic: bool = False) -> RecallState:
    """A quest before a gate of .35 with a least score of .5."""
    corpus = FakeCorpus([Line(str(n)) for n in range(len(scores))])
    return ScoreGate(least=0.5, threshold=0.35)(holding(request("x", automatic=automatic), corpus, scores))


def passed(answer: RecallState) -> list[str]:
    """The ids of what is not withheld."""
    return [candidate.memory.id for candidate in answer.candidates if not candidate.withheld]


@pytest.mark.req("C3")
def test_nothing_is_better_than_something_vague() -> None:
    """Below the threshold the answer is that there is none, with the best score."""
    answer = gated([0.34, 0.2])
    assert (passed(answer), answer.confidence, answer.gated) == ([], 0.34, True)
    assert answer.ended == "gated: the best score 0.340 lies below 0.35"
    assert [c.withheld for c in answer.candidates] == ["scores 0.340, below 0.35", "scores 0.200, below 0.35"]
    assert (gated([]).confidence, gated([]).gated) == (0.0, True)


@pytest.mark.req("C3")
def test_what_is_withheld_already_opens_no_gate() -> None:
    """An earlier question, however alike, does not make what else there is any surer."""
    before = holding(request("x", automatic=True), FakeCorpus([Line("0"), Line("1")]), [0.9, 0.2])
    echo, other = before.candidates
    again = ScoreGate(least=0.5, threshold=0.35)(replace(before, candidates=[replace(echo, withheld="an echo"), other]))
    assert (passed(again), again.confidence, again.gated) == ([], 0.2, True)
    assert [c.withheld for c in again.candidates] == ["an echo", "scores 0.200, below 0.35"]


@pytest.mark.req("C1", "C3")
def test_the_tool_wants_more_than_the_threshold() -> None:
    """Between the two nothing is left, and the answer says so."""
    assert passed(gated([0.6, 0.49])) == ["m0"]
    assert not gated([0.6, 0.49]).gated
    assert gated([0.49]).ended == "gated: the best score 0.490 lies below 0.5"


@pytest.mark.req("C4")
def test_a_host_that_asks_on_its_own_takes_what_reaches_the_threshold() -> None:
    """The gate's number is then the least."""
    assert passed(gated([0.6, 0.36, 0.34], automatic=True)) == ["m0", "m1"]


@pytest.mark.req("A6")
def test_a_profiles_threshold_is_on_the_hosts_scale() -> None:
    """.8 there is a cosine of .6; what was not compared stays."""
    kept = Threshold(0.8, Scale.AGENT_ZERO)(similar([0.6, 0.59, None]))
    assert list(by_id(kept)) == ["m0", "m2"]


@pytest.mark.req("A6")
def test_in_a_disabled_domain_nothing_is_looked_for() -> None:
    """Elsewhere, and where no domain is known, it is."""
    gate, around = DomainGate(frozenset({"codegen"})), world(FakeCorpus([]))
    assert gate(quest(request("x", domain="codegen"), around)).ended
    assert not gate(quest(request("x", domain="mail"), around)).ended
    assert not gate(quest(request("x"), around)).ended


def likely(confidence: float | None, *, automatic: bool = True) -> RecallState:
    """A quest that found three long lines and thinks an answer is there with this probability."""
    asked = request("x", automatic=automatic)
    found = holding(asked, FakeCorpus([Line("word " * 60), Line("word " * 60), Line("word " * 60)]), [0.5, 0.4, 0.3])
    return replace(found, confidence=confidence, limit=2)


def test_a_host_that_asks_on_its_own_gets_all_or_nothing() -> None:
    """From ``least`` on everything comes whole; below as many as are wanted are withheld, and say why."""
    gate = AnswerGate(full=0.6, least=0.2)
    passed = gate(likely(0.2))
    assert [(c.shown, c.withheld) for c in passed.candidates] == [("", "")] * 3
    assert not passed.gated
    closed = gate(likely(0.19))
    assert [c.withheld for c in closed.candidates] == ["hardly anything here matters: probability 0.19, below 0.2"] * 2
    assert closed.gated
    assert not closed.ended, "what stands whatever the cue may still come"


@pytest.mark.parametrize("found", [likely(0.0, automatic=False), likely(None)])
def test_who_asks_by_hand_sees_what_there_is(found: RecallState) -> None:
    """Nothing is withheld, however unlikely; nor where nothing was estimated."""
    after = AnswerGate(full=0.6, least=0.2)(found)
    assert [(c.shown, c.withheld) for c in after.candidates] == [("", "")] * 3
    assert not after.gated


@pytest.mark.req("D9")
@pytest.mark.parametrize(
    "texts",
    [
        ("red kite over the sea", "red kite over a sea", "blue boat"),
        ("kırmızı uçurtma deniz", "kırmızı uçurtma denizde", "mavi tekne"),
    ],
)
def test_the_second_choice_is_unlike_the_first(texts: tuple[str, str, str]) -> None:
    """Of three, two say nearly the same: the less similar third comes before the repetition."""
    found = holding(request("x"), FakeCorpus([Line(text) for text in texts]), [0.9, 0.85, 0.6])
    assert list(by_id(Mmr(0.7)(found))) == ["m0", "m2", "m1"]
    assert list(by_id(Mmr(1.0)(found))) == ["m0", "m1", "m2"]


def test_what_is_withheld_stays_behind_and_counts_for_nothing() -> None:
    """A withheld twin does not push anybody back."""
    found = holding(request("x"), FakeCorpus([Line("red kite"), Line("red kite"), Line("boat")]), [0.9, 0.8, 0.1])
    marked = [replace(c, withheld="low") if c.memory.id == "m0" else c for c in found.candidates]
    assert list(by_id(Mmr(0.7)(replace(found, candidates=marked)))) == ["m1", "m2", "m0"]


def test_nothing_found_is_nothing_chosen() -> None:
    """An empty pool."""
    assert list(Mmr(0.7)(holding(request("x"), FakeCorpus([]), [])).candidates) == []


PLAIN = Lane(vector=0.5, text=0.5, limit=10)
LATEST = Lane(vector=0.4, text=0.6, limit=15, latest=True)
USEFUL = Lane(vector=0.6, text=0.4, limit=10, utility=0.2)
ROUTE = Route(
    (*((intent, PLAIN) for intent in Intent if intent is not Intent.TEMPORAL), (Intent.TEMPORAL, LATEST)), route
)


def routed(text: str, top_k: int | None = None, intent: str | None = None) -> RecallState:
    """A quest that was routed."""
    return ROUTE(quest(request(text, top_k=top_k), world(FakeCorpus([]), Surroundings(intent=intent))))


@pytest.mark.req("D18")
@pytest.mark.parametrize(
    ("cue", "intent"),
    [
        *english(
            ("Why did the build break?", Intent.CAUSAL),
            ("When did Ada move?", Intent.TEMPORAL),
            ("Where is the key?", Intent.FACTUAL),
        ),
        *turkish(
            ("Build neden bozuldu?", Intent.CAUSAL),
            ("Ada ne zaman taşındı?", Intent.TEMPORAL),
            ("Anahtar nerede?", Intent.FACTUAL),
        ),
    ],
)
def test_the_words_of_a_cue_tell_its_intent(cue: str, intent: Intent) -> None:
    """In both languages."""
    assert routed(cue).intent == intent


@pytest.mark.req("D18")
@pytest.mark.parametrize("cue", [*english("Where is the key?"), *turkish("Anahtar nerede?")])
def test_a_model_is_asked_first(cue: str) -> None:
    """Where it answers, its word stands."""
    assert routed(cue, intent="temporal").intent == Intent.TEMPORAL


@pytest.mark.req("D18")
@pytest.mark.parametrize("cue", [*english("When did Ada move?"), *turkish("Ada ne zaman taşındı?")])
def test_the_lane_says_how_many_unless_the_caller_does(cue: str) -> None:
    """Fifteen for a question of time, three where three are asked for."""
    assert routed(cue).limit == 15
    assert routed(cue, top_k=3).limit == 3


@pytest.mark.req("D18")
@pytest.mark.parametrize(
    ("cue", "past"),
    [
        *english(("When did Ada move?", True), ("Where is the key?", False)),
        *turkish(("Ada ne zaman taşındı?", True), ("Anahtar nerede?", False)),
    ],
)
def test_a_question_of_time_looks_at_what_was_superseded(cue: str, past: bool) -> None:
    """Other questions do not."""
    assert routed(cue).request.past is past


@NEITHER
@pytest.mark.req("D18")
def test_utility_counts_as_the_lane_says() -> None:
    """A fifth of .9 is .18; without a lane nothing."""
    seeking = holding(request("x"), FakeCorpus([Line("a", standing=Standing(utility=0.9))]), [0.5])
    assert by_id(UtilityBoost()(replace(seeking, lane=USEFUL)))["m0"].score == pytest.approx(0.68)
    assert by_id(UtilityBoost()(seeking))["m0"].score == 0.5


@NEITHER
@pytest.mark.req("D18")
def test_what_was_chosen_stands_by_time() -> None:
    """Of the two best the newer comes first; the third is newest and stays third, for it is less to the point."""
    corpus = FakeCorpus([Line("a", day=-3), Line("b", day=-2), Line("c", day=-1)])
    seeking = replace(holding(request("x"), corpus, [0.9, 0.8, 0.1]), lane=LATEST, limit=2)
    assert list(by_id(Newest()(seeking))) == ["m1", "m0", "m2"]
    assert list(by_id(Newest()(replace(seeking, lane=PLAIN)))) == ["m0", "m1", "m2"]
