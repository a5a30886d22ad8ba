"""Logistic probabilities: a fitted logistic regression, and log-odds from ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats

# Logistic regression over a few standardised features with readable weights.


_FURTHEST = 30.0
"""Log-odds are clipped to this absolute value, beyond which a double gains no certainty."""


@dataclass(frozen=True, slots=True)
class Term:
    """One feature of a fit: its mean and standard deviation in the training data, and its weight per deviation."""

    mean: float
    deviation: float
    weight: float

    def log_odds(self, value: float) -> float:
        """Compute a value's part in the log-odds: weight · (value − mean) / deviation; 0 for a constant feature.

        Source: decision-0022
        """
        return self.weight * (value - self.mean) / self.deviation if self.deviation > 0.0 else 0.0


def probability(intercept: float, parts: Sequence[float]) -> float:
    """Compute the probability 1 / (1 + e^−(intercept + Σ parts)), in (0, 1); all arguments are log-odds.

    Source: cox-logistic
    """
    total = min(max(intercept + math.fsum(parts), -_FURTHEST), _FURTHEST)
    return 1.0 / (1.0 + math.exp(-total))


def fitted_rows(text: str) -> dict[str, dict[str, list[float]]]:
    """Parse a file of fits to section → name → numbers: ``[section]``, then ``name: number number …``; ``#`` comments.

    Source: decision-0022
    """
    rows: dict[str, dict[str, list[float]]] = {}
    section = ""
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            section = content.strip("[]")
        elif content:
            name, _, values = content.partition(":")
            rows.setdefault(section, {})[name] = [float(value) for value in values.split()]
    return rows


# Rank odds: log-odds from the order of a list alone.


def rank_log_odds(scores: Floats) -> Floats:
    """Compute log-odds from ranks: ln n − ln rank, in [0, ln n], rank 1 for the highest score; ties share their mean.

    If the relevant item is at rank r with a probability that falls as 1/r, these are its log-odds, up to a
    constant, and can be added to others. Any increasing transformation of the scores gives the same.

    Source: decision-0058
    """
    odds = np.log(max(len(scores), 1)) - np.log(np.arange(1.0, len(scores) + 1.0))
    _, groups = np.unique(-scores, return_inverse=True)
    groups = groups.reshape(-1)
    of_place = np.sort(groups)
    means = np.bincount(of_place, weights=odds) / np.maximum(np.bincount(of_place), 1)
    result: Floats = means[groups]
    return result
