"""Weigh the time a cue speaks of."""

from __future__ import annotations

import numpy as np

from reverie.ports import Corpus
from reverie.types import BoolArray, FloatArray, IntArray, TimeWindow


def inside(corpus: Corpus, window: TimeWindow) -> BoolArray:
    """(n,) which memories were said within the window."""
    said = corpus.said_at
    result: BoolArray = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return result


def time_match(corpus: Corpus, window: TimeWindow | None, ordinals: IntArray) -> FloatArray:
    """(m,) 1 where a candidate was said within the window, else 0; all 0 without a window."""
    if window is None:
        return np.zeros(len(ordinals), dtype=np.float32)
    said = corpus.said_at[ordinals]
    match = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return match.astype(np.float32)
