"""Working memory through the engine, where what was said changes."""

from __future__ import annotations

import pytest

from reverie import Message, Reverie, Role, Scope
from tests.spoken import english, turkish

SAID = ("Rex is a dog.", "Elif prefers green tea.", "Meera hemşire olarak çalışıyor.")


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    "meeting",
    [*english("The weekly team meeting starts at {}."), *turkish("Haftalık ekip toplantısı saat {} itibarıyla.")],
)
def test_what_was_superseded_takes_no_place(scope: Scope, meeting: str) -> None:
    """What holds is at hand."""
    with Reverie.open(":memory:", embedder="hash", recipe="v9", background=False) as memory:
        for text in (*SAID, meeting.format("10:00"), meeting.format("14:00")):
            memory.observe(Message(text, speaker="ada", role=Role.USER), scope, deliberate=True)
        held = memory._sessions.find(scope, "default")
        assert held is not None
        texts = {item.text for item in held.working.items(memory._clock.now())}
    assert texts == {*SAID, meeting.format("14:00")}
