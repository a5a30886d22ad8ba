"""Company: how much a statement belongs with the first of what was found for a cue (decision 0057).

In: the numbers of every two statements, and their scores. Out: what is added to each score. Evidence comes together: of
several things that are asked for, each lies near another, though not each near the cue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.conflicts.pairs import Numbers, Seen
from reverie.conflicts.verdict import how_seen
from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import fitted_rows

_WEIGHTS = Path(__file__).with_name("data") / "company.txt"
FIRST = 3
"""So many of the first count as what was found for sure."""
LIKE = ("alike", "alike by second", "shared", "rarest shared")
"""The numbers of two statements by which one is company of the other."""
NAMES = (*(f"{name} with one of the first" for name in LIKE), *(f"{name} with what was found" for name in LIKE))


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """A fit: how much each of ``NAMES`` adds to a score."""

    weights: Floats

    def lifts(self, numbers: Numbers, scores: Floats) -> Floats:
        """(k,) what is added to each score.

        Args:
            numbers: of every two of k, as ``pairs.numbers`` gives them.
            scores: (k,) falling.

        Source: decision-0057
        """
        result: Floats = features(numbers, scores) @ self.weights
        return result


def features(numbers: Numbers, scores: Floats) -> Floats:
    """(k, NAMES): the most that each has of another of the first, and the mean over all others, by their scores.

    A mean is by e^score: what is likelier to be looked for counts more.
    """
    count = len(scores)
    raised = np.exp(scores - scores.max(initial=0.0))
    others = np.ones((count, count)) - np.eye(count)
    share = others * raised[np.newaxis, :]
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-12)
    columns = [np.maximum(of, of.T) * others for of in map(numbers.both, LIKE)]
    nearest = [column[:, :FIRST].max(axis=1, initial=0.0) for column in columns]
    return np.stack([*nearest, *((column * share).sum(axis=1) for column in columns)], axis=1)


def company(seen: Seen | None) -> Company:
    """The weights for what is known of statements: their vectors by two models, by one or by none."""
    return shipped()[how_seen(seen)]


@cache
def shipped() -> Mapping[str, Company]:
    """The weights that come with the package."""
    found = fitted_rows(_WEIGHTS.read_text(encoding="utf-8"))
    return {section: Company(np.array([rows[name][0] for name in NAMES])) for section, rows in found.items()}
