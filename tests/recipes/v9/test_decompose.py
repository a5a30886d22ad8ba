"""Decomposition: part by part, and fused by rank."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.formulas.tiers import UtilityWeights
from reverie.recipes.published.candidates import Bm25, Nearest
from reverie.recipes.published.v9.recall import Decompose
from reverie.types import Standing
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, by_id, quest, request, world
from tests.spoken import NEITHER, english, turkish

TIES = UtilityWeights(semantic=0.6, utility=0.2, importance=0.2)
STAGE = Decompose((Nearest(Bm25(k1=1.2, b=0.75, postings=100)),), k=60, ties=TIES)


@pytest.mark.req("D29")
@pytest.mark.parametrize(
    ("cue", "parts"),
    [
        *english(("Where is the key? When does the train leave?", ("Where is the key?", "When does the train leave?"))),
        *turkish(("Anahtar nerede? Tren ne zaman kalkıyor?", ("Anahtar nerede?", "Tren ne zaman kalkıyor?"))),
    ],
)
def test_each_part_is_looked_for_and_the_answers_are_fused(cue: str, parts: tuple[str, str]) -> None:
    """First for one part and second for the other: 1/61 + 1/62; each memory stands there once."""
    lines = [Line("hook", vector=(1.0, 0.0)), Line("noon", vector=(0.0, 1.0)), Line("hall", vector=(0.5, 0.4))]
    around = Surroundings({parts[0]: (0.9, 0.3), parts[1]: (0.1, 0.9)})
    answer = STAGE(quest(request(cue), world(FakeCorpus(lines), around)))
    found = by_id(answer)
    assert [len(found), len(list(answer.candidates))] == [3, 3]
    assert found["m0"].score == pytest.approx(1 / 61 + 1 / 63)
    assert found["m2"].score == pytest.approx(2 / 62)
    assert found["m0"].cosine == pytest.approx(0.9)
    assert answer.queries == (cue,)


@pytest.mark.req("D29")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *english(("kite", "kite"), ("Where are the kite and the string?", "kite")),
        *turkish(("uçurtma", "ucurt"), ("Uçurtma ile ipi nerede?", "ucurt")),
    ],
)
def test_a_single_question_is_looked_for_as_it_is(asked: str, said: str) -> None:
    """Its candidates keep their own signals."""
    answer = STAGE(quest(request(asked), world(FakeCorpus([Line(said)]))))
    assert by_id(answer)["m0"].signals[0].name == "text"
    assert answer.notes[0].startswith("nearest: ")


@NEITHER
def test_notes_of_before_stay() -> None:
    """The inner stages' notes are put behind their names, once."""
    answer = STAGE(replace(quest(request("kite"), world(FakeCorpus([Line("kite")]))), notes=()))
    assert len(answer.notes) == 1


@pytest.mark.req("D15", "D29")
@pytest.mark.parametrize(
    ("cue", "parts"),
    [
        *english(("Where is the key? When does the train leave?", ("Where is the key?", "When does the train leave?"))),
        *turkish(("Anahtar nerede? Tren ne zaman kalkıyor?", ("Anahtar nerede?", "Tren ne zaman kalkıyor?"))),
    ],
)
@pytest.mark.parametrize(
    ("second", "first"),
    [
        (Standing(), "m0"),  # .6·.9 + .2·.5 + .2·.5 both: the earlier
        (Standing(utility=0.9), "m1"),
        (Standing(importance=0.9), "m1"),
        (Standing(utility=0.9, importance=0.05), "m0"),
        (Standing(utility=0.4), "m0"),
    ],
)
def test_first_of_two_parts_is_the_more_useful_and_important(
    cue: str, parts: tuple[str, str], second: Standing, first: str
) -> None:
    """Two memories stand first for a part each: .6 meaning, .2 utility and .2 importance say which comes first."""
    lines = [Line("hook", vector=(1.0, 0.0)), Line("noon", vector=(0.0, 1.0), standing=second)]
    around = Surroundings({parts[0]: (0.9, 0.1), parts[1]: (0.1, 0.9)})
    answer = STAGE(quest(request(cue), world(FakeCorpus(lines), around)))
    assert next(iter(by_id(answer))) == first
