"""Weigh the time a cue speaks of, or asks for."""

from __future__ import annotations

import numpy as np

from reverie.language.manner import time_terms
from reverie.language.question import asks_time
from reverie.ports import Corpus
from reverie.types import BoolArray, Cue, FloatArray, IntArray, TimeWindow


def inside(corpus: Corpus, window: TimeWindow) -> BoolArray:
    """(n,) which memories were said within the window."""
    said = corpus.said_at
    result: BoolArray = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return result


def time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 where a candidate was said within the time the cue speaks of, else 0."""
    if cue.window is None:
        return np.zeros(len(ordinals), dtype=np.float32)
    said = corpus.said_at[ordinals]
    match = (said >= cue.window.start.timestamp()) & (said < cue.window.end.timestamp())
    result: FloatArray = match.astype(np.float32)
    return result


def told_time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 where the cue asks for a time, naming none, and a candidate holds a word that tells one; else 0."""
    if cue.window is not None or not asks_time(cue.text):
        return np.zeros(len(ordinals), dtype=np.float32)
    result: FloatArray = (corpus.occurrences(time_terms())[ordinals] > 0).astype(np.float32)
    return result
