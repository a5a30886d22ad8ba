"""How a text feels, as an episode bears it; who reads it off the words is a recipe's affair."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Emotion:
    """Valence −1 (unpleasant) … 1, arousal 0 (calm) … 1, and the category, one of Ekman's six or None."""

    valence: float
    arousal: float
    category: str | None


CALM = Emotion(0.0, 0.0, None)
