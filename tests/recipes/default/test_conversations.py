"""How much must agree before the default says that something is replaced or opposed; and which orders come along.

The terms of a cue weigh alike here: each stands in as many lines as every other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie import Message, Reverie, Scope
from reverie.conflicts import verdict
from reverie.language.orders import EVERY, MARKS
from reverie.recall.contradictions import MARK as CONTRADICTS
from reverie.recall.contradictions import Contradictions
from reverie.recall.standing_instructions import MARK as STANDS
from reverie.recall.standing_instructions import StandingInstructions
from reverie.recall.supersession import OUTDATED as OUTDATED
from reverie.recall.supersession import ImplicitUpdates
from reverie.recipes.recipe import recipe
from reverie.types import Kind
from tests.conflicts.verdicts import NEVER, deciding
from tests.recall.fake_corpus import START, FakeCorpus, Line, holding, request
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


def replaced(monkeypatch: pytest.MonkeyPatch, sure: float, *, between: int = 0) -> tuple[bool, bool]:
    """Whether a later line stands before an earlier one that it replaced so surely, and whether that is marked."""
    a_third = 1.0 / 3.0  # of their words are in both
    verdicts = deciding("overlap", (math.log(sure / (1.0 - sure)) - NEVER) / a_third)
    monkeypatch.setattr(verdict, "shipped", lambda: verdicts)
    lines = [Line("red kite", day=0), *map(idle, range(between)), Line("green kite", day=5)]
    quest = holding(request("kite"), FakeCorpus(lines), [0.9 - 0.01 * place for place in range(len(lines))])
    found = list(stage_of(PATH, ImplicitUpdates)(replace(quest, page=PATH.page)).candidates)
    first, last = (next(n for n, one in enumerate(found) if one.ordinal == at) for at in (0, len(lines) - 1))
    return last < first, any(signal.name == OUTDATED for signal in found[first].signals)


def test_how_surely_a_later_message_took_an_earlier_ones_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """From fifteen in a hundred on it stands before it; from an even chance on the earlier is marked."""
    assert replaced(monkeypatch, 0.51) == (True, True)
    assert replaced(monkeypatch, 0.49) == (True, False)
    assert replaced(monkeypatch, 0.16) == (True, False)
    assert replaced(monkeypatch, 0.14) == (False, False)


@pytest.mark.parametrize(
    ("cue", "theirs", "anothers"),
    [
        ("Where did Nazlı move?", "Nazlı moved to Izmir last spring.", "Kerem moved to Bursa in June."),
        ("How many sheep are in the north barn?", "The north barn holds 40 sheep.", "The south barn holds 65 sheep."),
        (
            "Depo servisi hangi portta çalışıyor?",
            "Depo servisi 8081 portunda çalışıyor.",
            "Kasa servisi 8090 portunda.",
        ),
    ],
)
@pytest.mark.parametrize("is_later", [True, False])
def test_what_was_said_of_somebody_else_changes_nothing(cue: str, theirs: str, anothers: str, is_later: bool) -> None:
    """Whoever is asked about comes first, and neither is outdated, whichever was said later; an update still is one."""
    scope, told = Scope("helper", "ada", "home"), [theirs, anothers] if is_later else [anothers, theirs]
    with Reverie.open(":memory:", embedder=None) as memory:
        for day, text in enumerate(["It rained.", *told, "We painted the fence."]):
            memory.remember(Message(text, session=f"s{day}", at=START + timedelta(days=9 * day)), scope)
        hits = memory.recall(cue, scope).hits
        assert hits[0].memory.text == theirs
        assert not [signal for hit in hits for signal in hit.signals if signal.name == OUTDATED]


def test_an_update_in_the_same_words_still_replaces() -> None:
    """What is asked about is in both: the same barn with another number."""
    scope = Scope("helper", "ada", "home")
    with Reverie.open(":memory:", embedder=None) as memory:
        for day, count in enumerate((40, 52)):
            said = Message(
                f"The north barn holds {count} sheep.", session=f"s{day}", at=START + timedelta(days=9 * day)
            )
            memory.remember(said, scope)
        first, second = memory.recall("How many sheep are in the north barn?", scope).hits
        assert "52" in first.memory.text
        assert OUTDATED in [signal.name for signal in second.signals]


def test_forty_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fortieth is known to be newer, the forty-first is not looked at."""
    assert replaced(monkeypatch, 0.9, between=38) == (True, True)
    assert replaced(monkeypatch, 0.9, between=39) == (False, False)


def opposed(lines: Sequence[Line], of: int) -> list[int]:
    """Which of these lines are marked as one side of a contradiction, by their place after the stage."""
    corpus = FakeCorpus(evened(lines, PLACES[:of]))
    scores = [0.9 - 0.01 * place for place in range(corpus.size)]
    found = stage_of(PATH, Contradictions)(
        replace(holding(request(f"Did I {places(of)}?"), corpus, scores), page=PATH.page)
    ).candidates
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


def standing(*orders: str, **more: object) -> list[int]:
    """Where among twenty hits orders about every answer come; thirty others were found before them."""
    marked = (MARKS[Kind.INSTRUCTION], EVERY)
    lines = [*map(idle, range(30)), *(Line(text, entities=marked) for text in orders)]
    quest = holding(
        request("When does it end?", **more), FakeCorpus(lines), [0.9 - 0.01 * n for n in range(len(lines))]
    )
    found = list(stage_of(PATH, StandingInstructions)(replace(quest, limit=20, page=PATH.page)).candidates)
    return [place for place, one in enumerate(found) if any(signal.name == STANDS for signal in one.signals)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_two_orders_about_every_answer_come_in_the_last_places_of_ten(count: int) -> None:
    """One in the tenth, two from the ninth on, and never a third; where a host asks, before everything."""
    orders = [f"kite{n} boat{n} harbour{n}" for n in range(count)]
    assert standing(*orders) == list(range(10 - min(count, 2), 10))
    assert standing(*orders, automatic=True) == list(range(min(count, 2)))


@pytest.mark.parametrize(("words", "comes"), [(192, True), (193, False)])
def test_orders_take_a_quarter_of_the_budget(words: int, comes: bool) -> None:
    """Of a thousand tokens two hundred and fifty: 192 words at 1.3 tokens each."""
    assert bool(standing("so " * words, budget_tokens=1000)) is comes
