"""How well a memory was encoded: how much there was to hold on to, how sure the observer was, whether it was asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoostLaw:
    """The boost's range around 1, and the density (signals counted in the text) at which elaboration is a half."""

    low: float
    high: float
    half_density: float


def encoding_boost(density: float, confidence: float, deliberate: bool, law: BoostLaw) -> float:
    """A factor in [low, high]: 1 where elaboration and certainty balance, ``high`` where somebody asked to remember.

    Args:
        density: information density of the text, ≥ 0.
        confidence: the observer's confidence in what it formed, in [0, 1].
        deliberate: somebody asked to have it remembered.
        law: range and half density.

    Source: craik-lockhart-levels, decision-0009
    """
    if deliberate:
        return law.high
    elaboration = density / (density + law.half_density)
    balance = elaboration + confidence - 1.0
    return 1.0 + balance * (law.high - 1.0 if balance > 0.0 else 1.0 - law.low)
