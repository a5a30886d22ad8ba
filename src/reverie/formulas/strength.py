"""Strength: storage and retrieval strength, synaptic capture, and what was stirring when it was encoded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values

# Two strengths of one memory: how deeply it is stored, which only grows, and how easily it comes, which fades.


LEAST = 1.0
MOST = 10.0


def storage_gain(retrieval: Values, easy: float, hard: float) -> Floats:
    """The worth of a successful retrieval: ``easy`` when the memory was at hand, up to ``hard`` when nearly lost.

    Args:
        retrieval: retrieval strength just before the access, in [0, 1].
        easy: gain at retrieval 1, in [0, hard].
        hard: gain at retrieval 0, in [easy, 1].

    Source: bjork-disuse, decision-0008
    """
    result: Floats = np.asarray(hard - (hard - easy) * np.clip(retrieval, 0.0, 1.0), np.float64)
    return result


def storage_after(storage: Values, gain: Values) -> Floats:
    """Storage strength after a successful retrieval: the share ``gain`` of what is missing to 10 is won.

    Args:
        storage: in [1, 10].
        gain: in [0, 1].

    Source: bjork-disuse, decision-0008
    """
    held = np.clip(storage, LEAST, MOST)
    result: Floats = np.asarray(held + np.clip(gain, 0.0, 1.0) * (MOST - held), np.float64)
    return result


def is_tip_of_tongue(storage: Values, retrieval: Values, high: float, low: float) -> Bools:
    """Well stored (at least ``high``) and yet hard to reach (less than ``low``).

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.greater_equal(storage, high), np.less(retrieval, low))
    return result


# Synaptic tagging and capture: a strong event keeps the weak ones around it.


def is_weak(importance: float, edge: float) -> bool:
    """Whether a new memory is tagged: its importance lies below ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance < edge


def is_strong(importance: float, edge: float) -> bool:
    """Whether a new memory captures the tagged ones of its session: its importance reaches ``edge``.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    return importance >= edge


def captured_stability(stability_days: Values, factor: float) -> Floats:
    """Stability of a tagged memory after capture, ``factor`` ≥ 1 times what it was.

    Source: frey-morris-capture, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result


# Flashbulb memories: what was lived through in high arousal is kept, and kept vivid.


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
