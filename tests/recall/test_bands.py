"""Bands, gates and thresholds: how much is injected, and whether anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.gates import AnswerGate
from reverie.recall.state import RecallState
from reverie.recipes.published.scores import Scale
from reverie.recipes.published.selection import SUMMARY_CHARS, Bands, DomainGate, ScoreGate, Threshold, abbreviated
from tests.recall.fake_corpus import FakeCorpus, Line, by_id, holding, quest, request, world


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
