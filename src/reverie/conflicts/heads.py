"""Heads: what kind of message one is, as far as a change goes, read off its vector (decision 0052).

In: unit vectors seen from the middle of their scope, and the name of their model. Out: log-odds of each kind. The
directions were learned from labelled lives; no list of words is in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import FloatArray

KINDS = ("announces", "calls off", "passes")
"""What a message may be: one that tells of a change, one that takes something back, one that is changed later on."""
_DATA = Path(__file__).with_name("data")
_FURTHEST = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """A direction (dims,) a kind, as rows of ``directions``, and the intercepts (KINDS,)."""

    directions: FloatArray
    intercepts: FloatArray

    def log_odds(self, rows: FloatArray) -> Floats:
        """(k, KINDS) of unit rows (k, dims); a row of zeros, of which nothing is known, counts as the mean.

        Source: cox-logistic
        """
        along = np.einsum("kd,td->kt", rows, self.directions) + self.intercepts
        result: Floats = np.clip(along.astype(np.float64), -_FURTHEST, _FURTHEST)
        return result


def learned_for(model: str, folder: Path, what: str) -> Path | None:
    """The file of directions that were learned for a model, by its name; None where there is none.

    A name is a part of the file's name, so one of other signs than letters, digits, dots and dashes has none.
    """
    if not model or not model.replace("-", "").replace(".", "").isalnum():
        return None
    file = folder / f"{what}-{model}.npz"
    return file if file.is_file() else None


@cache
def heads_of(model: str) -> Heads | None:
    """The heads that were learned for a model, by its name; None where there are none."""
    file = learned_for(model, _DATA, "kinds")
    if file is None:
        return None
    with np.load(file) as held:
        rows = np.stack([held[kind.replace(" ", "_")] for kind in KINDS]).astype(np.float32)
    return Heads(rows[:, :-1], rows[:, -1])
