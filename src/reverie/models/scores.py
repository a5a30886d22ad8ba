"""Bring a reranker's raw output into the form the port promises. In: a cue and texts. Out: a finite number a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from reverie.errors import ModelUnavailable
from reverie.models.texts import clean
from reverie.types import FloatArray

MAX_CHARS = 1_200
"""How much of a text is read, in characters: with the cue, what most rerankers take (512 tokens) and no more. What a
message is about stands at its beginning (decision 0003)."""
MAX_CUE_CHARS = 600


def filled_scores(
    name: str, cue: str, texts: Sequence[str], score: Callable[[str, list[str]], Iterable[float]]
) -> FloatArray:
    """(n,) what ``score`` makes of each text that is not blank; a blank one gets the lowest.

    Nothing is asked for a blank cue, and all get the same.

    Raises:
        ModelUnavailable: it did not make one finite number of each; ``name`` says who.
    """
    asked = clean(cue, MAX_CUE_CHARS)
    read = [clean(text, MAX_CHARS) for text in texts] if asked.strip() else [""] * len(texts)
    filled = [number for number, text in enumerate(read) if text.strip()]
    scores = np.zeros(len(texts), dtype=np.float32)
    if filled:
        found = finite_scores(name, list(score(asked, [read[number] for number in filled])), len(filled))
        scores[:] = found.min()
        scores[filled] = found
    return scores


def finite_scores(name: str, raw: object, count: int) -> FloatArray:
    """(count,) of single precision. Raises ModelUnavailable for anything but so many finite numbers."""
    try:
        with np.errstate(over="ignore"):  # too large for 32 bits: infinite, and refused as such
            scores: FloatArray = np.asarray(raw, dtype=np.float32)
    except (ValueError, TypeError, OverflowError):
        scores = np.full(1, np.nan, dtype=np.float32)
    if scores.shape != (count,) or not np.isfinite(scores).all():
        raise ModelUnavailable(
            f"{name} did not give one finite number for each of {count} texts.",
            "Check that it is a model for reranking.",
        )
    return scores
