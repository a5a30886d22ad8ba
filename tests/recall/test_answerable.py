"""The probability that an answer is there: from the shipped weights, with its grounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from reverie import FixedClock, RandomIds, Reverie
from reverie.recall import confidence
from reverie.recall.confidence import IDLE, LOOKED_AT, NAMES, TEXT_ALONE, AnswerConfidence, read_weights, shipped, told
from reverie.recall.signals import NAMES as SIGNALS
from reverie.recall.state import Candidate, RecallState
from tests.recall.fake_corpus import SCOPE, START, FakeCorpus, Line, holding, quest, request, world

LINES = [
    Line("we walked along the river"),
    Line("my sister plays the violin in an orchestra"),
    Line("the dentist moved to june"),
    Line("pasta again tonight"),
]


def judged(cue: str) -> RecallState:
    """A quest over the lines, judged by text alone; the line with most of the cue's words comes first."""
    shared = [float(len(set(line.text.split()) & set(cue.lower().strip("?").split()))) for line in LINES]
    return AnswerConfidence()(holding(request(cue), FakeCorpus(LINES), shared))


@pytest.mark.parametrize(
    ("said", "held", "lacking"),
    [
        ("My niece plays the violin in Vienna.", "Where does my niece play the violin?", "Who built the submarine?"),
        ("Yeğenim Viyana'da keman çalıyor.", "Yeğenim nerede keman çalıyor?", "Denizaltının motorunu kim yaptı?"),
    ],
)
def test_what_was_said_is_likelier_than_what_was_not(said: str, held: str, lacking: str) -> None:
    """In both languages, through the whole engine."""
    with Reverie.open(":memory:", embedder=None, clock=FixedClock(START), ids=RandomIds(1)) as engine:
        for text in (said, "Rain all day.", "Bütün gün yağmur yağdı.", "Pasta again tonight."):
            engine.remember(text, SCOPE)
        likely = engine.explain(held, SCOPE).recollection.confidence
        unlikely = engine.explain(lacking, SCOPE).recollection.confidence
    assert likely is not None
    assert unlikely is not None
    assert likely > 2 * unlikely


def test_the_grounds_add_up_to_the_confidence() -> None:
    """Intercept and shares are its log-odds, and the note tells them."""
    found = judged("violin orchestra?")
    assert found.confidence is not None
    odds = shipped()[TEXT_ALONE].intercept + sum(ground.share for ground in found.grounds)
    assert math.log(found.confidence / (1.0 - found.confidence)) == pytest.approx(odds)
    names = [ground.name for ground in found.grounds]
    assert names[: len(NAMES)] == list(NAMES)
    assert len(set(names)) == len(names)
    assert f"probability {found.confidence:.2f}" in found.notes[-1]
    assert told(found.grounds) in found.notes[-1]


def test_an_empty_store_answers_nothing() -> None:
    """Nothing found: 0, without grounds."""
    found = AnswerConfidence()(quest(request("violin?"), world(FakeCorpus([]))))
    assert (found.confidence, found.grounds) == (0.0, ())


def test_the_order_stays_and_no_more_is_read_than_is_looked_at() -> None:
    """Candidates are read from the store as they are asked for; the stage asks for the first ten."""
    many = FakeCorpus([Line(f"line {n}") for n in range(30)])
    before = holding(request("line"), many, [1.0 - n / 100.0 for n in range(30)])
    read = 0

    def counted() -> Iterator[Candidate]:
        nonlocal read
        for candidate in before.candidates:
            read += 1
            yield candidate

    after = AnswerConfidence()(replace(before, candidates=counted()))
    assert read == LOOKED_AT
    assert [c.ordinal for c in islice(after.candidates, 30)] == list(range(30))


def test_the_form_of_the_weights_file() -> None:
    """Comments, a section, a line a number; names may have spaces, and nothing need be named."""
    (weights,) = read_weights("# where from\n[one]\nintercept: -1.5\nbest score: 0.5 0.25 2.0  # why\n").values()
    assert weights.intercept == -1.5
    assert {name: (term.mean, term.deviation, term.weight) for name, term in weights.terms.items()} == {
        "best score": (0.5, 0.25, 2.0)
    }


def test_what_was_not_fitted_adds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told among the grounds all the same; what the search made of the cue and of its first is among them."""
    fitted = read_weights(f"[{TEXT_ALONE}]\nintercept: -1.0\nbest score: 0.0 1.0 0.5\n")
    monkeypatch.setattr(confidence, "shipped", lambda: fitted)
    found = judged("violin orchestra?")
    shares = {ground.name: ground.share for ground in found.grounds}
    assert shares.pop("best score") == pytest.approx(0.5 * 2.0)
    first = {f"first {name}" for name in SIGNALS}
    assert {"lead", "fall", "spread", "memories", IDLE, *NAMES, *first} == set(shares)
    assert set(shares.values()) == {0.0}
    assert found.confidence == pytest.approx(0.5)


def test_how_scores_fall_is_told() -> None:
    """The first leads by what it is above the second, and falls to the last of the first ten."""
    values = {ground.name: ground.value for ground in judged("violin orchestra?").grounds}
    assert (values["best score"], values["lead"], values["fall"]) == (2.0, 2.0, 2.0)
    assert 0.0 < values["spread"] < math.log(len(LINES))
