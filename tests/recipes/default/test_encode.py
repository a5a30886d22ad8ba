"""What the default recipe forms of what comes in: feeds, and what adds to what is known."""

from __future__ import annotations

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Role, Scope
from reverie.types import Kind
from tests.encode.making import Chosen
from tests.encode.test_gate import Asked
from tests.engine.conftest import NOW
from tests.spoken import english, turkish

SCOPE = Scope("agent", "user", "project")


def opened() -> Reverie:
    """An engine without vectors."""
    clock, ids = FixedClock(NOW), RandomIds(seed=1)
    return Reverie.open(":memory:", embedder=None, clock=clock, ids=ids, background=False)


@pytest.mark.parametrize(
    "text",
    [
        *english("Ada prefers Turkish coffee without sugar."),
        *turkish("Ada şekersiz Türk kahvesi tercih ediyor."),
    ],
)
def test_what_a_feed_tells_of_people_is_formed(text: str) -> None:
    """What another agent learned is meant to be kept; a host's own words are not."""
    with opened() as engine:
        said = Message(text, speaker="x", role=Role.SYSTEM)
        assert engine.observe(said, SCOPE).formed == ()
        (name,) = engine.observe(said, SCOPE, source="federation").formed
        found = engine.memory(name, SCOPE)
        assert (found.kind, found.text) == (Kind.PREFERENCE, text)


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("first", "second", "vectors"),
    [
        *english(("I prefer green tea.", "I truly prefer green tea.", {"truly": (1, 0.8), "tea": (1, 1.0)})),
        *turkish(("Yeşil çayı severim.", "Gerçekten yeşil çayı severim.", {"Gerçekten": (1, 0.8), "çay": (1, 1.0)})),
    ],
)
def test_by_default_what_adds_stands_beside_unless_a_model_words_both(
    first: str, second: str, vectors: dict[str, tuple[int, float]]
) -> None:
    """Appended, it would cost tokens at every recall of the other (decision 0018)."""
    for mind, count in ((None, 2), (Asked(), 1)):
        with Reverie.open(":memory:", embedder=Chosen(vectors), mind=mind, background=False) as engine:
            for text in (first, second):
                engine.observe(Message(text, role=Role.USER), SCOPE, deliberate=True)
            texts = [memory.text for memory in engine.admin.formed(SCOPE)]
        assert len(texts) == count
        assert all("\n" not in text for text in texts)
