"""Verdict: how likely a later statement replaces or takes back an earlier one, and what each number adds to that.

In: the numbers of ``pairs``. Out: probabilities. The weights were learned from labelled changes and look-alikes in many
lives (decision 0052); with a cue and without one, each its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.conflicts.pairs import ALONE, NUMBERS, Seen
from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import fitted_rows

_WEIGHTS = Path(__file__).with_name("data") / "verdict.txt"
WITH_CUE, BY_THEMSELVES = "with a cue", "by themselves"
BY_TWO, BY_ONE, BY_TEXT = "by two models", "by one model", "by text alone"
_FURTHEST = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """A fit: an intercept, and for each number its mean, deviation and weight where it was fitted."""

    intercept: float
    means: Floats
    deviations: Floats
    weights: Floats

    def parts(self, numbers: Floats) -> Floats:
        """(…, numbers) what each adds to the log-odds.

        Source: decision-0052
        """
        result: Floats = self.weights * (numbers - self.means) / np.where(self.deviations > 0, self.deviations, 1.0)
        return result

    def probabilities(self, numbers: Floats) -> Floats:
        """(…) in (0, 1).

        Source: cox-logistic
        """
        odds = np.clip(self.intercept + self.parts(numbers).sum(axis=-1), -_FURTHEST, _FURTHEST)
        result: Floats = 1.0 / (1.0 + np.exp(-odds))
        return result


def verdict(seen: Seen | None, *, asked: bool) -> Verdict:
    """The verdict for what is known of statements: their vectors by two models, by one or by none, and a cue or not."""
    return shipped()[f"{WITH_CUE if asked else BY_THEMSELVES}, {how_seen(seen)}"]


def how_seen(seen: Seen | None) -> str:
    """By which vectors statements are known."""
    return BY_TEXT if seen is None else BY_ONE if seen.second is None else BY_TWO


@cache
def shipped() -> dict[str, Verdict]:
    """The verdicts that come with the package, by what is known of the statements."""
    return read_verdicts(_WEIGHTS.read_text(encoding="utf-8"))


def read_verdicts(text: str) -> dict[str, Verdict]:
    """Verdicts from their file: ``[section]``, ``intercept: b``, ``name: mean deviation weight``; ``#`` comments."""
    return {
        name: _verdict(found, ALONE if name.startswith(BY_THEMSELVES) else NUMBERS)
        for name, found in fitted_rows(text).items()
    }


def _verdict(rows: dict[str, list[float]], names: tuple[str, ...]) -> Verdict:
    columns = np.array([rows[name] for name in names])
    return Verdict(rows["intercept"][0], columns[:, 0], columns[:, 1], columns[:, 2])
