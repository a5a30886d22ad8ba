"""Bends: how much more or less a signal adds at each of its values than a straight line would."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """What one signal adds at its values: ``heights`` (k,) at ``knots`` (k,), which ascend."""

    name: str
    knots: Floats
    heights: Floats


def bent(values: FloatArray | Floats, bend: Bend) -> FloatArray:
    """What ``values`` add: the heights at the knots, on straight lines between them, the outer ones beyond.

    Source: hastie-tibshirani-gam
    """
    result: FloatArray = np.interp(values, bend.knots, bend.heights).astype(np.float32)
    return result


def read_bends(lines: Iterable[str]) -> tuple[Bend, ...]:
    """Bends as they are written down, a line each: the name, then ``knot:height`` for each knot, tabs between.

    Raises:
        ValueError: a line is none, or its knots do not ascend.

    Source: decision-0041
    """
    return tuple(_read(line) for line in lines)


def written(bend: Bend) -> str:
    """A bend as ``read_bends`` reads it, to five decimals.

    Source: decision-0041
    """
    pairs = zip(bend.knots.tolist(), bend.heights.tolist(), strict=True)
    return "\t".join([bend.name, *(f"{knot:.5f}:{height:.5f}" for knot, height in pairs)])


def _read(line: str) -> Bend:
    name, *pairs = line.split("\t")
    points = np.array([[float(number) for number in pair.split(":")] for pair in pairs], np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or (np.diff(points[:, 0]) <= 0.0).any():
        raise ValueError(f"no bend: {line!r}")
    return Bend(name, points[:, 0], points[:, 1])
