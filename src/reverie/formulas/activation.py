"""ACT-R's base-level activation, approximated from a count and one age, and squeezed into (0, 1).

Which age is meant, since creation or since the last access, is the recipe's to say.
"""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def base_level(count: Values, age_s: Values) -> Floats:
    """B = ln n − ½·ln(age): often used lifts, long ago lowers.

    Args:
        count: accesses; less than 1 counts as 1.
        age_s: seconds; less than 1 counts as 1.

    Source: anderson-schooler-actr, petrov-base-level
    """
    result: Floats = np.log(np.maximum(count, 1.0)) - 0.5 * np.log(np.maximum(age_s, 1.0))
    return result


def activation(count: Values, age_s: Values) -> Floats:
    """The logistic of the base level, in (0, 1); ½ when a memory was used as often as the root of its age in seconds.

    Source: cognitive-memory-v9, openclaw-cognitive-memory
    """
    result: Floats = 1.0 / (1.0 + np.exp(-base_level(count, age_s)))
    return result
