"""Evidence: each number says what it is said to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.confidence import MEAN_ABSENT, MEAN_COVERED, TELLING_SIZE, Evidence, evidence, neighbourhood
from reverie.types import TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, holding, request
from tests.spoken import english, turkish

LINES = [
    Line("we talked of clay", "Mira", vector=(1.0, 0.0)),
    Line("lovely bowl", "Jonas", vector=(0.6, 0.8)),
    Line("the kiln broke", "Mira", vector=(0.0, 1.0)),
    Line("rain all day", "Jonas", session="s2", vector=(0.0, -1.0)),
    Line("Jonas bought a violin", "Jonas", session="s2", vector=(0.0, -1.0)),
]


def seen(cue: str, lines: Sequence[Line] = LINES, vector: tuple[float, float] | None = None) -> Evidence:
    """The evidence of a recall that found every line, in order."""
    around = Surroundings({cue: vector}) if vector else None
    asked = request(cue)
    found = holding(asked, FakeCorpus(lines), [1.0 - 0.1 * n for n in range(len(lines))], around)
    cosine = 0.5 if vector else None
    return evidence(found, [replace(one, cosine=cosine) for one in found.candidates])


def test_neighbours_stay_in_their_session() -> None:
    """Itself in the middle, −1 beyond the session's edges."""
    near = neighbourhood(FakeCorpus(LINES), np.array([0, 2, 3]), 2)
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
    many = [*LINES, *(Line(f"filler{n}", "Mira", session="s3") for n in range(TELLING_SIZE))]
    assert 0.5 < seen("clay zebra", many).absent < 1.0
    assert seen("clay", many).absent == 0.0
    assert seen("zebra", many).absent == pytest.approx(1.0)


def test_where_little_was_said_an_unheard_word_says_little() -> None:
    """Among five messages nearly every word is absent, so that is near to what it is on the mean."""
    few, some = seen("zebra").absent, seen("zebra", LINES * (TELLING_SIZE // 10)).absent
    assert MEAN_ABSENT < few < some < 1.0
    assert seen("clay").absent < MEAN_ABSENT


def test_a_time_in_which_nothing_of_it_was_said() -> None:
    """What the cue asks for was said, but not then."""
    found = holding(request("violin"), FakeCorpus(LINES), [1.0] * len(LINES))
    then = TimeWindow(START.replace(year=2020), START.replace(year=2021), "2020")
    dated = replace(found, cue=replace(found.cue, window=then))
    assert evidence(dated, list(found.candidates)).when == pytest.approx(-1.0)
    assert seen("violin").when == 0.0


def test_what_may_not_come_is_no_evidence() -> None:
    """A fact that no longer holds does not speak for its speaker."""
    gone = [*LINES[:4], replace(LINES[4], holds=False)]
    assert seen("Did Jonas buy the violin?", gone).person == pytest.approx(0.0)
