"""Whose vectors lie in the table: nobody noted it, so it is measured. Vectors in, a verdict out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from reverie.formulas.centring import unit
from reverie.types import FloatArray

SAME_FROM = 0.95
"""Cosine of two models' vectors of one text: 1 less rounding where they are the same, about 0 where they are not."""
SAMPLE = 16
"""So many texts are compared: the table's vector of each with ours."""


def same(pairs: Sequence[tuple[FloatArray, FloatArray]]) -> bool | None:
    """Whether these pairs, each two vectors of one text, are one model's; None where nothing tells."""
    cosines = [
        float(unit(one) @ unit(other))
        for one, other in pairs[:SAMPLE]
        if one.shape == other.shape and one.any() and other.any()
    ]
    return median(cosines) >= SAME_FROM if cosines else None
