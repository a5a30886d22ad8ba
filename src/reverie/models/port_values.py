"""Helpers of embedders and rerankers: clean texts, unit vectors, finite scores, verified weights, token batches."""

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
from reverie.extras import lacking
from reverie.types import FloatArray

MAX_CHARS = 4_096
"""Most characters of a text that are embedded. A long message says what it is about at its beginning: on BEAM the first
sixty words alone rank as well as the whole (decision 0003), and text search still sees every word."""

_REPLACEMENT = "\ufffd"


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return the first ``max_chars`` characters as valid Unicode: NULs become spaces, lone surrogates U+FFFD."""
    head = text[:max_chars].replace("\x00", " ")
    try:
        head.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in head)
    return head


def unit_rows(raw: npt.ArrayLike) -> FloatArray:
    """Scale each row of ``raw`` (n, dims) to length 1; a row that is zero, or has a NaN or infinity, becomes zero."""
    rows = np.array(raw, dtype=np.float32, ndmin=2)
    rows[~np.isfinite(rows).all(axis=1)] = 0.0
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: FloatArray = (rows * scale[:, None]).astype(np.float32)
    return unit


def empty_rows(count: int, dims: int) -> FloatArray:
    """Return (count, dims) zeros, the vectors of texts without content."""
    return np.zeros((count, dims), dtype=np.float32)


def filled_rows(texts: Sequence[str], dims: int, embed: Callable[[list[str]], Iterable[FloatArray]]) -> FloatArray:
    """Return (n, dims) unit rows that ``embed`` makes of the texts; a blank text is not embedded, its row is zero."""
    filled = [number for number, text in enumerate(texts) if text.strip()]
    rows = empty_rows(len(texts), dims)
    if filled:
        rows[filled] = unit_rows(list(embed([texts[number] for number in filled])))
    return rows


MAX_SCORED_CHARS = 1_200
"""Most characters of a text that are reranked: with the cue about 512 tokens, which most rerankers accept at most. A
message says what it is about at its beginning (decision 0003)."""
MAX_CUE_CHARS = 600


def filled_scores(
    name: str, cue: str, texts: Sequence[str], score: Callable[[str, list[str]], Iterable[float]]
) -> FloatArray:
    """Return (n,) scores that ``score`` gives the texts; blank texts get the lowest score.

    For a blank cue ``score`` is not called, and all texts get 0.

    Raises:
        ModelUnavailable: ``score`` did not give one finite number for each text; ``name`` is the model in the message.
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
    """Return ``raw`` as (count,) float32. Raises ModelUnavailable unless it is ``count`` finite numbers."""
    try:
        with np.errstate(over="ignore"):  # too large for 32 bits becomes infinite, which is refused below
            scores: FloatArray = np.asarray(raw, dtype=np.float32)
    except (ValueError, TypeError, OverflowError):
        scores = np.full(1, np.nan, dtype=np.float32)
    if scores.shape != (count,) or not np.isfinite(scores).all():
        raise ModelUnavailable(
            f"{name} did not give one finite number for each of {count} texts.",
            "Check that it is a model for reranking.",
        )
    return scores


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a ``with`` block; does nothing without the package threadpoolctl."""
    controller = _controller()
    if controller is None:
        return nullcontext()
    limits: AbstractContextManager[Any] = controller.limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> Any:
    """Return the controller, cached: finding the libraries that the process has loaded takes some milliseconds."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


def token_batches(
    texts: Iterable[Sequence[int]], budget_tokens: int
) -> Iterator[tuple[list[int], list[Sequence[int]]]]:
    """Group token sequences, in order, so that each group has at most ``budget_tokens`` and costs about the same.

    Yields each group as the positions of its sequences in ``texts``, and the sequences. One sequence alone may exceed
    the budget; empty sequences are left out.
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


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """A file of model weights in one release of a package.

    ``install`` is the command that installs the package; ``extra`` is the extra that brings it, empty for a dependency.
    """

    package: str
    path: str
    sha256: str
    install: str
    extra: str = ""

    def read(self) -> bytes:
        """Read the file and verify its checksum.

        Raises:
            ModelMissing: the package is not installed, or has no such file.
            ModelCorrupt: the file does not match the checksum.
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
        """Whether the package is installed; the file is not read."""
        return importlib.util.find_spec(self.package) is not None

    @property
    def _mend(self) -> str:
        return f"Install it again: {self.install}"

    def _locate(self) -> Path:
        found = importlib.util.find_spec(self.package)
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders and self.extra:
            raise lacking(self.extra, f"The model in {self.package}", ModelMissing)
        if not folders:
            raise ModelMissing(f"The package {self.package} is not installed.", f"Install it: {self.install}")
        return Path(folders[0]) / self.path
