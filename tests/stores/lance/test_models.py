"""Whose vectors lie in the table is measured."""

from __future__ import annotations

import numpy as np

from reverie.stores.lance.sync import SAMPLE, same
from tests.stores.lance.making import vector_of
from tests.stores.making import MODEL, OTHER_MODEL


def pairs(count: int, strange: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Vectors of texts by one model, and by the same, or (``strange`` of them) by another."""
    texts = [f"text {number}" for number in range(count)]
    return [(vector_of(t), 3 * vector_of(t, OTHER_MODEL if n < strange else MODEL)) for n, t in enumerate(texts)]


def test_one_model_is_itself_whatever_the_length() -> None:
    """Vectors that are not of unit length are compared all the same."""
    assert same(pairs(5)) is True
    assert same([(a.astype(np.float16).astype(np.float32), b) for a, b in pairs(5)]) is True


def test_two_models_are_two() -> None:
    """Of the same width, too; a few odd rows do not decide."""
    assert same(pairs(5, strange=5)) is False
    assert same(pairs(5, strange=1)) is True
    assert same(pairs(SAMPLE, strange=SAMPLE - 2)) is False


def test_nothing_tells_nothing() -> None:
    """Neither no pairs, nor vectors of nothing, nor of other widths."""
    zero = np.zeros(MODEL.dims, np.float32)
    assert same([]) is None
    assert same([(zero, vector_of("x"))]) is None
    assert same([(vector_of("x")[:8], vector_of("x"))]) is None
