"""Fitting weights to choices: of the candidates of each cue the evidence is to be the likeliest, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats

_STEPS = 40
_CLOSE = 1e-6
"""A step shorter than this changes nothing any more."""
_LEAST_STEP = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One cue: ``rows`` (m, columns) of its candidates, which are evidence (m,), and how much the cue counts."""

    rows: Floats
    is_evidence: Floats
    importance: float


def fitted(choices: Sequence[Choice], ridge: float) -> Floats:
    """(columns,) the weights by which evidence is likeliest, less ridge/2 · Σ weight² times all importance.

    The chance of a candidate is e^score over the sum of all; of several pieces of evidence the mean of the logarithms
    counts.

    Source: mcfadden-conditional-logit
    """
    columns = choices[0].rows.shape[1]
    pull = ridge * sum(choice.importance for choice in choices)
    weights = np.zeros(columns)
    loss = _loss(choices, weights, pull)
    for _ in range(_STEPS):
        slope, bend = pull * weights, pull * np.eye(columns)
        for choice in choices:
            chance = _chances(choice.rows @ weights)
            mean = chance @ choice.rows
            slope += choice.importance * (mean - choice.is_evidence @ choice.rows / choice.is_evidence.sum())
            spread = choice.rows * np.sqrt(chance)[:, np.newaxis]
            bend += choice.importance * (spread.T @ spread - np.outer(mean, mean))
        step = np.linalg.solve(bend, slope)
        share = 1.0
        while (moved := _loss(choices, weights - share * step, pull)) > loss and share > _LEAST_STEP:
            share /= 2.0
        weights, loss = weights - share * step, moved
        if np.abs(share * step).max() < _CLOSE:
            break
    return weights


def _chances(scores: Floats) -> Floats:
    raised: Floats = np.exp(scores - scores.max())
    result: Floats = raised / raised.sum()
    return result


def _loss(choices: Sequence[Choice], weights: Floats, pull: float) -> float:
    total = pull / 2.0 * float(weights @ weights)
    for choice in choices:
        scores = choice.rows @ weights
        highest = scores.max()
        whole = highest + np.log(np.exp(scores - highest).sum())
        found = choice.is_evidence @ scores / choice.is_evidence.sum()
        total += choice.importance * float(whole - found)
    return total
