"""Who speaks before and after whom: sessions and places in, ordinals of neighbours out.

Within a session messages stand by their place, equal places by order of writing, however late a message arrived.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.stores.columns import Column
from reverie.types import BoolArray, IntArray

_BULK = 512
"""From so many rows on sorting everything once is cheaper than walking the chain for each."""


class Links:
    """The neighbour chain of one scope; rows that are no message of their own stand outside it."""

    __slots__ = ("_codes", "_following", "_last", "_places", "_previous", "_sessions", "_settled")

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._last: dict[int, int] = {}
        self._settled = True
        self._sessions = Column(np.int32)
        self._places = Column(np.int64)
        self._previous = Column(np.int64)
        self._following = Column(np.int64)

    @property
    def previous(self) -> IntArray:
        """(n,) ordinal of the message before, −1 for none."""
        self._settle()
        return self._previous.values

    @property
    def following(self) -> IntArray:
        """(n,) ordinal of the message after, −1 for none."""
        self._settle()
        return self._following.values

    def part(self) -> None:
        """Leave the arrays handed out to whoever holds them."""
        self._previous.part()
        self._following.part()

    def append(self, chained: BoolArray, sessions: Sequence[str], places: IntArray) -> None:
        """Add rows; ``chained`` tells which of them are messages of a session."""
        first, count = len(self._sessions), len(sessions)
        codes = [
            self._codes.setdefault(session, len(self._codes)) if linked else -1
            for session, linked in zip(sessions, chained.tolist(), strict=True)
        ]
        self._sessions.extend(codes, count)
        self._places.extend(places, count)
        self._previous.extend(-1, count)
        self._following.extend(-1, count)
        if count >= _BULK or not self._settled:
            self._settled = False
            return
        for ordinal, code in enumerate(codes, first):
            if code >= 0:
                self._link(ordinal, code)

    def _link(self, ordinal: int, code: int) -> None:
        places, previous, following = self._places.values, self._previous.values, self._following.values
        after, before = -1, self._last.get(code, -1)
        while before >= 0 and places[before] > places[ordinal]:
            after, before = before, int(previous[before])
        previous[ordinal], following[ordinal] = before, after
        if before >= 0:
            following[before] = ordinal
        if after >= 0:
            previous[after] = ordinal
        else:
            self._last[code] = ordinal

    def _settle(self) -> None:
        """Link everything at once, after one or many bulks."""
        if self._settled:
            return
        self._settled = True
        sessions, places = self._sessions.values, self._places.values
        rows = np.flatnonzero(sessions >= 0)
        rows = rows[np.lexsort((rows, places[rows], sessions[rows]))]
        codes = sessions[rows]
        same = codes[1:] == codes[:-1]
        before, after = rows[:-1], rows[1:]
        self._previous.values[after] = np.where(same, before, -1)
        self._following.values[before] = np.where(same, after, -1)
        if len(rows):
            self._previous.values[rows[0]] = self._following.values[rows[-1]] = -1
            ends = np.flatnonzero(np.append(~same, True))
            self._last = dict(zip(codes[ends].tolist(), rows[ends].tolist(), strict=True))
