"""Tastes that do not come where advice is asked for: somebody else's."""

from __future__ import annotations

import pytest

from reverie.language.standing import MARKS
from reverie.recall.standing import MARK, StandingOrders
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, holding, request
from tests.spoken import english, turkish

STAGE = StandingOrders(page=4, orders=1, preferences=2, share=0.25, places=0.5)
PLAIN = [Line("one"), Line("two"), Line("three"), Line("four")]


def told(text: str, day: float, vector: tuple[float, ...] | None = None) -> Line:
    """A preference that was formed of what the user said."""
    return Line(text, day=day, vector=vector, kind=Kind.PREFERENCE, entities=(MARKS[Kind.PREFERENCE],))


def came(asked: str, *tastes: Line, vector: tuple[float, ...] | None = None) -> set[str]:
    """What comes because it stands."""
    lines = [*PLAIN, *tastes]
    around = Surroundings({asked: vector} if vector else {})
    quest = holding(request(asked), FakeCorpus(lines), [0.9 - 0.1 * place for place in range(len(lines))], around)
    return {c.memory.text for c in STAGE(quest).candidates if any(s.name == MARK for s in c.signals)}


@pytest.mark.parametrize(
    ("own", "others", "asked"),
    [
        *english(("I prefer spaces.", "My colleague Priya prefers tabs.", "How should I indent it?")),
        *turkish(("Boşlukları tercih ederim.", "İş arkadaşım Işıl sekmeyi tercih eder.", "Nasıl girintilemeliyim?")),
    ],
)
def test_a_taste_of_somebody_else_does_not_come(own: str, others: str, asked: str) -> None:
    """Though it was formed as a preference, told by the user, and lies nearer."""
    assert came(asked, told(own, -9, (0.5, 0.5)), told(others, -8, (1.0, 0.0)), vector=(1.0, 0.0)) == {own}
