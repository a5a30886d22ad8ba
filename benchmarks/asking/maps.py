"""Maps: files of fitted maps, and an embedder that answers for each haystack with one that has not seen it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.embedding import Behind
from reverie.errors import InvalidExport
from reverie.models.use import ANSWERS
from reverie.ports import Embedder
from reverie.types import FloatArray


def write_map(path: Path, matrix: FloatArray, told: str, questions: Iterable[str]) -> None:
    """One map in half precision, with a line of what it was fitted on, and marks of these questions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    seen = np.array(sorted(set(map(_mark, questions))), np.uint64)
    np.savez(path, matrix=matrix.astype(np.float16), told=np.array(told), seen=seen)


@cache
def _seen() -> frozenset[int]:
    with np.load(ANSWERS) as held:
        return frozenset(held["seen"].tolist())


def has_seen(question: str) -> bool:
    """Whether the default model's shipped map was fitted on this question: then it is no fair one to measure it by."""
    return _mark(question) in _seen()


def _mark(question: str) -> int:
    return int.from_bytes(hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def write_folds(path: Path, matrices: Sequence[FloatArray], fold_of: dict[str, int]) -> None:
    """A map a fold, and the fold of each haystack by name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, matrices=np.stack(matrices), names=np.array(list(fold_of)), folds=np.array(list(fold_of.values())))


class HeldOut(Behind):
    """An embedder that knows for each haystack a map that has not seen it.

    Raises:
        InvalidExport: the file is none of ``asking --folds``, or of another model.
    """

    def __init__(self, inner: Embedder, path: Path) -> None:
        super().__init__(inner)
        try:
            with np.load(path) as held:
                self._matrices = held["matrices"]
                self._folds = dict(zip(held["names"].tolist(), held["folds"].tolist(), strict=True))
        except (OSError, KeyError, ValueError) as error:
            raise InvalidExport(f"{path.name} holds no maps: {error}", "Make it with `asking --folds`.") from error
        if self._matrices.shape[1:] != (inner.info.dims, inner.info.dims):
            raise InvalidExport(f"The maps in {path.name} are of another model.", "Make them anew: `asking --folds`.")

    def without(self, haystack: str) -> Embedder:
        """The model as if it had never seen this haystack; as it is for one that it has not."""
        fold = self._folds.get(haystack)
        return self._inner if fold is None else Mapped(self._inner, self._matrices[fold])


class Mapped(Behind):
    """An embedder with a map of its own."""

    def __init__(self, inner: Embedder, matrix: FloatArray) -> None:
        super().__init__(inner)
        self._matrix = matrix

    def towards_answers(self, question: FloatArray) -> FloatArray:
        """The direction in which answers lie, by this map."""
        return self._matrix @ question
