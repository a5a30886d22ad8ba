"""The scales on which hosts give similarity, and the way back to the cosine that everything here is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values
from reverie.formulas.logistic import probability

_HALVINGS = 40
"""A cosine is found to 1e-12."""


def l2_to_similarity(distance: Values) -> Floats:
    """1/(1 + d), in (0, 1], for a distance d ≥ 0 as LanceDB gives it: the squared one.

    Source: openclaw-cognitive-memory
    """
    result: Floats = 1.0 / (1.0 + np.maximum(distance, 0.0))
    return result


def similarity_to_l2(similarity: Values) -> Floats:
    """The inverse: d = 1/s − 1, for s in (0, 1].

    Source: openclaw-cognitive-memory
    """
    result: Floats = np.divide(1.0, similarity) - 1.0
    return result


def cosine_to_l2(cosine: Values) -> Floats:
    """Squared distance 2 − 2·cos of two vectors of length 1, in [0, 4].

    Source: openclaw-cognitive-memory
    """
    result: Floats = 2.0 - np.multiply(2.0, cosine)
    return result


def l2_to_cosine(distance: Values) -> Floats:
    """The inverse: 1 − d/2.

    Source: openclaw-cognitive-memory
    """
    result: Floats = 1.0 - np.divide(distance, 2.0)
    return result


def openclaw_to_cosine(similarity: Values) -> Floats:
    """The cosine behind OpenClaw's 1/(1 + squared distance): its .85 is a cosine of .912.

    Source: openclaw-cognitive-memory
    """
    return l2_to_cosine(similarity_to_l2(similarity))


def cosine_to_openclaw(cosine: Values) -> Floats:
    """OpenClaw's similarity of a cosine, in [.2, 1].

    Source: openclaw-cognitive-memory
    """
    return l2_to_similarity(cosine_to_l2(cosine))


def cosine_to_a0(cosine: Values) -> Floats:
    """Agent Zero's similarity of a cosine: (1 + cos)/2, in [0, 1].

    Source: exocortex-memory
    """
    result: Floats = np.add(1.0, cosine) / 2.0
    return result


def a0_to_cosine(similarity: Values) -> Floats:
    """The inverse: 2·s − 1; Agent Zero's .90 is a cosine of .80.

    Source: exocortex-memory
    """
    result: Floats = np.multiply(2.0, similarity) - 1.0
    return result


def uncrowded(cosine: Values, spread: float) -> Floats:
    """1 − (1 − cos)·spread: how a cosine of a model whose texts all lie close together reads beside another model's.

    ``spread`` ≥ 1 is how many times further apart the other one has them. 1 stays 1, and what lies below −1 is −1.

    Source: decision-0039
    """
    result: Floats = np.maximum(1.0 - np.multiply(np.subtract(1.0, cosine), spread), -1.0)
    return result


@dataclass(frozen=True, slots=True)
class Answering:
    """How sure a cosine of a question and a passage is of an answer, in log-odds: ``slope`` · cosine + ``intercept``.

    Fitted by ``python -m benchmarks bands`` for each model; ``slope`` > 0.
    """

    slope: float
    intercept: float

    def confidence(self, cosine: float) -> float:
        """In (0, 1), rising: of an answer and a passage drawn by chance, the probability that this is the answer.

        Source: cox-logistic, decision-0048
        """
        return probability(self.intercept, (self.slope * cosine,))


def lowest_cosine(scale: Callable[[float], float], value: float) -> float:
    """The lowest cosine that a rising scale reads as at least ``value``, found by halving; 1 where none is.

    Source: decision-0048
    """
    low, high = -1.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if scale(middle) >= value else (middle, high)
    return high
