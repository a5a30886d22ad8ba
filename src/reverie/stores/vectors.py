"""Nearest-neighbour search over the vectors of one scope and one model; every store gives the same results.

Vectors are stored in half precision, in columns that grow by amortised appends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from reverie.errors import InvalidInput
from reverie.formulas.centring import centre, centred, centred_cosines, unit
from reverie.types import BoolArray, FloatArray, IntArray, ModelInfo

_FIRST = 64


class GrowingColumn:
    """An array that grows: values of one type, or rows of ``width`` values each, contiguous in memory."""

    __slots__ = ("_data", "_size")

    def __init__(self, dtype: npt.DTypeLike, width: int = 0) -> None:
        self._data: npt.NDArray[Any] = np.empty((0, width) if width else 0, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> npt.NDArray[Any]:
        """The values so far, without a copy; the owner may write to them."""
        return self._data[: self._size]

    @property
    def nbytes(self) -> int:
        """Bytes of the array, with the room left to grow."""
        return self._data.nbytes

    def reserve(self, size: int) -> None:
        """Allocate room for ``size`` values, and an eighth more."""
        if size > len(self._data):
            room = max(_FIRST, size + size // 8)
            grown = np.empty((room, *self._data.shape[1:]), self._data.dtype)
            grown[: self._size] = self.values
            self._data = grown

    def extend(self, values: npt.ArrayLike, count: int) -> None:
        """Append ``count`` values (or one value ``count`` times)."""
        end = self._size + count
        if end > len(self._data):
            self.reserve(end + self._size // 4)
        self._data[self._size : end] = values
        self._size = end

    def add_room(self, count: int) -> None:
        """Append ``count`` values that are still to be set, which touches no memory."""
        if self._size + count > len(self._data):
            self.reserve(self._size + count + self._size // 4)
        self._size += count

    def part(self) -> None:
        """Copy the data, so that arrays already returned no longer change."""
        self._data = self._data.copy()


HalfArray: TypeAlias = npt.NDArray[np.float16]
CodeArray: TypeAlias = npt.NDArray[np.uint64]
Found: TypeAlias = tuple[IntArray, FloatArray]

FLAT_MAX = 4_096
"""Most rows that are all compared exactly. 2026-11-21, 384 dimensions: with more rows the matrix product is the slowest
step of a recall, and its threads wait for one another on busy cores; comparing sign bits needs one thread."""

WIDE_MAX = 16_384
"""Most rows that are kept as float32 (24 MB at 384 dimensions), to save converting them; the values are the same."""

MEAN_OF = FLAT_MAX
"""The mean is taken over so many first rows, so that it no longer changes once sign bits are made with it."""

_SHORTLIST = 400
_SHORTLIST_LARGE = 1_000
_LARGE = 200_000
_BLOCK = 65_536
_WORDS_AT_ONCE = 3
"""The differing bits of so many words can be counted in a byte."""
_CHUNK = 1_024
"""Rows whose sign bits are made at once: so many fit in the processor's cache."""
_SLACK = np.float32(2e-3)
_FAR = np.uint16(65_535)
_FEW = 4
"""If at most one row in so many is allowed, only the sign bits of those rows are gathered and compared."""
_EXPONENT = np.uint16(0x7C00)
_WIDEN = np.float32(2.0**112)
_MANTISSA_GROWTH = 13
_WITHOUT_SIGN_COPIES = np.int32(-0x70002000)
"""Clears the copies of the sign that remain when it is moved from bit 15 to bit 31 through signed integers."""


def pack(vector: FloatArray, model: ModelInfo) -> HalfArray:
    """Convert a vector to half precision, as it is stored.

    Raises:
        InvalidInput: its length is not the model's dimensions, or a value is not finite.
    """
    row = np.asarray(vector, np.float32)
    if row.shape != (model.dims,) or not (isfinite(row.dot(row)) or np.isfinite(row).all()):  # one sum, as a rule
        raise InvalidInput(
            f"A vector of shape {row.shape} is not one of {model.key}.",
            f"Hand in {model.dims} finite numbers.",
        )
    return row.astype(np.float16)


def unpack(data: bytes, dims: int) -> HalfArray:
    """Read stored rows, one after the other, into an array (n, dims).

    Raises:
        ValueError: the bytes are not rows of ``dims`` finite numbers.
    """
    rows = np.frombuffer(data, "<f2").reshape(-1, dims).astype(np.float16, copy=False)
    if ((rows.view(np.uint16) & _EXPONENT) == _EXPONENT).any():
        raise ValueError("a vector holds what is no number")
    return rows


