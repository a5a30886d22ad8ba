"""How much a message is recalled through its neighbours, given how long it is; and what windows around it hold."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray, IntArray


def neighbour_weight(words: FloatArray, weight: float, full_words: float) -> FloatArray:
    """``weight`` for texts up to ``full_words`` long, falling as 1/length beyond.

    A short turn ("Yes, in March!") needs its neighbours to be understood; a page does not, and would only crowd
    out others through them.

    Source: howard-kahana-tcm
    """
    share: FloatArray = np.minimum(1.0, full_words / np.maximum(words, 1.0)).astype(np.float32, copy=False)
    return np.float32(weight) * share


def window_sums(
    values: FloatArray, previous: IntArray, following: IntArray, centres: IntArray, radius: int
) -> FloatArray:
    """(m,) the sum of ``values`` (n,) over each centre and up to ``radius`` neighbours before and behind it.

    Args:
        values: one a message.
        previous: (n,) the message before each, −1 for none.
        following: (n,) the message after each, −1 for none.
        centres: (m,) messages.
        radius: how far the window reaches, ≥ 0.

    Source: howard-kahana-tcm
    """
    sums: FloatArray = values[centres].copy()
    for links in (previous, following):
        at, member = centres, np.arange(len(centres))
        for _ in range(radius):
            at = links[at]
            linked = at >= 0
            at, member = at[linked], member[linked]
            sums[member] += values[at]
    return sums
