from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from reverie import FixedClock, RandomIds, Reverie
from reverie.recall import confidence
from reverie.recall.confidence import (
    IDLE,
    LOOKED_AT,
    MEAN_ABSENT,
    MEAN_COVERED,
    NAMES,
    TELLING_SIZE,
    TEXT_ALONE,
    AnswerConfidence,
    Evidence,
    evidence,
    neighbourhood,
    read_weights,
    shipped,
    told,
)
from reverie.recall.signals import NAMES as SIGNALS
from reverie.recall.state import Candidate, RecallState
from reverie.types import TimeWindow
from tests.recall.fake_corpus import SCOPE, START, FakeCorpus, Line, Surroundings, holding, quest, request, world
from tests.spoken import english, turkish

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


LINES_EVIDENCE = [
    Line("we talked of clay", "Mira", vector=(1.0, 0.0)),
    Line("lovely bowl", "Jonas", vector=(0.6, 0.8)),
    Line("the kiln broke", "Mira", vector=(0.0, 1.0)),
    Line("rain all day", "Jonas", session="s2", vector=(0.0, -1.0)),
    Line("Jonas bought a violin", "Jonas", session="s2", vector=(0.0, -1.0)),
]


def seen(cue: str, lines: Sequence[Line] = LINES_EVIDENCE, vector: tuple[float, float] | None = None) -> Evidence:
    """The evidence of a recall that found every line, in order."""
    around = Surroundings({cue: vector}) if vector else None
    asked = request(cue)
    found = holding(asked, FakeCorpus(lines), [1.0 - 0.1 * n for n in range(len(lines))], around)
    cosine = 0.5 if vector else None
    return evidence(found, [replace(one, cosine=cosine) for one in found.candidates])


def test_neighbours_stay_in_their_session() -> None:
    """Itself in the middle, −1 beyond the session's edges."""
    near = neighbourhood(FakeCorpus(LINES_EVIDENCE), np.array([0, 2, 3]), 2)
    assert near.tolist() == [[-1, -1, 0, 1, 2], [0, 1, 2, -1, -1], [-1, -1, 3, 4, -1]]


def test_what_stands_next_to_a_hit_counts() -> None:
    """Clay and bowl are in two messages side by side, clay and rain are not."""
    assert seen("clay bowl").best == pytest.approx(1.0)
    assert seen("clay rain").best < 0.9


def test_the_wrong_person_is_no_evidence() -> None:
    """Jonas bought the violin: the cue that says Mira did is covered by nothing that she said."""
    right, wrong = seen("Did Jonas buy the violin?"), seen("Did Mira buy the violin?")
    assert right.best > wrong.best
    assert right.person > 0.0 > wrong.person
    assert seen("Was the violin bought?").person == 0.0


def test_meaning_adds_to_the_best_and_to_its_surroundings() -> None:
    """The cosine of the first hit is 1; with its neighbours .6 and 0, the next counting half: (1 + .3) / 1.5."""
    found = seen("zebra", vector=(1.0, 0.0))
    assert found.best == pytest.approx(1.0)
    assert found.context == pytest.approx(1.3 / 1.5)
    without = seen("zebra")
    assert (without.best, without.context) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("asked", "other", "lines"),
    [
        *english(
            ("Where does my sister live?", "Ablam nerede yaşıyor?", ["My sister lives in Ankara.", "It was cold."])
        ),
        *turkish(
            ("Ablam nerede yaşıyor?", "Where does my sister live?", ["Ablam Ankara'da yaşıyor.", "Hava soğuktu."])
        ),
    ],
)
def test_words_of_another_language_say_nothing(asked: str, other: str, lines: list[str]) -> None:
    """They can neither cover nor be absent: the means of the fit stand in their place, and meaning decides."""
    told = [Line(line, vector=(1.0 - place, float(place))) for place, line in enumerate(lines)]
    foreign = seen(other, told, (1.0, 0.0))
    assert (foreign.best, foreign.absent) == (pytest.approx(1.0 + MEAN_COVERED), MEAN_ABSENT)
    assert seen(asked, told, (1.0, 0.0)).absent != MEAN_ABSENT
    assert seen(other, told).best == 0.0


def test_words_that_occur_nowhere() -> None:
    """Of two words of which one is unheard of, more than half is absent: it is the rarer one."""
    many = [*LINES_EVIDENCE, *(Line(f"filler{n}", "Mira", session="s3") for n in range(TELLING_SIZE))]
    assert 0.5 < seen("clay zebra", many).absent < 1.0
    assert seen("clay", many).absent == 0.0
    assert seen("zebra", many).absent == pytest.approx(1.0)


def test_where_little_was_said_an_unheard_word_says_little() -> None:
    """Among five messages nearly every word is absent, so that is near to what it is on the mean."""
    few, some = seen("zebra").absent, seen("zebra", LINES_EVIDENCE * (TELLING_SIZE // 10)).absent
    assert MEAN_ABSENT < few < some < 1.0
    assert seen("clay").absent < MEAN_ABSENT


def test_a_time_in_which_nothing_of_it_was_said() -> None:
    """What the cue asks for was said, but not then."""
    found = holding(request("violin"), FakeCorpus(LINES_EVIDENCE), [1.0] * len(LINES_EVIDENCE))
    then = TimeWindow(START.replace(year=2020), START.replace(year=2021), "2020")
    dated = replace(found, cue=replace(found.cue, window=then))
    assert evidence(dated, list(found.candidates)).when == pytest.approx(-1.0)
    assert seen("violin").when == 0.0


def test_what_may_not_come_is_no_evidence() -> None:
    """A fact that no longer holds does not speak for its speaker."""
    gone = [*LINES_EVIDENCE[:4], replace(LINES_EVIDENCE[4], holds=False)]
    assert seen("Did Jonas buy the violin?", gone).person == pytest.approx(0.0)
