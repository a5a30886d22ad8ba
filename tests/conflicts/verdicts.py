"""Verdicts made by hand: one number decides, so that no learned weight does."""

from __future__ import annotations

import numpy as np

from reverie.conflicts.pairs import NUMBERS
from reverie.conflicts.verdict import BY_ONE, BY_TEXT, BY_TWO, WITH_CUE, Verdict

NEVER = -20.0
"""The log-odds of two statements for which the number is 0."""


def deciding(number: str, weight: float) -> dict[str, Verdict]:
    """In place of the shipped ones: log-odds of ``NEVER`` and the number times its weight."""
    none = np.zeros(len(NUMBERS))
    weights = none.copy()
    weights[NUMBERS.index(number)] = weight
    verdict = Verdict(NEVER, none, none + 1.0, weights)
    return {f"{WITH_CUE}, {how}": verdict for how in (BY_TWO, BY_ONE, BY_TEXT)}


def amounts() -> dict[str, Verdict]:
    """A later statement most likely replaced an earlier one where both tell amounts and share none, and only there."""
    return deciding("amounts differ", 25.0)
