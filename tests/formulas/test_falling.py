"""Falling asleep in two steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import FallEdges, fallen
from reverie.types import State

EDGES = FallEdges(fading=0.3, dormant=0.1)


@pytest.mark.req("C5")
@pytest.mark.parametrize(
    ("state", "retention", "expected"),
    [
        (State.ACTIVE, 0.30, State.ACTIVE),
        (State.ACTIVE, 0.29, State.FADING),
        (State.ACTIVE, 0.01, State.FADING),
        (State.FADING, 0.10, State.FADING),
        (State.FADING, 0.09, State.DORMANT),
        (State.FADING, 0.90, State.FADING),
    ],
)
def test_every_edge(state: State, retention: float, expected: State) -> None:
    """“R < 0.1 && fading → dormant, else R < 0.3 && active → fading”: one step a run (reading 25)."""
    assert fallen(state, retention, EDGES) is expected


@pytest.mark.req("C5")
def test_two_runs_two_steps_and_no_third() -> None:
    """A forgotten memory sleeps after two runs and stays asleep."""
    states = [State.ACTIVE]
    for _ in range(4):
        states.append(fallen(states[-1], 0.0, EDGES))
    assert states == [State.ACTIVE, State.FADING, State.DORMANT, State.DORMANT, State.DORMANT]


@given(st.sampled_from([State.DORMANT, State.SUPERSEDED, State.QUARANTINED]), st.floats(0, 1))
def test_what_is_not_recalled_does_not_move(state: State, retention: float) -> None:
    """Only active and fading memories fall."""
    assert fallen(state, retention, EDGES) is state
