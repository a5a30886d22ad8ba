"""Mood-congruent recall: who is glad remembers glad things more easily."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def congruent(score: Values, mood: float, valence: Values, factor: float) -> Floats:
    """``score`` times ``factor`` where mood and memory have a valence of the same sign; 0 is no mood.

    Args:
        score: ≥ 0.
        mood: valence of the cue, in [−1, 1].
        valence: of each memory, in [−1, 1].
        factor: ≥ 1.

    Source: bower-mood, cognitive-memory-v9
    """
    same = np.sign(mood) * np.sign(valence) > 0
    result: Floats = np.multiply(score, np.where(same, factor, 1.0))
    return result
