"""Sparse rows of a table, and fits over them: least squares and logistic regression, with a ridge.

In: rows, each the places of its signs. Out: a weight for each place, and an intercept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reverie.formulas.arrays import Floats

CONJUGATE, QUASI = 60, 60
"""Steps at most of solving a system, and of a descent."""
CLOSE = 1e-4
"""Of the first gradient: what is left of it at the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of a sparse matrix: the places of all one after the other, with one value for all places of a row.

    Attributes:
        places: of all rows.
        starts, counts: (n,) where each row's begin, and how many they are.
        values: (n,) what stands at each row's places.
        columns: (width,) what each place is multiplied with.
    """

    places: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    values: Floats
    columns: Floats

    @classmethod
    def of(
        cls,
        rows: Iterable[Sequence[int] | npt.NDArray[np.int32]],
        value: Callable[[npt.NDArray[np.int64]], Floats],
        width: int,
    ) -> Rows:
        """Rows by the places of their signs; values by how many a row has. A row without a sign has the first place."""
        held = [np.array(row if len(row) else (0,), np.int32) for row in rows]
        counts = np.array([len(row) for row in held], np.int64)
        return cls(np.concatenate(held), np.cumsum(counts) - counts, counts, value(counts), np.ones(width))

    def chosen(self, mask: npt.NDArray[np.bool_]) -> Rows:
        """Some of the rows: mask (n,)."""
        counts = self.counts[mask]
        places = self.places[np.repeat(mask, self.counts)]
        return Rows(places, np.cumsum(counts) - counts, counts, self.values[mask], self.columns)

    def scaled(self) -> Rows:
        """The same with columns weighed by how rare they are: the ridge bears less on what is rare."""
        held = np.bincount(self.places, minlength=len(self.columns))
        rare = np.sqrt(np.log((held.sum() + 1.0) / (held + 1.0)))
        return replace(self, columns=rare / rare[held > 0].mean())

    def times(self, weights: Floats) -> Floats:
        """(n,) of weights (width,)."""
        found: Floats = np.add.reduceat((weights * self.columns)[self.places], self.starts) * self.values
        return found

    def back(self, values: Floats) -> Floats:
        """(width,) of values (n,)."""
        spread = np.repeat(values * self.values, self.counts)
        found: Floats = np.bincount(self.places, weights=spread, minlength=len(self.columns)) * self.columns
        return found


def by_root(counts: npt.NDArray[np.int64]) -> Floats:
    """(n,) one over the root of how many signs a row has: a row's length is one."""
    found: Floats = 1.0 / np.sqrt(counts)
    return found


def least_squares(rows: Rows, wanted: Floats, weights: Floats, ridge: float) -> tuple[Floats, float]:
    """Weights (width,) and an intercept, by conjugate gradients: the ridge is a share of the rows.

    Source: hoerl-kennard-ridge
    """
    held = np.append(np.full(len(rows.columns), ridge * weights.sum()), 0.0)

    def product(way: Floats) -> Floats:
        shown = (rows.times(way[:-1]) + way[-1]) * weights
        return np.append(rows.back(shown), shown.sum()) + held * way

    aim = wanted * weights
    found = solved(product, np.append(rows.back(aim), aim.sum()))
    return found[:-1] * rows.columns, float(found[-1])


def solved(product: Callable[[Floats], Floats], wanted: Floats, close: float = CLOSE) -> Floats:
    """Nearly x where product(x) = wanted, by conjugate gradients, until a share ``close`` of the error is left."""
    found = np.zeros_like(wanted)
    left = wanted.copy()
    way, square = left.copy(), float(left @ left)
    enough = close * close * square
    for _ in range(CONJUGATE):
        turned = product(way)
        length = square / float(way @ turned)
        found += length * way
        left -= length * turned
        now = float(left @ left)
        if now <= enough:
            break
        way, square = left + now / square * way, now
    return found


def logistic(rows: Rows, labels: Floats, weights: Floats, ridge: float) -> tuple[Floats, float]:
    """Weights (width,) and an intercept of a logistic regression with a ridge, by a quasi-Newton method.

    Source: cox-logistic
    """

    def loss(at: Floats) -> tuple[float, Floats]:
        odds = rows.times(at[:-1]) + at[-1]
        error = weights * (1.0 / (1.0 + np.exp(-np.clip(odds, -40.0, 40.0))) - labels)
        value = (weights * (np.logaddexp(0.0, odds) - labels * odds)).sum() + 0.5 * ridge * float(at[:-1] @ at[:-1])
        return float(value), np.append(rows.back(error) + ridge * at[:-1], error.sum())

    found = descended(loss, np.zeros(len(rows.columns) + 1))
    return found[:-1] * rows.columns, float(found[-1])


def descended(loss: Callable[[Floats], tuple[float, Floats]], start: Floats) -> Floats:
    """Where a smooth convex loss is nearly least, by limited-memory BFGS.

    Source: liu-nocedal-lbfgs
    """
    at, (value, slope) = start, loss(start)
    first = float(np.linalg.norm(slope))
    kept: list[tuple[Floats, Floats]] = []
    for _ in range(QUASI):
        way = -_turned(slope, kept)
        size, falls = 1.0, float(slope @ way)
        while (found := loss(at + size * way))[0] > value + 1e-4 * size * falls and size > 1e-8:
            size /= 2.0
        step, change = size * way, found[1] - slope
        if float(step @ change) > 1e-12:
            kept = [*kept[-7:], (step, change)]
        at, (value, slope) = at + step, found
        if float(np.linalg.norm(slope)) < CLOSE * first:
            break
    return at


def _turned(slope: Floats, kept: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The slope by the curvature that the last steps showed."""
    way = slope.copy()
    shares = []
    for step, change in reversed(kept):
        share = float(step @ way) / float(step @ change)
        shares.append(share)
        way -= share * change
    if kept:
        step, change = kept[-1]
        way *= float(step @ change) / float(change @ change)
    else:
        way /= float(np.linalg.norm(slope))
    for (step, change), share in zip(kept, reversed(shares), strict=True):
        way += step * (share - float(change @ way) / float(step @ change))
    return way
