"""Logistic regression: a probability out of a few standardised numbers, each with a weight anybody can read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
