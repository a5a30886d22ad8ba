"""Weigh: how much a thought matters, from four channels and how well it was taken in.

Pure, so that the gate can use a provisional importance before the memory exists (reading 23).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.encode.nearest import Near
from reverie.encode.observe import Observation
from reverie.encode.settings import EncodeSettings, WeighSettings
from reverie.formulas.encoding_boost import encoding_boost
from reverie.formulas.importance import Channels, importance, priority


@dataclass(frozen=True, slots=True)
class Weight:
    """Importance in [0, 1], the priority it amounts to, and what it is made of."""

    importance: float
    priority: str = ""
    why: str = "the recipe's constant"


def weigh(
    seen: Observation, near: Sequence[Near], attention: float | None, settings: EncodeSettings, *, deliberate: bool
) -> Weight:
    """The weight of a thought; the recipe's constant where it does not weigh. ``attention`` None: no context yet."""
    law = settings.weigh
    if law is None:
        return Weight(settings.importance)
    channels = Channels(
        novelty=1.0 - min(1.0, max(0.0, near[0].similarity)) if near else 1.0,
        arousal=seen.emotion.arousal,
        reward=_reward(near, law),
        attention=law.unknown if attention is None else min(1.0, max(0.0, attention)),
    )
    certainty = law.unknown if seen.confidence is None else seen.confidence
    boost = encoding_boost(seen.density, certainty, deliberate, law.boost)
    value = importance(channels, law.weights, boost)
    parts = f"novelty {channels.novelty:.2f}, arousal {channels.arousal:.2f}, reward {channels.reward:.2f}"
    why = f"{value:.2f}: {parts}, attention {channels.attention:.2f}, boost {boost:.2f}"
    return Weight(value, priority(value, law.priorities).value, why)


def _reward(near: Sequence[Near], law: WeighSettings) -> float:
    """How useful similar memories have proved; the unknown where there are none."""
    useful = [found.memory.standing.utility for found in near if found.similarity >= law.similar]
    return sum(useful) / len(useful) if useful else law.unknown
