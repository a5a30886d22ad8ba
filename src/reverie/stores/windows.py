"""How long the windows around messages are: kept for a whole scope, brought up to date as messages are written."""

from __future__ import annotations

import numpy as np

from reverie.formulas.reinstatement import window_sums
from reverie.stores.columns import Column
from reverie.stores.links import Links
from reverie.types import FloatArray, IntArray


class WindowLengths:
    """By radius, the terms within so many messages of each; nothing is kept for a radius nobody asked for."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[int, Column] = {}

    def append(self, lengths: FloatArray, links: Links, held: bool) -> None:
        """Messages were added to these columns; ``held``: arrays handed out must not change."""
        for radius, kept in self._kept.items():
            if held:
                kept.part()
            fresh = np.arange(len(kept), len(lengths))
            kept.extend(0.0, len(fresh))
            touched = around(fresh, links, radius)
            kept.values[touched] = window_sums(lengths, links.previous, links.following, touched, radius)

    def find(self, lengths: FloatArray, previous: IntArray, following: IntArray, radius: int) -> FloatArray:
        """(n,) the length of the window around each message of these columns."""
        kept = self._kept.get(radius)
        if kept is None:
            kept = self._kept[radius] = Column(np.float32)
            everyone = np.arange(len(lengths))
            kept.extend(window_sums(lengths, previous, following, everyone, radius), len(lengths))
        elif len(kept) != len(lengths):  # columns as of an earlier moment, before messages came
            return window_sums(lengths, previous, following, np.arange(len(lengths)), radius)
        return kept.values


def around(centres: IntArray, links: Links, radius: int) -> IntArray:
    """These messages and all within ``radius`` of them, each once, ascending."""
    found = [centres]
    for neighbours in (links.previous, links.following):
        at = centres
        for _ in range(radius):
            at = neighbours[at]
            at = at[at >= 0]
            found.append(at)
    is_near = np.zeros(len(links.previous), np.bool_)
    is_near[np.concatenate(found)] = True
    return np.flatnonzero(is_near)
