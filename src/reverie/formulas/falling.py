"""The two steps by which an unused memory falls asleep: active → fading → dormant, one step a run."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.types import State


@dataclass(frozen=True, slots=True)
class FallEdges:
    """Below which retention an active memory fades, and a fading one sleeps."""

    fading: float
    dormant: float


def fallen(state: State, retention: float, edges: FallEdges) -> State:
    """The state after one run: at most one step down, and none up; what sleeps or is out of force stays so.

    Source: openclaw-cognitive-memory
    """
    if state is State.FADING and retention < edges.dormant:
        return State.DORMANT
    if state is State.ACTIVE and retention < edges.fading:
        return State.FADING
    return state
