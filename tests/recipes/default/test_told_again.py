"""How much must agree before the default says that something is newer, or opposed; and which orders come along.

The terms of a cue weigh alike here: each stands in as many lines as every other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reverie.language.standing import MARKS
from reverie.recall.newer import MARK as OUTDATED
from reverie.recall.newer import Newer
from reverie.recall.opposed import MARK as CONTRADICTS
from reverie.recall.opposed import Opposed
from reverie.recall.standing import MARK as STANDS
from reverie.recall.standing import StandingOrders
from reverie.recipes.named import recipe
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.recall.stages import stage_of

PATH = recipe("reverie").recall
PLACES = ("oslo", "kyoto", "lima", "quito", "accra", "hanoi", "osaka", "delhi", "cairo", "turin", "malmo")


def places(count: int) -> str:
    """So many words, of equal weight."""
    return " ".join(PLACES[:count])


def idle(number: int) -> Line:
    """A line that has nothing to do with anything."""
    return Line(f"idle{number}", speaker="assistant")


def evened(lines: Sequence[Line], terms: Sequence[str]) -> list[Line]:
    """The lines, and behind them lines of somebody else until each term stands in as many as every other."""
    often = {term: sum(term in line.text.lower().split() for line in lines) for term in terms}
    most = max(often.values())
    lacking = [" ".join(term for term in terms if often[term] < most - step) for step in range(most)]
    return [*lines, *(Line(text, speaker="Ada") for text in lacking if text)]


def said_older(lines: Sequence[Line], asked: str, *, of: int, others: Sequence[str] = ()) -> bool:
    """Whether the first of these lines is marked as possibly outdated by another; ``of`` places are asked for."""
    corpus = FakeCorpus(evened(lines, [*PLACES[:of], *others]))
    scores = [0.9 - 0.01 * place for place in range(corpus.size)]
    found = stage_of(PATH, Newer)(holding(request(asked), corpus, scores)).candidates
    return any(signal.name == OUTDATED for one in found if one.ordinal == 0 for signal in one.signals)


@pytest.mark.parametrize(("around", "outdated"), [(6, True), (5, False)])
def test_half_of_the_question_stands_around_the_older_amount(around: int, outdated: bool) -> None:
    """Six of eleven words are enough, five are not."""
    lines = [Line(f"$500 {places(around)}", day=0), Line(f"$600 {places(11)}", day=5)]
    assert said_older(lines, f"How much, {places(11)}?", of=11) is outdated


@pytest.mark.parametrize(("around", "outdated"), [(7, True), (6, False)])
def test_seven_tenths_of_them_stand_around_the_newer(around: int, outdated: bool) -> None:
    """Seven of nine words of the older are enough, six are not; where it says that it changed, six are, too."""
    old = Line(f"$500 {places(9)}", day=0)
    asked = f"How much, {places(9)}?"
    assert said_older([old, Line(f"$600 {places(around)}", day=5)], asked, of=9) is outdated
    assert said_older([old, Line(f"now $600 {places(around)}", day=5)], asked, of=9)


@pytest.mark.parametrize(("around", "outdated"), [(3, True), (2, False)])
def test_three_tenths_of_the_question_stand_around_any_newer_amount(around: int, outdated: bool) -> None:
    """Three of seven words are enough where it says that it changed, two are not."""
    lines = [Line(f"$500 {places(7)}", day=0), Line(f"now $600 {places(around)}", day=5)]
    assert said_older(lines, f"How much, {places(7)}?", of=7) is outdated


@pytest.mark.parametrize(("around", "outdated"), [(6, True), (5, False)])
def test_who_does_not_say_what_is_counted_repeats_half_of_the_question(around: int, outdated: bool) -> None:
    """Six of eleven words around a number that changed are enough, five are not."""
    lines = [Line(f"500 {places(9)}", day=0), Line(f"now 600 {places(around)}", day=5), Line("follow", speaker="Ada")]
    assert said_older(lines, f"How many followers, {places(10)}?", of=10, others=["follow"]) is outdated


def test_twenty_are_compared() -> None:
    """The twentieth is known to be newer, the twenty-first is not looked at."""
    old, new = Line(f"$500 {places(3)}", day=0), Line(f"$600 {places(3)}", day=5)
    asked = f"How much, {places(3)}?"
    assert said_older([old, *map(idle, range(18)), new], asked, of=3)
    assert not said_older([old, *map(idle, range(19)), new], asked, of=3)


def opposed(lines: Sequence[Line], of: int) -> list[int]:
    """Which of these lines are marked as one side of a contradiction, by their place after the stage."""
    corpus = FakeCorpus(evened(lines, PLACES[:of]))
    scores = [0.9 - 0.01 * place for place in range(corpus.size)]
    found = stage_of(PATH, Opposed)(holding(request(f"Did I {places(of)}?"), corpus, scores)).candidates
    return [place for place, one in enumerate(found) if any(signal.name == CONTRADICTS for signal in one.signals)]


@pytest.mark.parametrize(("denied", "contradicts"), [(3, [0, 1]), (2, [])])
def test_a_fifth_of_the_question_is_denied(denied: int, contradicts: list[int]) -> None:
    """Three of eleven words are enough, two are not."""
    lines = [Line(f"I never {places(denied)}"), Line(f"I {places(11)}"), *map(idle, range(9))]
    assert opposed(lines, 11) == contradicts


@pytest.mark.parametrize(("affirmed", "contradicts"), [(3, [0, 9]), (2, [])])
def test_three_tenths_of_what_is_denied_is_affirmed(affirmed: int, contradicts: list[int]) -> None:
    """Three of seven words are enough, two are not; it comes onto the page of ten, in its last place."""
    lines = [Line(f"I never {places(7)}"), *map(idle, range(10)), Line(f"I {places(affirmed)}")]
    assert opposed(lines, 7) == contradicts


def test_a_denial_among_the_first_ten_has_its_other_side_sought_among_thirty() -> None:
    """Not a denial in the eleventh place, and not what stands in the thirty-first."""
    denial, other = Line(f"I never {places(3)}"), Line(f"I {places(3)}")
    assert opposed([*map(idle, range(9)), denial, other], 3)
    assert not opposed([*map(idle, range(10)), denial, other], 3)
    assert opposed([denial, *map(idle, range(28)), other], 3) == [0, 9]
    assert opposed([denial, *map(idle, range(29)), other], 3) == []


@pytest.mark.parametrize(("denied", "contradicts"), [(10, [0, 1]), (11, [])])
def test_two_tenths_are_enough_of_what_is_nearest_in_meaning(denied: int, contradicts: list[int]) -> None:
    """Two of ten words of what is denied, not of eleven, where the one that affirms them is among the ten nearest."""
    lines = [Line(f"I never {places(denied)}"), Line(f"I {places(2)}"), *map(idle, range(12))]
    assert opposed(lines, denied) == contradicts


def test_two_are_brought_onto_the_page() -> None:
    """A third that says the opposite stays where it was."""
    others = [Line(f"I {places(3)} {number}") for number in range(3)]
    assert opposed([Line(f"I never {places(3)}"), *map(idle, range(11)), *others], 3) == [0, 8, 9]


def test_two_orders_about_every_answer_come_beside_those_that_fit() -> None:
    """Where a host asks on its own; a third kind stays away."""
    general = ("Always answer in German.", "Never use emojis.", "Always use metric units.")
    assert len(standing("Fix it.", Kind.INSTRUCTION, *general, "cedar", "daisy", automatic=True)) == 4
    assert len(standing("Fix it.", Kind.INSTRUCTION, *general, "cedar", "daisy")) == 2


def standing(asked: str, kind: Kind, *orders: str, **more: object) -> list[int]:
    """Where among twenty hits those come that stand; thirty others were found before them."""
    lines = [*map(idle, range(30)), *(Line(text, entities=(MARKS[kind],)) for text in orders)]
    quest = holding(request(asked, **more), FakeCorpus(lines), [0.9 - 0.01 * place for place in range(len(lines))])
    found = list(stage_of(PATH, StandingOrders)(replace(quest, limit=20)).candidates)
    return [place for place, one in enumerate(found) if any(signal.name == STANDS for signal in one.signals)]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    ("asked", "kind"), [("When does it end?", Kind.INSTRUCTION), ("How should I travel?", Kind.PREFERENCE)]
)
def test_two_orders_and_two_preferences_in_the_last_places_of_ten(asked: str, kind: Kind, count: int) -> None:
    """One in the tenth, two from the ninth on, and never a third."""
    assert standing(asked, kind, *(f"always number{n}" for n in range(count))) == list(range(10 - min(count, 2), 10))


@pytest.mark.parametrize(("words", "comes"), [(192, True), (193, False)])
def test_orders_take_a_quarter_of_the_budget(words: int, comes: bool) -> None:
    """Of a thousand tokens two hundred and fifty: 192 words at 1.3 tokens each."""
    assert bool(standing("When does it end?", Kind.INSTRUCTION, "so " * words, budget_tokens=1000)) is comes
