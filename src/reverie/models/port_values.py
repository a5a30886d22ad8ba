"""Bring texts, vectors and scores into the form the ports promise.

Texts: valid Unicode of bounded length. Vectors: float32 unit rows. Scores: a finite number a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from reverie.errors import ModelUnavailable
from reverie.types import FloatArray

# Make any Python string fit for a tokeniser. In: a string as it came. Out: valid Unicode, of bounded length.


MAX_CHARS = 4_096
"""How much of a text is embedded, in characters. What a long message is about stands at its beginning: on BEAM the
first sixty words alone rank as well as the whole (decision 0003), and text search still sees every word."""

_REPLACEMENT = "\ufffd"


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """The beginning of ``text``, NULs as spaces, lone surrogates as U+FFFD, so that it can be encoded as UTF-8."""
    head = text[:max_chars].replace("\x00", " ")
    try:
        head.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in head)
    return head


# Bring raw model output into the form the port promises. In: numbers of any float type. Out: float32 unit rows.


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


# Bring a reranker's raw output into the form the port promises. In: a cue and texts. Out: a finite number a text.


MAX_SCORED_CHARS = 1_200
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
    read = [clean(text, MAX_SCORED_CHARS) for text in texts] if asked.strip() else [""] * len(texts)
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
