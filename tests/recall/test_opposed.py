"""Both sides of a contradiction come back and name each other."""

from __future__ import annotations

import pytest

from reverie.recall.opposed import MARK, Opposed
from reverie.recall.quest import Candidate
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request

STAGE = Opposed(page=3, looked=10, denied=0.2, affirmed=0.3, most=1)
ASKED = "Have I ever met Bryan?"
NEVER = Line("I've never met Bryan")
MET = Line("I met Bryan in June")
IDLE = [Line("the tea is green", speaker="assistant"), Line("the sky was clear", speaker="assistant")]


def after(lines: list[Line], asked: str = ASKED) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.1 * place for place in range(len(lines))]
    return list(STAGE(holding(request(asked), FakeCorpus(lines), scores)).candidates)


def marked(found: list[Candidate]) -> dict[str, str]:
    """Marked memory → the memory its mark names."""
    return {c.memory.id: s.about for c in found for s in c.signals if s.name == MARK}


def test_both_sides_on_the_page_keep_their_places() -> None:
    """Neither is preferred, each names the other."""
    found = after([MET, IDLE[0], NEVER])
    assert [c.ordinal for c in found] == [0, 1, 2]
    assert marked(found) == {"m0": "m2", "m2": "m0"}


def test_the_other_side_is_brought_onto_the_page() -> None:
    """It takes the place of the last that takes no side, and nothing is lost."""
    found = after([NEVER, *IDLE, MET])
    assert [c.ordinal for c in found] == [0, 1, 3, 2]
    assert marked(found) == {"m0": "m3", "m3": "m0"}
    for candidate in found:
        assert candidate.score == pytest.approx(sum(signal.share for signal in candidate.signals))


def test_the_same_in_turkish() -> None:
    """Hiç tanışmadım denies, tanıştım affirms."""
    found = after([Line("Bryan ile hiç tanışmadım"), Line("haziranda Bryan ile tanıştım")], "Bryan ile tanıştım mı?")
    assert marked(found) == {"m0": "m1", "m1": "m0"}


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        ([NEVER, MET], "Where did I meet Bryan?"),
        ([MET, Line("I met Bryan again")], ASKED),
        ([NEVER, Line("I met Bryan in June", speaker="Ada")], ASKED),
        ([Line("I've never met Bryan", speaker="assistant"), MET], ASKED),
    ],
    ids=["no yes or no", "nobody denies", "somebody else affirms", "the assistant denies"],
)
def test_what_is_no_contradiction_is_left_alone(lines: list[Line], asked: str) -> None:
    """No mark, and every candidate still comes."""
    found = after(lines, asked)
    assert marked(found) == {}
    assert [c.ordinal for c in found] == [0, 1]
