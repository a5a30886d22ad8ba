"""The forward pass of multilingual-e5-small: twelve layers of attention over at most 512 tokens.

In: the opened file of weights, and token ids. Out: one vector of 384 a text, the mean of its tokens' last states
(Wang et al. 2024, Multilingual E5 Text Embeddings).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from reverie.models.e5_file import E5File, unpack
from reverie.types import FloatArray, IntArray


class _Layer(NamedTuple):
    """One layer: queries, keys and values in one matrix; each matrix with its bias, each norm with gain and shift."""

    attend: tuple[FloatArray, FloatArray]
    mix: tuple[FloatArray, FloatArray]
    mix_norm: tuple[FloatArray, FloatArray]
    widen: tuple[FloatArray, FloatArray]
    narrow: tuple[FloatArray, FloatArray]
    norm: tuple[FloatArray, FloatArray]


class Words:
    """The table of words and places; the words stay packed, and only rows in use are opened."""

    def __init__(self, file: E5File) -> None:
        dims = file.sizes.dims
        self._packed = file.packed("emb.word")
        self._places = file.floats("emb.pos").reshape(-1, dims) + file.floats("emb.type")[:dims]

    def rows(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Shape (tokens of all texts, 384), the first text's first."""
        rows = [unpack(self._packed[np.array(tokens)]) + self._places[: len(tokens)] for tokens in texts]
        return np.concatenate(rows)


class Network:
    """The weights, unpacked once to 32-bit floats."""

    def __init__(self, file: E5File) -> None:
        self._sizes = file.sizes
        self._words = Words(file)
        self._norm = (file.floats("emb.ln.w"), file.floats("emb.ln.b"))
        self._layers = [_layer(file, f"l{number}") for number in range(file.sizes.layers)]

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Shape (n, 384); every text has at least one token, and no text sees another's."""
        lengths = np.array([len(tokens) for tokens in texts])
        starts = np.cumsum([0, *lengths])
        state = self._words.rows(texts)
        self._normalise(state, self._norm)
        for layer in self._layers:
            context = self._attend(layer, state, starts.tolist())
            state += _times(context, layer.mix)
            self._normalise(state, layer.mix_norm)
            state += _times(_gelu(_times(state, layer.widen)), layer.narrow)
            self._normalise(state, layer.norm)
        return mean_of_each(state, lengths)

    def _attend(self, layer: _Layer, state: FloatArray, starts: list[int]) -> FloatArray:
        """Each text's tokens look at one another, in every head."""
        heads, width = self._sizes.heads, self._sizes.dims // self._sizes.heads
        mixed = _times(state, layer.attend).reshape(len(state), 3, heads, width)
        mixed[:, 0] *= np.float32(width**-0.5)
        context = np.empty((len(state), heads, width), dtype=np.float32)
        for start, end in pairwise(starts):
            queries, keys, values = mixed[start:end].transpose(1, 2, 0, 3)
            weights = queries @ keys.transpose(0, 2, 1)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            context[start:end] = (weights @ values).transpose(1, 0, 2)
        return context.reshape(len(state), -1)

    def _normalise(self, rows: FloatArray, norm: tuple[FloatArray, FloatArray]) -> None:
        """Layer normalisation in place: each row to mean 0 and variance 1, then gain and shift."""
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
        rows *= (1 / np.sqrt(variance + np.float32(self._sizes.epsilon)))[:, None]
        rows *= norm[0]
        rows += norm[1]


def mean_of_each(state: FloatArray, lengths: IntArray) -> FloatArray:
    """Shape (n, 384): the mean of each text's rows, which stand one text after another."""
    sums = np.add.reduceat(state, np.cumsum(lengths) - lengths, axis=0)
    means: FloatArray = (sums / lengths[:, None]).astype(np.float32)
    return means


def _layer(file: E5File, name: str) -> _Layer:
    dims, hidden = file.sizes.dims, file.sizes.hidden

    def matrix(part: str, columns: int = dims) -> tuple[FloatArray, FloatArray]:
        return file.matrix(f"{name}.{part}.w", columns), file.floats(f"{name}.{part}.b")

    def norm(part: str) -> tuple[FloatArray, FloatArray]:
        return file.floats(f"{name}.{part}.w"), file.floats(f"{name}.{part}.b")

    weights, biases = zip(*(matrix(part) for part in "qkv"), strict=True)
    attend = (np.ascontiguousarray(np.concatenate(weights, axis=1)), np.concatenate(biases))
    return _Layer(attend, matrix("ao"), norm("aln"), matrix("fi"), matrix("fo", hidden), norm("oln"))


def _times(rows: FloatArray, layer: tuple[FloatArray, FloatArray]) -> FloatArray:
    product: FloatArray = rows @ layer[0]
    product += layer[1]
    return product


def _gelu(x: FloatArray) -> FloatArray:
    """The state times Φ of itself, Φ by approximation 7.1.26 of Abramowitz and Stegun (error below 1e-6 in float32)."""
    size = np.abs(x)
    size *= np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * size)
    tail = np.full_like(t, 1.061405429)
    for term in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail *= t
        tail += np.float32(term)
    tail *= t
    np.multiply(size, size, out=size)
    tail *= np.exp(-size)
    erf = np.copysign(1 - tail, x)
    erf += 1
    erf *= x
    erf *= np.float32(0.5)
    gelu: FloatArray = erf
    return gelu
