"""What the models computed here share: texts, vectors and scores as the ports promise; weights, batches, one thread."""

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

# Bring texts, vectors and scores into the form the ports promise.


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


# What the models computed here share: their weights' files, batches of equal cost, one thread for numpy.


# Keep numpy's matrix products on one thread while a model computes.


def one_thread() -> AbstractContextManager[Any]:
    """One thread for BLAS inside the block; without the package threadpoolctl, whatever the process has."""
    controller = _controller()
    if controller is None:
        return nullcontext()
    limits: AbstractContextManager[Any] = controller.limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> Any:
    """Looks through the libraries the process has loaded, which takes some milliseconds, so once."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


# Group token sequences so that one pass of a network costs about the same.


def token_batches(
    texts: Iterable[Sequence[int]], budget_tokens: int
) -> Iterator[tuple[list[int], list[Sequence[int]]]]:
    """Groups of at most ``budget_tokens`` (one sequence alone may have more), in order; empty sequences are left out.

    Each group is the positions of its sequences in ``texts``, and the sequences.
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


# Find a file of weights inside an installed package and make sure it is the published one.


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """One file in one release of a package. ``install`` is what a person types to get it."""

    package: str
    path: str
    sha256: str
    install: str

    def read(self) -> bytes:
        """The verified bytes.

        Raises:
            ModelMissing: the package is not installed, or has no such file.
            ModelCorrupt: the file is not the one the checksum was taken of.
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
