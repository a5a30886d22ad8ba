"""Rerank: what a reranker likes comes forward; nothing is lost, and without an answer nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.answers import Recollection
from reverie.recall.explain import explain
from reverie.recall.pipeline import recall
from reverie.recall.rerank import SIGNAL, Rerank
from reverie.recall.settings import RerankSettings
from reverie.recall.state import Candidate, RecallState, RerankScores
from reverie.recipes.recipe import recipe
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request, world

RERANK = Rerank()
LINES = [Line(f"kite number {n}", session=f"s{n}") for n in range(8)]
SCORES = [8.0, 5.0, 4.0, 3.5, 3.0, 2.0, 1.0, 0.5]


def reader(by: Callable[[str], float]) -> Callable[[str, Sequence[str]], RerankScores]:
    """A reranker that scores each text on its own."""
    return lambda cue, texts: RerankScores(np.array([by(text) for text in texts], np.float32))


def likes(word: str) -> Callable[[str, Sequence[str]], RerankScores]:
    """A reranker that likes the texts that hold a word."""
    return reader(lambda text: float(word in text))


def quest(
    read: Callable[[str, Sequence[str]], RerankScores] | None,
    limits: RerankSettings | None = None,
    lines: Sequence[Line] = LINES,
    scores: Sequence[float] = SCORES,
) -> RecallState:
    """What a search found, with a reranker in the world."""
    found = holding(request("kite"), FakeCorpus(lines), scores)
    around = replace(found.world, read=read, rerank=limits or RerankSettings())
    return replace(found, world=around)


def order(found: RecallState) -> list[str]:
    """The memories, best first."""
    return [one.memory.id for one in found.candidates]


def signal(one: Candidate) -> float:
    """What the reranker added."""
    return sum(signal.share for signal in one.signals if signal.name == SIGNAL)


def test_what_it_likes_best_comes_forward_by_as_much_as_the_signal_says() -> None:
    """The first gets ln n, in the log-odds the scores are in; what is read last has the signal, too."""
    candidates = list(RERANK(quest(likes("4"))).candidates)
    assert [one.memory.id for one in candidates[:3]] == ["m0", "m1", "m4"]
    liked = next(one for one in candidates if one.memory.id == "m4")
    assert liked.score == pytest.approx(3.0 + log(8))
    (read,) = [one for one in liked.signals if one.name == SIGNAL]
    assert (read.value, read.weight, read.share) == pytest.approx((1.0, log(8), log(8)))
    others = log(8) - lgamma(9) / 7  # ln 8!, less ln 1, over seven places
    assert all(signal(one) == pytest.approx(others) for one in candidates if one.memory.id != "m4")


def test_the_weight_says_how_much_it_counts() -> None:
    """Nothing: the order is the search's; much: the reranker's alone."""
    falling = reader(lambda text: -float(text[-1]))
    backwards = reader(lambda text: float(text[-1]))
    assert order(RERANK(quest(backwards, RerankSettings(weight=0.0)))) == order(quest(None))
    assert order(RERANK(quest(falling))) == order(quest(None))
    assert order(RERANK(quest(backwards, RerankSettings(weight=1000.0)))) == order(quest(None))[::-1]


def test_only_the_first_are_read_and_what_is_behind_stays_behind() -> None:
    """The texts go out in their order, each once, and nothing else does."""
    asked: list[tuple[str, list[str]]] = []

    def read(cue: str, texts: Sequence[str]) -> RerankScores:
        asked.append((cue, list(texts)))
        return likes("7")(cue, texts)

    found = RERANK(quest(read, RerankSettings(first=3)))
    assert order(found) == [f"m{n}" for n in range(8)]
    assert asked == [("kite", [line.text for line in LINES[:3]])]
    assert found.notes[-1] == "3 read, 0 moved"


def test_a_message_and_what_says_as_much_are_read_once() -> None:
    """The second of the two takes no place among the first, and stays behind them."""
    lines = [
        Line("the red kite"),
        Line("the red kite", kind=Kind.FACT, sources=("m0",)),
        Line("old kite", session="s2"),
        Line("kite rent", session="s3"),
    ]
    asked: list[str] = []

    def read(cue: str, texts: Sequence[str]) -> RerankScores:
        asked.extend(texts)
        return likes("rent")(cue, texts)

    assert order(RERANK(quest(read, lines=lines, scores=[3.0, 2.9, 2.0, 1.9]))) == ["m0", "m3", "m2", "m1"]
    assert asked == ["the red kite", "old kite", "kite rent"]


@pytest.mark.parametrize("found", [0, 1])
def test_one_alone_is_not_read(found: int) -> None:
    """There is nothing to order, so nothing goes out."""

    def read(cue: str, texts: Sequence[str]) -> RerankScores:
        raise AssertionError("nobody asked for that")

    done = RERANK(quest(read, lines=LINES[:found], scores=SCORES[:found]))
    assert order(done) == [f"m{n}" for n in range(found)]
    assert done.notes[-1] == "nothing to compare"


def test_without_an_answer_everything_stays_and_the_trace_says_why() -> None:
    """The candidates are the very same."""
    before = list(quest(None).candidates)
    found = RERANK(quest(lambda cue, texts: RerankScores(None, "It was late.")))
    assert list(found.candidates) == before
    assert found.notes[-1] == "skipped: It was late."
    assert RERANK(quest(None)).notes[-1] == "no reranker"


RATED = st.lists(st.integers(-5, 5).map(float), min_size=8, max_size=8)


@given(RATED, st.lists(st.integers(0, 9).map(float), min_size=8, max_size=8), st.integers(0, 7))
def test_laws(rated: list[float], own: list[float], place: int) -> None:
    """Nothing is lost; the shares add up; a higher rating never sends a text down; equal ratings move nothing."""

    def ranked(ratings: Sequence[float]) -> list[Candidate]:
        read = reader(lambda text: ratings[int(text[-1])])
        return list(RERANK(quest(read, scores=own)).candidates)

    found = ranked(rated)
    assert sorted(one.memory.id for one in found) == [f"m{n}" for n in range(8)]
    assert all(one.score == pytest.approx(sum(s.share for s in one.signals)) for one in found)
    assert all(0.0 <= s.value <= 1.0 for one in found for s in one.signals if s.name == SIGNAL)
    raised = [rating + (1.5 if n == place else 0.0) for n, rating in enumerate(rated)]

    def stands(candidates: Sequence[Candidate]) -> int:
        return [one.memory.id for one in candidates].index(f"m{place}")

    assert stands(ranked(raised)) <= stands(found)
    assert [one.memory.id for one in ranked([rated[0]] * 8)] == order(quest(None, scores=own))
    assert ranked(rated) == found


def answered(read: Callable[[str, Sequence[str]], RerankScores] | None, name: str = "reverie") -> Recollection:
    """A whole recall."""
    around = replace(world(FakeCorpus(LINES)), read=read)
    return recall(request("kite number", top_k=8), around, recipe(name).recall)[0]


def test_without_a_reranker_the_stage_is_not_even_in_the_trace() -> None:
    """With one it comes after company and before what orders contradictions."""
    without = [step.stage for step in answered(None).trace]
    stages = [step.stage for step in answered(likes("5")).trace]
    assert SIGNAL not in without
    assert stages == [*without[: (at := stages.index(SIGNAL))], SIGNAL, *without[at:]]
    assert stages[at - 1] == "company"


def test_a_recipe_without_a_place_for_it_says_so() -> None:
    """Nothing is read, and nothing is silent."""
    steps = {step.stage: step.note for step in answered(likes("5"), "openclaw").trace}
    assert steps[SIGNAL].startswith("skipped")
    assert [hit.memory.id for hit in answered(likes("5"), "openclaw").hits] == [
        hit.memory.id for hit in answered(None, "openclaw").hits
    ]


def test_explain_tells_what_the_reranker_did() -> None:
    """The signal with value and weight, and where a hit would stand without it."""
    around = replace(world(FakeCorpus(LINES)), read=likes("5"), rerank=RerankSettings(weight=20.0))
    explanation = explain(recall(request("kite number 0"), around, recipe("reverie").recall)[0])
    assert explanation.recollection.hits[0].memory.id == "m5"
    assert any(f"{SIGNAL} " in line for line in explanation.lines())
    assert any(shift.signal == SIGNAL and shift.rank == 1 and shift.instead > 1 for shift in explanation.shifts)


def test_a_failing_reranker_leaves_the_answer_as_it_was() -> None:
    """Hit by hit, with scores and signals."""
    assert answered(lambda cue, texts: RerankScores(None, "down")).hits == answered(None).hits
