"""Importance out of four channels, and how well something was taken in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# How much a new memory matters: four channels, weighed, lifted or lowered by how well it was encoded.


@dataclass(frozen=True, slots=True)
class Channels:
    """One number a channel: as values each in [0, 1], as weights each ≥ 0 with sum 1."""

    novelty: float
    arousal: float
    reward: float
    attention: float


class Priority(StrEnum):
    """How urgent an importance is."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class PriorityEdges:
    """The least importance of each priority above low."""

    critical: float
    high: float
    normal: float


def importance(channels: Channels, weights: Channels, boost: float) -> float:
    """The weighted sum of the channels times the encoding ``boost`` ≥ 0, in [0, 1]: what exceeds 1 is cut.

    Source: cognitive-memory-v9
    """
    total = (
        channels.novelty * weights.novelty
        + channels.arousal * weights.arousal
        + channels.reward * weights.reward
        + channels.attention * weights.attention
    )
    return min(1.0, total * boost)


def priority(value: float, edges: PriorityEdges) -> Priority:
    """The highest priority whose edge ``value`` reaches.

    Source: cognitive-memory-v9
    """
    if value >= edges.critical:
        return Priority.CRITICAL
    if value >= edges.high:
        return Priority.HIGH
    return Priority.NORMAL if value >= edges.normal else Priority.LOW


# How well a memory was encoded: how much there was to hold on to, how sure the observer was, whether it was asked.


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
