"""Working memory through the engine, where what was said changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie import FixedClock, Message, Reverie, Role, Scope
from tests.encode.making import Chosen
from tests.spoken import english, turkish

SAID = ("Rex is a dog.", "Elif prefers green tea.", "Meera hemşire olarak çalışıyor.")
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        *english(("The weekly team meeting starts at 10:00.", "The weekly team meeting starts at 14:00 now.")),
        *turkish(("Haftalık ekip toplantısı saat 10:00'da.", "Haftalık ekip toplantısı artık saat 14:00'te.")),
    ],
)
def test_what_was_superseded_takes_no_place(scope: Scope, was: str, now: str) -> None:
    """What holds is at hand."""
    clock, model = FixedClock(START), Chosen({"weekly": (1, 0.98), "ekip": (1, 0.98)})
    with Reverie.open(":memory:", embedder=model, recipe="v9", clock=clock, background=False) as memory:
        for text in (*SAID, was, now):
            clock.at += timedelta(days=5)
            memory.observe(Message(text, speaker="ada", role=Role.USER), scope, deliberate=True)
        held = memory._context.sessions.find(scope, "default")
        assert held is not None
        texts = {item.text for item in held.working.items(memory._context.clock.now())}
    assert now in texts
    assert not any(was in text for text in texts)
