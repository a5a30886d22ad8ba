"""Of two tellings of one amount the newer stands first, and the older says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from reverie.recall.newer import LIFTED, MARK, Newer
from reverie.recall.quest import Candidate
from tests.recall.fake_corpus import START, FakeCorpus, Line, holding, request
from tests.spoken import english, turkish

STAGE = Newer(looked=20, anchor=0.5, same=0.7, least=0.3, uncounted=0.5)


@dataclass(frozen=True)
class Shop:
    """What is told of a shop in one language, and what is asked."""

    how_many: str
    old: Line
    new: Line
    other: Line


SHOP = Shop(
    "How many followers does my shop have?",
    Line("my shop has 500 followers", day=0),
    Line("my shop has 600 followers", day=5),
    Line("my shop opens at noon", day=6),
)
BAKERY = Shop(
    "Fırınımın kaç takipçisi var?",
    Line("fırınımın 500 takipçisi var", day=0),
    Line("fırınımın 600 takipçisi var", day=5),
    Line("fırınım öğlen açılıyor", day=6),
)
SHOPS = [*english(SHOP), *turkish(BAKERY)]


def after(lines: list[Line], asked: str, **more: object) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.1 * place for place in range(len(lines))]
    return list(STAGE(holding(request(asked, **more), FakeCorpus(lines), scores)).candidates)


def order(found: list[Candidate]) -> list[int]:
    """The lines in the order of their candidates."""
    return [candidate.ordinal for candidate in found]


def marked(found: list[Candidate]) -> dict[int, str]:
    """Outdated line → id of the memory that its mark names."""
    return {c.ordinal: s.about for c in found for s in c.signals if s.name == MARK}


@pytest.mark.parametrize("shop", SHOPS)
def test_the_newer_is_lifted_above_the_older(shop: Shop) -> None:
    """It takes the older one's place and score; what stood between keeps behind; shares still add up."""
    found = after([shop.old, shop.other, shop.new], shop.how_many)
    assert order(found) == [2, 0, 1]
    assert marked(found) == {0: "m2"}
    assert [candidate.score for candidate in found] == pytest.approx([0.9, 0.9, 0.8])
    assert LIFTED in {signal.name for signal in found[0].signals}
    for candidate in found:
        assert candidate.score == pytest.approx(sum(signal.share for signal in candidate.signals))


@pytest.mark.parametrize("shop", SHOPS)
def test_an_older_one_that_stands_below_is_marked_as_well(shop: Shop) -> None:
    """The order is right already."""
    found = after([shop.new, shop.old], shop.how_many)
    assert order(found) == [0, 1]
    assert marked(found) == {1: "m0"}


@pytest.mark.parametrize(
    ("shop", "other"),
    [
        *english(
            (SHOP, Line("my shop has 500 followers", day=5)),
            (SHOP, Line("my shop has 600 square feet", day=5)),
            (SHOP, Line("my shop costs $600", day=5)),
            (SHOP, Line("my shop has 600 followers", speaker="assistant", day=5)),
            (SHOP, Line("my shop has 600 followers", speaker="Ada", day=5)),
            (SHOP, Line("the club has 600 members", day=5)),
        ),
        *turkish(
            (BAKERY, Line("fırınımın 500 takipçisi var", day=5)),
            (BAKERY, Line("fırınımın 600 çeşit ekmeği var", day=5)),
            (BAKERY, Line("fırınımın kirası 600 lira", day=5)),
            (BAKERY, Line("fırınımın 600 takipçisi var", speaker="assistant", day=5)),
            (BAKERY, Line("fırınımın 600 takipçisi var", speaker="Ada", day=5)),
            (BAKERY, Line("kulübün 600 üyesi var", day=5)),
        ),
    ],
    ids=["said again", "of another thing", "of another kind", "assistant", "somebody else", "another subject"] * 2,
)
def test_what_tells_nothing_new_moves_nobody(shop: Shop, other: Line) -> None:
    """The same value, another unit, kind, speaker or subject is no update."""
    found = after([shop.old, other], shop.how_many)
    assert order(found) == [0, 1]
    assert marked(found) == {}


@pytest.mark.parametrize(
    ("asked", "old", "new", "other"),
    [
        *english(("How long am I in Bergen?", "bergen a month already", "bergen 3 months now", "it took long")),
        *turkish(("Ne kadar süredir Bergen'deyim?", "bergen bir ay oldu", "bergen 3 ay oldu", "süre çok uzun")),
    ],
)
def test_the_words_that_ask_need_not_be_told(asked: str, old: str, new: str, other: str) -> None:
    """Nobody says "long" who says how long: it is no part of what must stand around the amount."""
    found = after([Line(old, day=0), Line(new, day=60), Line(other, day=1)], asked)
    assert order(found)[:2] == [1, 0]
    assert marked(found) == {0: "m1"}


@pytest.mark.parametrize(
    ("shop", "changed"),
    [
        *english((SHOP, "the followers my shop has have now reached 650")),
        *turkish((BAKERY, "fırınımın takipçisi artık 650 oldu")),
    ],
)
def test_a_change_needs_no_unit(shop: Shop, changed: str) -> None:
    """What says that it has changed is understood without the thing counted behind the number."""
    found = after([shop.old, Line(changed, day=5)], shop.how_many)
    assert order(found) == [1, 0]


@pytest.mark.parametrize(
    ("shop", "asked"),
    [
        *english((SHOP, "Who follows my shop?"), (SHOP, "How many more followers between May and June?")),
        *turkish((BAKERY, "Fırınımı kim takip ediyor?"), (BAKERY, "Mayısla haziran arasında kaç takipçi arttı?")),
    ],
)
def test_other_questions_are_left_alone(shop: Shop, asked: str) -> None:
    """Nothing is lost on the way either."""
    assert order(after([shop.old, shop.new], asked)) == [0, 1]


@pytest.mark.parametrize("shop", SHOPS)
@pytest.mark.parametrize("more", [{"past": True}, {"as_of": START}])
def test_who_asks_for_the_past_gets_it_as_it_was(shop: Shop, more: dict[str, object]) -> None:
    """No mark, no lift."""
    found = after([shop.old, shop.new], shop.how_many, **more)
    assert order(found) == [0, 1]
    assert marked(found) == {}


@pytest.mark.parametrize("shop", SHOPS)
def test_at_a_moment_what_had_been_said_then_counts(shop: Shop) -> None:
    """Once the newer was said it stands above the older."""
    found = after([shop.old, shop.new], shop.how_many, as_of=START + timedelta(days=5))
    assert order(found) == [1, 0]
    assert marked(found) == {0: "m1"}


@pytest.mark.parametrize("shop", SHOPS)
def test_nothing_is_lost_where_nothing_is_told_twice(shop: Shop) -> None:
    """Every candidate still comes."""
    assert order(after([shop.other, shop.old], shop.how_many)) == [0, 1]
