"""Of two messages that both answer, the later that says something new stands first, and the older says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from reverie.recall.newer import LIFTED, MARK
from reverie.recall.outdated import MARK as SUPERSEDED
from reverie.recall.overtaken import Overtaken
from reverie.recall.quest import Candidate
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.spoken import english, turkish

STAGE = Overtaken(looked=6, renewed=0.75, replaced=0.45, share=0.6)


@dataclass(frozen=True)
class Car:
    """What is told of a car in one language, and what is asked."""

    asked: str
    old: Line
    new: Line
    other: Line


CAR = Car(
    "What car do I drive?",
    Line("I drive an old Corolla.", day=0),
    Line("Traded the Corolla in, I've got a Tesla now.", day=5),
    Line("My new bike is blue.", day=6),
)
ARABA = Car(
    "Hangi arabayı kullanıyorum?",
    Line("Eski bir Corolla kullanıyorum.", day=0),
    Line("Corolla'yı sattım, artık Tesla kullanıyorum.", day=5),
    Line("Yeni bisikletim mavi.", day=6),
)
CARS = [*english(CAR), *turkish(ARABA)]


def after(lines: list[Line], asked: str, scores: list[float] | None = None, **more: object) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    known = scores or [0.9 - 0.2 * place for place in range(len(lines))]
    return list(STAGE(holding(request(asked, **more), FakeCorpus(lines), known)).candidates)


def order(found: list[Candidate]) -> list[int]:
    """The lines in the order of their candidates."""
    return [candidate.ordinal for candidate in found]


@pytest.mark.parametrize("car", CARS)
def test_the_later_comes_first_and_the_older_names_it(car: Car) -> None:
    """Raised to the older one's score; the older is marked as possibly outdated, and nothing is lost."""
    found = after([car.old, car.new, car.other], car.asked)
    assert order(found) == [1, 0, 2]
    assert found[0].score == pytest.approx(0.9)
    assert [s.name for s in found[0].signals if s.name == LIFTED] == [LIFTED]
    assert [s.about for s in found[1].signals if s.name == MARK] == [found[0].memory.id]
    assert {LIFTED, MARK}.isdisjoint(signal.name for signal in found[2].signals)


@pytest.mark.parametrize("car", CARS)
def test_what_is_first_already_stays_and_the_older_is_marked(car: Car) -> None:
    """The order was right; that the other is outdated is worth saying."""
    found = after([car.new, car.old], car.asked)
    assert order(found) == [0, 1]
    assert [s.about for s in found[1].signals if s.name == MARK] == [found[0].memory.id]


@pytest.mark.parametrize("car", CARS)
def test_another_speaker_an_earlier_time_and_a_far_worse_answer_overtake_nothing(car: Car) -> None:
    """Whoever else said it, whenever it was said before, and what hardly fits the question."""
    stranger = Line(car.new.text, day=5, speaker="bob")
    assert order(after([car.old, stranger], car.asked)) == [0, 1]
    assert order(after([Line(car.old.text, day=9), car.new], car.asked)) == [0, 1]
    assert order(after([car.old, car.new], car.asked, [0.9, 0.4])) == [0, 1]


@pytest.mark.parametrize("car", CARS)
def test_the_past_is_left_as_it_is(car: Car) -> None:
    """Who asks for what was superseded too, sees it in its order."""
    assert order(after([car.old, car.new], car.asked, past=True)) == [0, 1]


@pytest.mark.parametrize("car", CARS)
def test_what_is_superseded_for_certain_is_not_marked_twice(car: Car) -> None:
    """``outdated`` has named what took its place."""
    first = holding(request(car.asked), FakeCorpus([car.old, car.new]), [0.9, 0.7])
    known = [one.marked(SUPERSEDED, "m") if one.ordinal == 0 else one for one in first.candidates]
    found = list(STAGE(holding(request(car.asked), FakeCorpus([car.old, car.new]), [0.9, 0.7])).candidates)
    assert MARK in {signal.name for one in found for signal in one.signals}
    found = list(STAGE(replace(first, candidates=known)).candidates)
    assert MARK not in {signal.name for one in found for signal in one.signals}
