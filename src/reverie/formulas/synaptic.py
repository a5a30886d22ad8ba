"""Synaptic tagging and capture: a strong event keeps the weak ones around it."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


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
