"""The middle of a few vectors: one query that stands for all its variants."""

from __future__ import annotations

import numpy as np

from reverie.formulas.centring import unit
from reverie.types import FloatArray


def centroid(vectors: FloatArray) -> FloatArray:
    """(d,) mean of (n, d) vectors, n ≥ 1, brought to length 1; 0 where they cancel out.

    Each vector counts alike whatever its length.

    Source: gao-hyde
    """
    result: FloatArray = unit(unit(vectors).mean(axis=0)).astype(np.float32)
    return result
