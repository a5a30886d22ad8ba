"""A growing column: blocks of values in, one contiguous array out, appends amortised.

Views handed out stay as they are: growing never touches the values before, and ``part`` gives the column an array of
its own before old values are changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_FIRST = 64


class Column:
    """Values of one type, or rows of ``width`` values each."""

    __slots__ = ("_data", "_size")

    def __init__(self, dtype: npt.DTypeLike, width: int = 0) -> None:
        self._data: npt.NDArray[Any] = np.empty((0, width) if width else 0, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> npt.NDArray[Any]:
        """The values so far, without a copy; writable for the owner."""
        return self._data[: self._size]

    def reserve(self, size: int) -> None:
        """Make room for ``size`` values at once, and an eighth to grow."""
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

    def part(self) -> None:
        """Copy, so that views handed out no longer see changes."""
        self._data = self._data.copy()
