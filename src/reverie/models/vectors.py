"""Bring raw model output into the form the port promises. In: numbers of any float type. Out: float32 unit rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from reverie.types import FloatArray


def unit_rows(raw: npt.ArrayLike) -> FloatArray:
    """Each row of ``raw`` (n, dims) divided by its length; a row of zeros, or with a NaN or infinity, is zero."""
    rows = np.array(raw, dtype=np.float32, ndmin=2)
    rows[~np.isfinite(rows).all(axis=1)] = 0.0
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: FloatArray = (rows * scale[:, None]).astype(np.float32)
    return unit


def empty_rows(count: int, dims: int) -> FloatArray:
    """(count, dims) of zeros: the answer for texts without content."""
    return np.zeros((count, dims), dtype=np.float32)


def filled_rows(texts: Sequence[str], dims: int, embed: Callable[[list[str]], Iterable[FloatArray]]) -> FloatArray:
    """(n, dims): of each text that is not blank the unit row of what ``embed`` makes of it; a blank one is zero."""
    filled = [number for number, text in enumerate(texts) if text.strip()]
    rows = empty_rows(len(texts), dims)
    if filled:
        rows[filled] = unit_rows(list(embed([texts[number] for number in filled])))
    return rows