def wide(rows: npt.NDArray[Any]) -> FloatArray:
    """Return float16 or float32 rows as float32."""
    return widen(rows) if rows.dtype == np.float16 else rows


def widen(rows: HalfArray) -> FloatArray:
    """Convert float16 to float32, exactly; on bits, because numpy's own conversion takes four times as long."""
    bits = rows.view(np.int16).astype(np.int32)
    bits <<= _MANTISSA_GROWTH
    bits &= _WITHOUT_SIGN_COPIES
    wide = bits.view(np.float32)
    wide *= _WIDEN
    return wide


@dataclass(frozen=True, slots=True)
class VectorView:
    """The vectors at one moment; ``rows`` are float32 or float16.

    With more than ``FLAT_MAX`` rows it has ``codes`` (words, n), their sign bits, and ``lengths`` (n,): each row's
    distance from the mean.
    """

    dims: int
    embedded: int
    present: BoolArray | None
    rows: npt.NDArray[Any]
    codes: CodeArray | None
    lengths: FloatArray | None
    mean: FloatArray

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> Found:
        """Return the ``top_k`` rows of highest centred cosine with the query, descending, ties by ordinal."""
        size = len(self.rows)
        if size == 0 or top_k <= 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        self._require(query)
        allowed = self._allowed(among)
        if not query.any():
            ordinals = np.arange(size) if allowed is None else np.flatnonzero(allowed)
            return ordinals[:top_k], np.zeros(min(top_k, len(ordinals)), np.float32)
        if self.codes is None:
            shortlist = self._flat(query, top_k, allowed)
        else:
            shortlist = self._coded(self.codes, query, top_k, allowed)
        scores = self.similarities(query, shortlist)
        order = np.argsort(-scores, kind="stable")[:top_k]  # the shortlist ascends
        return shortlist[order], scores[order]

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these rows with the query; 0 where there is no vector."""
        self._require(query)
        lengths = None if self.lengths is None else self.lengths[ordinals]
        return self._hide(centred_cosines(query, self._wide(ordinals), self.mean, lengths), ordinals)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these rows with the query; 0 where there is no vector."""
        self._require(query)
        scores: FloatArray = np.einsum("ij,j->i", self._wide(ordinals), np.asarray(query, np.float32))
        return self._hide(scores, ordinals)

    def of(self, ordinals: IntArray) -> FloatArray:
        """Return these rows as they were stored, in float32; zeros where there is no vector."""
        return self._wide(ordinals)

    def _hide(self, scores: FloatArray, ordinals: IntArray) -> FloatArray:
        if self.present is not None:
            scores[~self.present[ordinals]] = 0
        return scores

    def _require(self, query: FloatArray) -> None:
        if query.shape != (self.dims,):
            raise InvalidInput(
                f"The cue's vector has shape {query.shape}, the memories' have {self.dims} dimensions.",
                "Embed cue and memories with the same model.",
            )

    def _allowed(self, among: BoolArray | None) -> BoolArray | None:
        if among is None or self.present is None:
            return self.present if among is None else among
        return among & self.present

    def _wide(self, ordinals: IntArray) -> FloatArray:
        return wide(self.rows.take(ordinals, axis=0))

    def _flat(self, query: FloatArray, top_k: int, allowed: BoolArray | None) -> IntArray:
        """Shortlist by comparing every row: (x − μ)·q / |x − μ|, where |x − μ| follows from x·μ as |x| = 1."""
        if allowed is not None and len(among := np.flatnonzero(allowed)) <= len(allowed) // _FEW:
            few = VectorView(self.dims, len(among), None, self.rows.take(among, axis=0), None, None, self.mean)
            return among[few._flat(query, top_k, None)]
        centred = unit(query - self.mean)
        along, common = (self.rows @ np.stack([centred, self.mean], axis=1)).T
        lengths = np.sqrt(np.maximum(1 - 2 * common + np.einsum("j,j->", self.mean, self.mean), 1e-6))
        scores = (along - np.einsum("j,j->", centred, self.mean)) / lengths
        if allowed is not None:
            scores[~allowed] = -np.inf
        size = len(scores)
        if top_k >= size:
            return np.flatnonzero(scores > -np.inf)
        least = np.partition(scores, size - top_k)[size - top_k]
        # A little more than top_k: half-precision rows are only nearly of length 1, and how the product rounds depends
        # on a row's place; neither affects the exact comparison that follows.
        return np.flatnonzero((scores >= least - _SLACK) & (scores > -np.inf))

    def _coded(self, codes: CodeArray, query: FloatArray, top_k: int, allowed: BoolArray | None) -> IntArray:
        size = codes.shape[1]
        shortlist = max(4 * top_k, _SHORTLIST if size <= _LARGE else _SHORTLIST_LARGE)
        count = size if allowed is None else int(np.count_nonzero(allowed))
        if allowed is not None and count <= 4 * shortlist:
            return np.flatnonzero(allowed)
        signs = encode(query[np.newaxis] - self.mean)[:, 0]
        if allowed is not None and count <= size // _FEW:
            among = np.flatnonzero(allowed)
            some = np.stack([word.take(among) for word in codes])  # ``codes.take`` would copy all of them first
            return among[_closest(hamming(some, signs), shortlist)]
        distances = hamming(codes, signs)
        if allowed is not None:
            np.putmask(distances, ~allowed, _FAR)
        return _closest(distances, shortlist)


