"""The forward pass of multilingual-e5-small in numpy, and the reader of its four-bit file of weights."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from reverie.types import FloatArray, IntArray

BLOCK = 32
BLOCK_BYTES = 18
_HEADER = struct.Struct(
    "<8x7if4xi4i"
)  # after magic and version; sizes, epsilon, (block), vocabulary and special tokens


@dataclass(frozen=True, slots=True)
class Sizes:
    """Dimensions of the network."""

    dims: int
    layers: int
    heads: int
    hidden: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The word pieces with their scores, the special tokens, and the replacement of characters before tokenising."""

    pieces: list[str]
    scores: list[float]
    begin: int
    end: int
    unknown: int
    characters: dict[int, str]


class E5File:
    """The opened file of weights: network sizes, vocabulary and tensors."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        dims, layers, heads, hidden, _, _, _, epsilon, count, *special = _HEADER.unpack_from(data)
        self.sizes = Sizes(dims, layers, heads, hidden, epsilon)
        at = _HEADER.size
        (blob_bytes,) = struct.unpack_from("<Q", data, at)
        offsets = np.frombuffer(data, dtype="<u4", count=count + 1, offset=at + 8)
        at += 8 + offsets.nbytes
        scores: list[float] = np.frombuffer(data, dtype="<f4", count=count, offset=at).tolist()
        at += 4 * count
        pieces = _split(data[at : at + blob_bytes], offsets)
        characters, at = _characters(data, at + blob_bytes)
        begin, end, _, unknown = special
        self.vocabulary = Vocabulary(pieces, scores, begin, end, unknown, characters)
        self._places = _directory(data, at)

    def floats(self, name: str) -> FloatArray:
        """Return a 32-bit tensor, flat."""
        start, size = self._places[name]
        return np.frombuffer(self._data, dtype="<f4", count=size // 4, offset=start)

    def packed(self, name: str) -> npt.NDArray[np.uint8]:
        """Return the rows of a four-bit tensor with ``dims`` columns, still packed."""
        start, size = self._places[name]
        row = self.sizes.dims // BLOCK * BLOCK_BYTES
        return np.frombuffer(self._data, dtype=np.uint8, count=size, offset=start).reshape(-1, row)

    def matrix(self, name: str, columns: int) -> FloatArray:
        """Return a four-bit tensor unpacked and transposed, shape (columns, rows), to be multiplied from the right."""
        start, size = self._places[name]
        packed = np.frombuffer(self._data, dtype=np.uint8, count=size, offset=start)
        return np.ascontiguousarray(unpack(packed.reshape(-1, columns // BLOCK * BLOCK_BYTES)).T)


def unpack(rows: npt.NDArray[np.uint8]) -> FloatArray:
    """Unpack four-bit rows, shape (n, blocks · 18), to floats, shape (n, blocks · 32)."""
    blocks = rows.reshape(-1, BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    numbers = np.empty((len(blocks), BLOCK), dtype=np.float32)
    numbers[:, : BLOCK // 2] = blocks[:, 2:] & 15
    numbers[:, BLOCK // 2 :] = blocks[:, 2:] >> 4
    numbers -= 8
    numbers *= scales
    return numbers.reshape(len(rows), -1)


def _split(blob: bytes, offsets: IntArray) -> list[str]:
    bounds = offsets.tolist()
    parts = [blob[start:end] for start, end in pairwise(bounds)]
    return b"\n".join(parts).decode().split("\n")


def _characters(data: bytes, at: int) -> tuple[dict[int, str], int]:
    """Read the character map (each entry a code point, a count, and so many code points), and where it ends."""
    count, size = struct.unpack_from("<iI", data, at)
    start = at = at + 8
    becomes: dict[int, str] = {}
    for _ in range(count):
        code, length = struct.unpack_from("<IB", data, at)
        becomes[code] = "".join(map(chr, struct.unpack_from(f"<{length}I", data, at + 5)))
        at += 5 + 4 * length
    return becomes, start + size


def _directory(data: bytes, at: int) -> dict[str, tuple[int, int]]:
    """Read the file's directory of tensors: name → (start, bytes)."""
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    places = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        places[name] = struct.unpack_from("<QQ", data, at + 2 + length + 5)
        at += 2 + length + 21
    return places


class _Layer(NamedTuple):
    """Weights of one layer: queries, keys and values as one matrix; a bias per matrix, gain and shift per norm."""

    attend: tuple[FloatArray, FloatArray]
    mix: tuple[FloatArray, FloatArray]
    mix_norm: tuple[FloatArray, FloatArray]
    widen: tuple[FloatArray, FloatArray]
    narrow: tuple[FloatArray, FloatArray]
    norm: tuple[FloatArray, FloatArray]


class TokenIds:
    """The embedding table of tokens and positions; token rows stay packed, and only those in use are unpacked."""

    def __init__(self, file: E5File) -> None:
        dims = file.sizes.dims
        self._packed = file.packed("emb.word")
        self._places = file.floats("emb.pos").reshape(-1, dims) + file.floats("emb.type")[:dims]

    def rows(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Return the input vectors of all tokens, shape (tokens of all texts, 384), text after text."""
        rows = [unpack(self._packed[np.array(tokens)]) + self._places[: len(tokens)] for tokens in texts]
        return np.concatenate(rows)


class E5Network:
    """The forward pass in numpy, twelve attention layers; the weights are unpacked once to 32-bit floats."""

    def __init__(self, file: E5File) -> None:
        self._sizes = file.sizes
        self._words = TokenIds(file)
        self._norm = (file.floats("emb.ln.w"), file.floats("emb.ln.b"))
        self._layers = [_layer(file, f"l{number}") for number in range(file.sizes.layers)]

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Embed tokenised texts, (n, 384); each must have a token, and its vector does not depend on the others."""
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
        """Compute multi-head attention, within each text."""
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
        """Apply layer normalisation in place: each row to mean 0 and variance 1, then gain and shift."""
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
        rows *= (1 / np.sqrt(variance + np.float32(self._sizes.epsilon)))[:, None]
        rows *= norm[0]
        rows += norm[1]


def mean_of_each(state: FloatArray, lengths: IntArray) -> FloatArray:
    """Return the mean of each text's rows, shape (n, 384); the texts' rows follow one another in ``state``."""
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
    """Compute x · Φ(x), with Φ by approximation 7.1.26 of Abramowitz and Stegun (error below 1e-6 in float32)."""
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
