"""Working memory through the engine, where what was said changes."""

from __future__ import annotations

import pytest

from reverie import Message, Reverie, Role, Scope
from tests.spoken import english, turkish

SAID = ("My dog is called Rex.", "I prefer green tea in the morning.", "Kız kardeşim hemşire.")


@pytest.mark.req("D35")
@pytest.mark.parametrize("home", [*english("I live in {}."), *turkish("{}'da yaşıyorum.")])
def test_what_was_superseded_takes_no_place(scope: Scope, home: str) -> None:
    """What holds is at hand, however often one of the things has changed."""
    with Reverie.open(":memory:", embedder="hash", background=False) as memory:
        for text in (*SAID, *(home.format(city) for city in ("Ankara", "Londra") * 4)):
            memory.observe(Message(text, speaker="ada", role=Role.USER), scope)
        held = memory._sessions.find(scope, "default")
        assert held is not None
        texts = {item.text for item in held.working.items(memory._clock.now())}
    assert texts == {*SAID, home.format("Londra")}
