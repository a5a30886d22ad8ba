"""Of two tellings of one amount the newer stands first, and the older says so."""

from __future__ import annotations

import pytest

from reverie.recall.newer import LIFTED, MARK, Newer
from reverie.recall.quest import Candidate
from tests.recall.fake_corpus import START, FakeCorpus, Line, holding, request

STAGE = Newer(looked=20, anchor=0.5, same=0.7, least=0.3, uncounted=0.5)
HOW_MANY = "How many followers does my shop have?"
OLD = Line("my shop has 500 followers", day=0)
NEW = Line("my shop has 600 followers", day=5)
OTHER = Line("my shop opens at noon", day=6)


def after(lines: list[Line], asked: str = HOW_MANY, **more: object) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.1 * place for place in range(len(lines))]
    return list(STAGE(holding(request(asked, **more), FakeCorpus(lines), scores)).candidates)


def order(found: list[Candidate]) -> list[int]:
    """The lines in the order of their candidates."""
    return [candidate.ordinal for candidate in found]


def marked(found: list[Candidate]) -> dict[int, str]:
    """Outdated line → id of the memory that its mark names."""
    return {c.ordinal: s.about for c in found for s in c.signals if s.name == MARK}


def test_the_newer_is_lifted_above_the_older() -> None:
    """It takes the older one's place and score; what stood between keeps behind; shares still add up."""
    found = after([OLD, OTHER, NEW])
    assert order(found) == [2, 0, 1]
    assert marked(found) == {0: "m2"}
    assert [candidate.score for candidate in found] == pytest.approx([0.9, 0.9, 0.8])
    assert LIFTED in {signal.name for signal in found[0].signals}
    for candidate in found:
        assert candidate.score == pytest.approx(sum(signal.share for signal in candidate.signals))


def test_an_older_one_that_stands_below_is_marked_as_well() -> None:
    """The order is right already."""
    found = after([NEW, OLD])
    assert order(found) == [0, 1]
    assert marked(found) == {1: "m0"}


def test_the_same_in_turkish() -> None:
    """Kaç asks as how many does."""
    old, new = Line("dükkanın 500 takipçisi var", day=0), Line("artık dükkanın 600 takipçisi var", day=5)
    found = after([old, new], "Dükkanın kaç takipçisi var?")
    assert order(found) == [1, 0]
    assert marked(found) == {0: "m1"}


@pytest.mark.parametrize(
    "other",
    [
        Line("my shop has 500 followers", day=5),
        Line("my shop has 600 square feet", day=5),
        Line("my shop costs $600", day=5),
        Line("my shop has 600 followers", speaker="assistant", day=5),
        Line("my shop has 600 followers", speaker="Ada", day=5),
        Line("the club has 600 members", day=5),
    ],
    ids=["said again", "of another thing", "of another kind", "assistant", "somebody else", "another subject"],
)
def test_what_tells_nothing_new_moves_nobody(other: Line) -> None:
    """The same value, another unit, kind, speaker or subject is no update."""
    found = after([OLD, other])
    assert order(found) == [0, 1]
    assert marked(found) == {}


def test_the_words_that_ask_need_not_be_told() -> None:
    """Nobody says "long" who says how long: it is no part of what must stand around the amount."""
    old, new = Line("bergen a month already", day=0), Line("bergen 3 months now", day=60)
    found = after([old, new, Line("it took long", day=1)], "How long am I in Bergen?")
    assert order(found)[:2] == [1, 0]
    assert marked(found) == {0: "m1"}


def test_a_change_needs_no_unit() -> None:
    """What says that it has changed is understood without the thing counted behind the number."""
    found = after([OLD, Line("the followers my shop has have now reached 650", day=5)])
    assert order(found) == [1, 0]


@pytest.mark.parametrize("asked", ["Who follows my shop?", "How many more followers between May and June?"])
def test_other_questions_are_left_alone(asked: str) -> None:
    """Nothing is lost on the way either."""
    assert order(after([OLD, NEW], asked)) == [0, 1]


@pytest.mark.parametrize("more", [{"past": True}, {"as_of": START}])
def test_who_asks_for_the_past_gets_it_as_it_was(more: dict[str, object]) -> None:
    """No mark, no lift."""
    found = after([OLD, NEW], **more)
    assert order(found) == [0, 1]
    assert marked(found) == {}


def test_nothing_is_lost_where_nothing_is_told_twice() -> None:
    """Every candidate still comes."""
    assert order(after([OTHER, OLD])) == [0, 1]
