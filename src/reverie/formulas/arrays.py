"""The arrays formulas speak in: double precision, since a few days and a few years meet in one expression."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from reverie.types import BoolArray, IntArray

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = BoolArray
Values: TypeAlias = Floats | IntArray | float
"""What a formula over memories takes: one number a memory, or a single one, which comes back as a 0-d value."""
