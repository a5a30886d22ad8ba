"""Logistic probabilities: fitted weights applied, and odds by rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats

# Logistic regression: a probability out of a few standardised numbers, each with a weight anybody can read.


_FURTHEST = 30.0
"""Log-odds beyond these are as certain as a double can say."""


@dataclass(frozen=True, slots=True)
class Term:
    """One number's part in a fit: its mean and deviation where it was fitted, and the weight of one deviation."""

    mean: float
    deviation: float
    weight: float

    def log_odds(self, value: float) -> float:
        """What a value adds to the log-odds: weight · (value − mean) / deviation; 0 for a number that never varied.

        Source: decision-0022
        """
        return self.weight * (value - self.mean) / self.deviation if self.deviation > 0.0 else 0.0


def probability(intercept: float, parts: Sequence[float]) -> float:
    """1 / (1 + e^−(intercept + Σ parts)), in (0, 1); all in log-odds.

    Source: cox-logistic
    """
    total = min(max(intercept + math.fsum(parts), -_FURTHEST), _FURTHEST)
    return 1.0 / (1.0 + math.exp(-total))


def fitted_rows(text: str) -> dict[str, dict[str, list[float]]]:
    """Section → name → numbers of a file of fits: ``[section]``, then ``name: number number …``; ``#`` comments.

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


# Rank odds: what the order alone of one list says of each of its members.


def rank_log_odds(scores: Floats) -> Floats:
    """(n,) ln n − ln rank in [0, ln n], ranks from 1 by falling score; equal scores get the mean of what they hold.

    If the one that is looked for stands at rank r with a probability that falls as 1/r, these are log-odds, up to a
    constant: they add to others. Any rising transformation of the scores gives the same.

    Source: decision-0058
    """
    odds = np.log(max(len(scores), 1)) - np.log(np.arange(1.0, len(scores) + 1.0))
    _, groups = np.unique(-scores, return_inverse=True)
    groups = groups.reshape(-1)
    of_place = np.sort(groups)
    means = np.bincount(of_place, weights=odds) / np.maximum(np.bincount(of_place), 1)
    result: Floats = means[groups]
    return result
