"""Fitting: the linear map from questions to what answers them, by ridge regression, and its folds.

In: pairs. Out: a matrix. Drawn towards a multiple of the identity, which changes no ranking: what was not learned stays
as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchmarks.asking.pairs import Pairs
from reverie.formulas.centring import unit
from reverie.types import FloatArray

RIDGE = 10.0
"""Strength of the pull towards the identity, in mean variances of the questions; 3 to 30 differ by a point."""

MISTAKEN = 20
"""Items nearest to a question by a first map that do not answer it."""

AWAY = 0.4
"""How far the second map leads away from these, in lengths of their mean; .3 to .6 give the same within a point."""

FOLDS = 5


def fit(known: Sequence[Pairs]) -> FloatArray:
    """The (d, d) matrix whose product with a question's vector points to its answers.

    Fitted twice: the second time towards the answers and away from what the first map takes for them.

    Source: hoerl-kennard-ridge, rocchio-feedback
    """
    first = _ridge(known, [one.answers for one in known])
    return _ridge(known, [one.answers - AWAY * _mistaken(one, first) for one in known])


def _ridge(known: Sequence[Pairs], targets: Sequence[FloatArray]) -> FloatArray:
    """The map from questions to targets.

    Each set counts as the root of its questions: a large one more than a small one, but not as much as it is larger.
    """
    asked = Counter[str]()
    for one in known:
        asked[one.set] += len(one.questions)
    dims = known[0].questions.shape[1]
    towards, among = np.zeros((dims, dims)), np.zeros((dims, dims))
    for one, target in zip(known, targets, strict=True):
        questions = one.questions.astype(np.float64)
        towards += target.T @ questions / asked[one.set] ** 0.5
        among += questions.T @ questions / asked[one.set] ** 0.5
    pull = RIDGE * np.trace(among) / dims * np.eye(dims)
    alike = np.trace(towards) / np.trace(among)
    result: FloatArray = np.linalg.solve(among + pull, (towards + alike * pull).T).T.astype(np.float32)
    return result


def _mistaken(one: Pairs, matrix: FloatArray) -> FloatArray:
    """(m, d) for each question the mean of the nearest items that are not its gold."""
    alike = unit(one.questions @ matrix.T) @ one.items.T
    for row, gold in zip(alike, one.gold, strict=True):
        row[list(gold)] = -np.inf
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, :MISTAKEN]
    result: FloatArray = one.items[nearest].mean(axis=1)
    return result


def folds(known: Sequence[Pairs]) -> list[int]:
    """The fold of each haystack: the haystacks of a set in turn."""
    seen = Counter[str]()
    result = []
    for one in known:
        result.append(seen[one.set] % FOLDS)
        seen[one.set] += 1
    return result


def held_out(known: Sequence[Pairs]) -> list[FloatArray]:
    """For each fold the map that was fitted without any haystack of it."""
    of = folds(known)
    return [fit([one for one, at in zip(known, of, strict=True) if at != fold]) for fold in range(max(of) + 1)]
