"""Order head: which of the person's messages are standing orders, read off their vectors (decision 0054).

In: the columns of a scope and the name of their model. Out: the messages that lie towards an order. A direction in the
model's space was learned from labelled lives; the nearest to it are found as the nearest to a cue are, so nothing has
to be marked when it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.ports import Corpus
from reverie.types import BoolArray, FloatArray, IntArray

_DATA = Path(__file__).with_name("data")
LOOKED_AT = 64
"""Messages nearest to the direction that are judged."""
_FURTHEST = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class OrderHead:
    """Directions (dims,) and intercepts: of any standing order, and of one about every answer."""

    any_order: FloatArray
    any_intercept: float
    every_answer: FloatArray
    every_intercept: float

    def orders(self, corpus: Corpus, among: BoolArray, least: float) -> IntArray:
        """Ordinals of what is an order by at least this probability, the latest first."""
        return self._found(corpus, among, least, self.any_order, self.any_intercept)

    def about_every_answer(self, corpus: Corpus, among: BoolArray, least: float) -> IntArray:
        """Ordinals of what is an order about every answer by at least this probability, the latest first."""
        return self._found(corpus, among, least, self.every_answer, self.every_intercept)

    @staticmethod
    def _found(corpus: Corpus, among: BoolArray, least: float, direction: FloatArray, intercept: float) -> IntArray:
        centre = corpus.centre
        if centre is None or len(centre) != len(direction) or not among.any():
            return np.zeros(0, np.int64)
        ordinals, cosines = corpus.nearest(centre + direction, LOOKED_AT, among)
        odds = np.float32(np.linalg.norm(direction)) * cosines + np.float32(intercept)
        chances = 1.0 / (1.0 + np.exp(-np.clip(odds, -_FURTHEST, _FURTHEST)))
        latest: IntArray = np.sort(ordinals[chances >= least])[::-1]
        return latest


@cache
def head_of(model: str) -> OrderHead | None:
    """The head that was learned for a model, by its name; None where there is none."""
    if not model or not model.replace("-", "").replace(".", "").isalnum():
        return None
    file = _DATA / f"orders-{model}.npz"
    if not file.is_file():
        return None
    with np.load(file) as held:
        every, any_order = held["every"].astype(np.float32), held["any"].astype(np.float32)
    return OrderHead(any_order[:-1], float(any_order[-1]), every[:-1], float(every[-1]))