def _closest(distances: npt.NDArray[np.uint16], shortlist: int) -> IntArray:
    """Return the indices of about ``shortlist`` lowest distances, ascending; never those of rows at ``_FAR``."""
    if shortlist >= len(distances):
        return np.flatnonzero(distances < _FAR)
    farthest = np.partition(distances, shortlist - 1)[shortlist - 1]
    found = np.flatnonzero(distances <= min(farthest, _FAR - 1))
    if len(found) > 2 * shortlist:  # thousands of equal rows: the earliest of them suffice
        nearer = np.flatnonzero(distances < farthest)
        found = np.sort(np.concatenate([nearer, found[distances[found] == farthest][:shortlist]]))
    return found


class VectorIndex:
    """The growing vectors of one scope, frozen by ``view``; a row without a vector is zero and marked absent."""

    __slots__ = (
        *("_codes", "_embedded", "_lengths", "_present", "_rows", "_set_to", "_shown", "_stale", "_sum", "_summed"),
        "dims",
    )

    def __init__(self, dims: int, expected: int = 0) -> None:
        self.dims = dims
        self._embedded = 0
        self._rows = GrowingColumn(np.float32 if expected <= WIDE_MAX else np.float16, dims)
        self._rows.reserve(expected)
        self._present = GrowingColumn(np.bool_)
        self._codes: CodeArray = np.empty((-(-dims // 64), 0), np.uint64)
        self._lengths = np.empty(0, np.float32)
        self._sum = np.zeros(dims, np.float64)
        self._summed = 0
        self._stale = 0
        self._shown = 0
        self._set_to = 0  # rows from here on were never set

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def embedded(self) -> int:
        """How many rows have a vector."""
        return self._embedded

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self._rows.nbytes + self._present.nbytes + self._codes.nbytes + self._lengths.nbytes

    @property
    def absent(self) -> IntArray:
        """The ordinals of rows without a vector, ascending."""
        return np.flatnonzero(~self._present.values)

    def extend(self, count: int) -> None:
        """Add rows that have no vector yet."""
        self._rows.add_room(count)
        self._present.extend(False, count)
        if len(self._rows) > WIDE_MAX and self._rows.values.dtype != np.float16:
            self._clear(len(self._rows))
            before, self._rows = self._rows, GrowingColumn(np.float16, self.dims)
            self._rows.extend(before.values, len(before))  # exact: every value came from float16
            self._stale = 0

    def fill(self, ordinals: IntArray, rows: HalfArray) -> None:
        """Set the vectors of rows (ordinals ascending); views taken before do not change."""
        if len(ordinals) == 0:
            return
        if ordinals[0] < self._shown:
            self._present.part()
        self._add_to_mean(ordinals, rows)
        self._embedded += int(np.count_nonzero(~self._present.values[ordinals]))
        where = _span(ordinals)
        self._clear(int(ordinals[0]) if isinstance(where, slice) else int(ordinals[-1]) + 1)
        self._set_to = max(self._set_to, int(ordinals[-1]) + 1)
        self._present.values[where] = True
        values = self._rows.values
        values[where] = rows if values.dtype == np.float16 else widen(rows)
        # Sign bits are made up to a row; those after a changed row must be made again, and all if the mean changes.
        self._stale = 0 if ordinals[0] < MEAN_OF else min(self._stale, int(ordinals[0]))

    def _clear(self, end: int) -> None:
        """Set the rows up to an ordinal to zero, of those that were never set."""
        if end > self._set_to:
            self._rows.values[self._set_to : end] = 0
            self._set_to = end

    def _add_to_mean(self, ordinals: IntArray, rows: HalfArray) -> None:
        """Update the sum of the first rows; sums of so few half-precision numbers are exact, in any order."""
        first = ordinals < MEAN_OF
        if first.any():
            at = ordinals[first]
            again = at[self._present.values[at]]
            self._sum += rows[first].sum(axis=0, dtype=np.float64)
            self._sum -= self._rows.values[again].sum(axis=0, dtype=np.float64)
            self._summed += len(at) - len(again)

    @property
    def mean(self) -> FloatArray:
        """The mean vector that is subtracted from rows and queries."""
        return centre((self._sum / max(self._summed, 1)).astype(np.float32), self._summed)

    def view(self) -> VectorView:
        """Return the vectors as they are now."""
        codes, lengths, size = None, None, len(self._rows)
        self._clear(size)
        if size > FLAT_MAX:
            if self._stale < size:
                self._encode()
            codes, lengths = self._codes[:, :size], self._lengths[:size]
        present = None if self._embedded == size else self._present.values
        self._shown = size
        return VectorView(self.dims, self._embedded, present, self._rows.values, codes, lengths, self.mean)

    def _encode(self) -> None:
        size, first = len(self._rows), self._stale
        if first < MEAN_OF:
            first = 0
        if size > self._codes.shape[1] or first == 0:
            self._make_room(size + size // 8, first)
        mean = self.mean
        for start in range(first, size, _CHUNK):
            end = min(size, start + _CHUNK)
            held = self._rows.values[start:end]
            rows, self._lengths[start:end] = centred(widen(held) if held.dtype == np.float16 else held.copy(), mean)
            self._codes[:, start:end] = encode(rows)
        self._stale = size

    def _make_room(self, size: int, kept: int) -> None:
        """Allocate new arrays for sign bits and lengths, so that views already returned keep theirs."""
        codes, lengths = np.empty((self._codes.shape[0], size), np.uint64), np.empty(size, np.float32)
        codes[:, :kept], lengths[:kept] = self._codes[:, :kept], self._lengths[:kept]
        self._codes, self._lengths = codes, lengths


def _span(ordinals: IntArray) -> IntArray | slice:
    """Return ascending ordinals as a slice if none between them is left out: many are set at once so."""
    first, last = int(ordinals[0]), int(ordinals[-1])
    return slice(first, last + 1) if last - first + 1 == len(ordinals) else ordinals


def encode(rows: FloatArray) -> CodeArray:
    """Pack the sign bits of rows, (n, dims) → (words, n), so that a scan reads one word of every row, then the next."""
    count, dims = rows.shape
    packed = np.zeros((count, -(-dims // 64) * 8), np.uint8)
    packed[:, : -(-dims // 8)] = np.packbits(rows > 0, axis=1)
    return packed.view(np.uint64).T


def hamming(codes: CodeArray, signs: CodeArray) -> npt.NDArray[np.uint16]:
    """Count the differing sign bits, (words, n) against (words,) → (n,)."""
    words, size = codes.shape
    count = getattr(np, "bitwise_count", count_by_table)
    distances = np.zeros(size, np.uint16)
    for start in range(0, size, _BLOCK):
        block, differing = codes[:, start : start + _BLOCK], distances[start : start + _BLOCK]
        for first in range(0, words, _WORDS_AT_ONCE):  # counted in bytes, as many words as these can count
            ones = count(block[first] ^ signs[first])
            for word in range(first + 1, min(first + _WORDS_AT_ONCE, words)):
                ones += count(block[word] ^ signs[word])
            differing += ones
    return distances


def count_by_table(bits: CodeArray) -> npt.NDArray[np.uint8]:
    """Count the bits that are set in each word (n,); for numpy before 2.0, which has no ``bitwise_count``."""
    ones: npt.NDArray[np.uint8] = _bytes()[bits.view(np.uint8)].reshape(-1, 8).sum(axis=1, dtype=np.uint8)
    return ones


@cache
def _bytes() -> npt.NDArray[np.uint8]:
    ones: npt.NDArray[np.uint8] = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).sum(
        axis=1, dtype=np.uint8
    )
    return ones
