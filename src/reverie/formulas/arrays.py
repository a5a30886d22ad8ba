"""Array types of the formulas: double precision, because days and years occur in one expression."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from reverie.types import BoolArray, IntArray

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = BoolArray
Values: TypeAlias = Floats | IntArray | float
"""Argument of a formula over memories: an array with one number per memory, or a single number (giving a 0-d array)."""
