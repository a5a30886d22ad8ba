from __future__ import annotations

from math import log

import pytest

from reverie.consolidate.published_steps import falling_asleep
from reverie.recipes.published.openclaw import DREAM
from reverie.types import State
from tests.consolidate.making import NOW, after, memory, night, snapshot


@pytest.mark.req("C5")
def test_memories_fall_asleep_in_two_steps() -> None:
    """e^(−t/S) below .3 fades, below .1 and fading sleeps; a hair before neither; one step a run."""
    assert DREAM.falling is not None
    fade, sleep = -log(0.3), -log(0.1)
    found = snapshot(
        memory("fades", idle_days=fade * 1.01),
        memory("stays", idle_days=fade * 0.99),
        memory("sleeps", idle_days=sleep * 1.01, state=State.FADING),
        memory("dozes", idle_days=sleep * 0.99, state=State.FADING),
        memory("long", idle_days=99.0),
        memory("steady", idle_days=9.0, stability_days=10.0),
    )
    first = falling_asleep(found, DREAM.falling, NOW)
    assert {name: what["state"] for name, what in after(first).items()} == {
        "fades": State.FADING,
        "sleeps": State.DORMANT,
        "long": State.FADING,
    }
    second = falling_asleep(found.after(first), DREAM.falling, NOW)
    assert {name: what["state"] for name, what in after(second).items()} == {"long": State.DORMANT}


@pytest.mark.req("C5")
def test_two_runs_of_a_period_are_two_steps() -> None:
    """It asks of no period (reading 25)."""
    assert DREAM.falling is not None
    assert DREAM.period_hours is None
    again = snapshot(memory("m", idle_days=9.0), when=night(since=NOW))
    assert falling_asleep(again, DREAM.falling, NOW).changes


@pytest.mark.req("C5", "D21")
def test_what_is_protected_does_not_fall() -> None:
    """Pinned or immutable."""
    assert DREAM.falling is not None
    kept = memory("p", pinned=True, idle_days=99.0), memory("i", immutable=True, idle_days=99.0)
    assert not falling_asleep(snapshot(*kept), DREAM.falling, NOW).changes
