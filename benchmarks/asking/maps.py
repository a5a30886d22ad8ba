"""Maps: files of fitted maps and bends, and an embedder that takes for each haystack those that have not seen it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.embedding import Behind
from reverie.errors import InvalidExport
from reverie.formulas.bend import Bend, read_bends, written
from reverie.models.use import ANSWERS
from reverie.ports import Embedder
from reverie.types import FloatArray


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted on the same questions: a map towards answers (d, d), and the bends by which signals add."""

    matrix: FloatArray
    bends: tuple[Bend, ...]


def write_map(path: Path, fitted: Fitted, told: str, questions: Iterable[str]) -> None:
    """One map in half precision, its bends, a line of what both were fitted on, and marks of these questions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    seen = np.array(sorted(set(map(_mark, questions))), np.uint64)
    bends = np.array(list(map(written, fitted.bends)), np.str_)
    np.savez(path, matrix=fitted.matrix.astype(np.float16), bends=bends, told=np.array(told), seen=seen)


@cache
def _seen() -> frozenset[int]:
    with np.load(ANSWERS) as held:
        return frozenset(held["seen"].tolist())


def has_seen(question: str) -> bool:
    """Whether the default model's shipped map was fitted on this question: then it is no fair one to measure it by."""
    return _mark(question) in _seen()


def _mark(question: str) -> int:
    return int.from_bytes(hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def write_folds(path: Path, fitted: Sequence[Fitted], fold_of: Mapping[str, int]) -> None:
    """What was fitted without each fold, and the fold of each haystack by name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        matrices=np.stack([one.matrix for one in fitted]),
        bends=np.array(["\n".join(map(written, one.bends)) for one in fitted], np.str_),
        names=np.array(list(fold_of)),
        folds=np.array(list(fold_of.values())),
    )


class HeldOut(Behind):
    """An embedder that knows for each haystack a map that has not seen it.

    Raises:
        InvalidExport: the file is none of ``asking --folds``, or of another model.
    """

    def __init__(self, inner: Embedder, path: Path) -> None:
        super().__init__(inner)
        try:
            with np.load(path) as held:
                bends = [read_bends(text.splitlines()) for text in held["bends"].tolist()]
                self._fitted = [Fitted(*one) for one in zip(held["matrices"], bends, strict=True)]
                self._folds = dict(zip(held["names"].tolist(), held["folds"].tolist(), strict=True))
        except (OSError, KeyError, ValueError) as error:
            raise InvalidExport(f"{path.name} holds no maps: {error}", "Make it with `asking --folds`.") from error
        if any(one.matrix.shape != (inner.info.dims, inner.info.dims) for one in self._fitted):
            raise InvalidExport(f"The maps in {path.name} are of another model.", "Make them anew: `asking --folds`.")

    def without(self, haystack: str) -> Embedder:
        """The model as if it had never seen this haystack; as it is for one that it has not."""
        fold = self._folds.get(haystack)
        return self._inner if fold is None else Mapped(self._inner, self._fitted[fold])


class Mapped(Behind):
    """An embedder with a map and bends of its own."""

    def __init__(self, inner: Embedder, fitted: Fitted) -> None:
        super().__init__(inner)
        self._fitted = fitted

    def towards_answers(self, question: FloatArray) -> FloatArray:
        """The direction in which answers lie, by this map."""
        return self._fitted.matrix @ question

    def bends(self) -> tuple[Bend, ...]:
        """By what curves signals add, by these bends."""
        return self._fitted.bends
