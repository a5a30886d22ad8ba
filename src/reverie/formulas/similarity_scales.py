"""Convert the similarity scales of hosts to cosines, which are used everywhere else, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values
from reverie.formulas.logistic import probability

_HALVINGS = 40
"""Halvings of the search interval: they find a cosine to 1e-12."""


def l2_to_similarity(distance: Values) -> Floats:
    """Convert a distance d ≥ 0 as LanceDB returns it (squared) to a similarity 1/(1 + d), in (0, 1].

    Source: openclaw-cognitive-memory
    """
    result: Floats = 1.0 / (1.0 + np.maximum(distance, 0.0))
    return result


def similarity_to_l2(similarity: Values) -> Floats:
    """Convert a similarity s in (0, 1] to LanceDB's distance d = 1/s − 1.

    Source: openclaw-cognitive-memory
    """
    result: Floats = np.divide(1.0, similarity) - 1.0
    return result


def cosine_to_l2(cosine: Values) -> Floats:
    """Convert a cosine of unit vectors to their squared distance 2 − 2·cos, in [0, 4].

    Source: openclaw-cognitive-memory
    """
    result: Floats = 2.0 - np.multiply(2.0, cosine)
    return result


def l2_to_cosine(distance: Values) -> Floats:
    """Convert a squared distance of unit vectors to their cosine 1 − d/2.

    Source: openclaw-cognitive-memory
    """
    result: Floats = 1.0 - np.divide(distance, 2.0)
    return result


def openclaw_to_cosine(similarity: Values) -> Floats:
    """Convert OpenClaw's similarity 1/(1 + squared distance) to a cosine: its .85 is a cosine of .912.

    Source: openclaw-cognitive-memory
    """
    return l2_to_cosine(similarity_to_l2(similarity))


def cosine_to_openclaw(cosine: Values) -> Floats:
    """Convert a cosine to OpenClaw's similarity, in [.2, 1].

    Source: openclaw-cognitive-memory
    """
    return l2_to_similarity(cosine_to_l2(cosine))


def cosine_to_a0(cosine: Values) -> Floats:
    """Convert a cosine to Agent Zero's similarity (1 + cos)/2, in [0, 1].

    Source: exocortex-memory
    """
    result: Floats = np.add(1.0, cosine) / 2.0
    return result


def a0_to_cosine(similarity: Values) -> Floats:
    """Convert Agent Zero's similarity s to the cosine 2·s − 1: its .90 is a cosine of .80.

    Source: exocortex-memory
    """
    result: Floats = np.multiply(2.0, similarity) - 1.0
    return result


def uncrowded(cosine: Values, spread: float) -> Floats:
    """Rescale the cosine of a model whose cosines are all high to another model's scale: 1 − (1 − cos)·spread.

    ``spread`` ≥ 1: how many times wider the other model's range is. 1 stays 1; results below −1 are clipped to −1.

    Source: decision-0039
    """
    result: Floats = np.maximum(1.0 - np.multiply(np.subtract(1.0, cosine), spread), -1.0)
    return result


@dataclass(frozen=True, slots=True)
class Answering:
    """Calibration of a question-passage cosine to the log-odds of an answer: ``slope`` · cosine + ``intercept``.

    Fitted for each model by ``python -m benchmarks bands``; ``slope`` > 0.
    """

    slope: float
    intercept: float

    def confidence(self, cosine: float) -> float:
        """Compute the probability in (0, 1) that the passage, rather than a random one, is the answer; increasing.

        Source: cox-logistic, decision-0048
        """
        return probability(self.intercept, (self.slope * cosine,))


def lowest_cosine(scale: Callable[[float], float], value: float) -> float:
    """Find the lowest cosine that an increasing scale maps to at least ``value``, by bisection; 1 where there is none.

    Source: decision-0048
    """
    low, high = -1.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if scale(middle) >= value else (middle, high)
    return high
