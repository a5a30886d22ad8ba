"""Flashbulb memories: what was lived through in high arousal is kept, and kept vivid."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FlashbulbLaw:
    """Least arousal that makes one, the importance it has at least, and the factor on its stability."""

    arousal: float
    importance: float
    factor: float


@dataclass(frozen=True, slots=True)
class Encoded:
    """How a memory is laid down: its importance in [0, 1], its stability in days, and whether it is pinned for it."""

    importance: float
    stability_days: float
    flashbulb: bool


def encoded(importance: float, stability_days: float, arousal: float, law: FlashbulbLaw) -> Encoded:
    """From ``law.arousal`` on a flashbulb: pinned, important at least so much, stable so many times longer; else as is.

    Source: brown-kulik-flashbulb, cognitive-memory-v9
    """
    if arousal < law.arousal:
        return Encoded(importance, stability_days, flashbulb=False)
    return Encoded(max(importance, law.importance), stability_days * law.factor, flashbulb=True)
