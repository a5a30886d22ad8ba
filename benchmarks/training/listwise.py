"""Fitting weights to choices: of the candidates of each cue the evidence is to be the likeliest, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats

_STEPS = 40
_CLOSE = 1e-5
"""A step shorter than this changes nothing any more."""
_LEAST_STEP = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One cue: ``rows`` (m, columns) of its candidates, which are evidence (m,), and how much the cue counts."""

    rows: Floats
    is_evidence: Floats
    importance: float


def fitted(choices: Sequence[Choice], ridge: float, towards: Floats | None = None) -> Floats:
    """(columns,) the weights by which evidence is likeliest, less ridge/2 · Σ (weight − towards)² times all importance.

    The chance of a candidate is e^score over the sum of all; of several pieces of evidence the mean of the logarithms
    counts. ``towards`` (columns,) is what is known from elsewhere; None: 0.

    Source: mcfadden-conditional-logit
    """
    whole = _Whole.of_choices(choices)
    pull = ridge * float(whole.importance.sum())
    origin = np.zeros(whole.rows.shape[1]) if towards is None else towards
    weights = origin.copy()

    def loss_at(there: Floats) -> float:
        return whole.loss(there, there - origin, pull)

    loss = loss_at(weights)
    for _ in range(_STEPS):
        step = whole.step(weights, weights - origin, pull)
        share = 1.0
        while (moved := loss_at(weights - share * step)) > loss and share > _LEAST_STEP:
            share /= 2.0
        weights, loss = weights - share * step, moved
        if np.abs(share * step).max() < _CLOSE:
            break
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class _Whole:
    """All choices one below the other, so that a step is two products and not thousands.

    Attributes:
        rows: (n, columns) of the candidates of all choices.
        starts: (c,) where each choice begins.
        of: (n,) which choice each row is of.
        wanted: (n,) the share of its choice's evidence that each row is.
        importance: (c,) how much each choice counts.
    """

    rows: Floats
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]
    of: np.ndarray[tuple[int], np.dtype[np.int64]]
    wanted: Floats
    importance: Floats

    @classmethod
    def of_choices(cls, choices: Sequence[Choice]) -> _Whole:
        sizes = [len(choice.rows) for choice in choices]
        return cls(
            np.concatenate([choice.rows for choice in choices]),
            np.cumsum([0, *sizes[:-1]]),
            np.repeat(np.arange(len(choices)), sizes),
            np.concatenate([choice.is_evidence / choice.is_evidence.sum() for choice in choices]),
            np.array([choice.importance for choice in choices]),
        )

    def loss(self, weights: Floats, moved: Floats, pull: float) -> float:
        scores = self.rows @ weights
        wholes = self._sums(scores)
        found = np.add.reduceat(self.wanted * scores, self.starts)
        return float(pull / 2.0 * (moved @ moved) + self.importance @ (wholes - found))

    def step(self, weights: Floats, moved: Floats, pull: float) -> Floats:
        """Newton's: the bend of the loss divides its slope."""
        scores = self.rows @ weights
        wholes = self._sums(scores)
        chances = np.exp(scores - wholes[self.of])
        weighed = self.rows * (chances * self.importance[self.of])[:, np.newaxis]
        means = np.add.reduceat(self.rows * chances[:, np.newaxis], self.starts)
        slope = pull * moved + weighed.sum(axis=0) - (self.wanted * self.importance[self.of]) @ self.rows
        bend = pull * np.eye(len(weights)) + self.rows.T @ weighed - (means * self.importance[:, np.newaxis]).T @ means
        result: Floats = np.linalg.solve(bend, slope)
        return result

    def _sums(self, scores: Floats) -> Floats:
        """(c,) the logarithm of the sum of e^score over each choice."""
        highest = np.maximum.reduceat(scores, self.starts)
        result: Floats = highest + np.log(np.add.reduceat(np.exp(scores - highest[self.of]), self.starts))
        return result
