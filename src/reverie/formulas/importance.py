"""How much a new memory matters: four channels, weighed, lifted or lowered by how well it was encoded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
