"""Shared parts of the embedding models: clean texts, valid vectors and scores, weight files, batches, one thread."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.errors import ModelCorrupt, ModelMissing, ModelUnavailable
from reverie.types import FloatArray

# Clean texts: any Python string in, valid Unicode of limited length out.


MAX_CHARS = 4_096
"""Number of characters of a text that are embedded.

The topic of a long message is at its beginning: on BEAM the first sixty words rank as well as the whole (decision
0003), and text search still uses every word.
"""

_REPLACEMENT = "\ufffd"


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return the beginning of ``text``, encodable as UTF-8: NULs as spaces, lone surrogates as U+FFFD."""
    head = text[:max_chars].replace("\x00", " ")
    try:
        head.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in head)
    return head


# Valid vectors: numbers of any float type in, float32 unit rows out.


def unit_rows(raw: npt.ArrayLike) -> FloatArray:
    """Scale each row of ``raw`` (n, dims) to length 1; a row of zeros, or with a NaN or infinity, becomes zero."""
    rows = np.array(raw, dtype=np.float32, ndmin=2)
    rows[~np.isfinite(rows).all(axis=1)] = 0.0
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: FloatArray = (rows * scale[:, None]).astype(np.float32)
    return unit


def empty_rows(count: int, dims: int) -> FloatArray:
    """Return zero rows (count, dims), the vectors of texts without content."""
    return np.zeros((count, dims), dtype=np.float32)


def filled_rows(texts: Sequence[str], dims: int, embed: Callable[[list[str]], Iterable[FloatArray]]) -> FloatArray:
    """Embed texts with ``embed`` as unit rows (n, dims); blank texts are not passed on and give zero rows."""
    filled = [number for number, text in enumerate(texts) if text.strip()]
    rows = empty_rows(len(texts), dims)
    if filled:
        rows[filled] = unit_rows(list(embed([texts[number] for number in filled])))
    return rows


# Valid scores: a cue and texts in, one finite number per text out.


MAX_SCORED_CHARS = 1_200
"""Number of characters of a text that are scored: with the cue, the limit of most rerankers (512 tokens).

The topic of a message is at its beginning (decision 0003).
"""
MAX_CUE_CHARS = 600


def filled_scores(
    name: str, cue: str, texts: Sequence[str], score: Callable[[str, list[str]], Iterable[float]]
) -> FloatArray:
    """Score texts with ``score``, shape (n,); a blank text is not passed on and gets the lowest score.

    For a blank cue nothing is scored, and all texts get 0.

    Raises:
        ModelUnavailable: ``score`` did not return one finite number for each text; ``name`` is in the message.
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
    """Return (count,) scores as float32. Raises ModelUnavailable unless there are ``count`` finite numbers."""
    try:
        with np.errstate(over="ignore"):  # too large for 32 bits: becomes infinite and is refused
            scores: FloatArray = np.asarray(raw, dtype=np.float32)
    except (ValueError, TypeError, OverflowError):
        scores = np.full(1, np.nan, dtype=np.float32)
    if scores.shape != (count,) or not np.isfinite(scores).all():
        raise ModelUnavailable(
            f"{name} did not give one finite number for each of {count} texts.",
            "Check that it is a model for reranking.",
        )
    return scores


# Batches, weights, and numpy's matrix products on one thread.


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside the block; without the package threadpoolctl, do nothing."""
    controller = _controller()
    if controller is None:
        return nullcontext()
    limits: AbstractContextManager[Any] = controller.limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> Any:
    """Return threadpoolctl's controller, or None; cached, because it scans all loaded libraries."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


# Batches of token sequences of about equal cost.


def token_batches(
    texts: Iterable[Sequence[int]], budget_tokens: int
) -> Iterator[tuple[list[int], list[Sequence[int]]]]:
    """Yield batches of at most ``budget_tokens`` in order; a longer sequence forms its own, empty ones are skipped.

    Each batch is the positions of its sequences in ``texts``, and the sequences.
    """
    numbers: list[int] = []
    group: list[Sequence[int]] = []
    room = budget_tokens
    for number, tokens in enumerate(texts):
        if group and len(tokens) > room:
            yield numbers, group
            numbers, group, room = [], [], budget_tokens
        if tokens:
            numbers.append(number)
            group.append(tokens)
            room -= len(tokens)
    if group:
        yield numbers, group


# Verified weight files inside installed packages.


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """One file in one release of a package. ``install`` is the command that installs it."""

    package: str
    path: str
    sha256: str
    install: str

    def read(self) -> bytes:
        """Read the file and verify its checksum.

        Raises:
            ModelMissing: the package is not installed, or has no such file.
            ModelCorrupt: the checksum of the file is wrong.
        """
        location = self._locate()
        try:
            data = location.read_bytes()
        except OSError as error:
            raise ModelMissing(f"{self.package} has no readable {self.path}.", self._mend) from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ModelCorrupt(f"{self.path} of {self.package} is not the published file.", self._mend)
        return data

    @property
    def is_there(self) -> bool:
        """Whether the package is installed; nothing is read."""
        return importlib.util.find_spec(self.package) is not None

    @property
    def _mend(self) -> str:
        return f"Install it again: {self.install}"

    def _locate(self) -> Path:
        found = importlib.util.find_spec(self.package)
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders:
            raise ModelMissing(f"The package {self.package} is not installed.", f"Install it: {self.install}")
        return Path(folders[0]) / self.path
