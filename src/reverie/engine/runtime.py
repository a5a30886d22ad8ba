"""The clock and the chance of the real world. Nothing below the engine makes its own."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from reverie.types import base32


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The current time."""
        return datetime.now(UTC)


class FixedClock:
    """A clock that shows the same time until it is set, for tests, demos and replays."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """The time it was set to."""
        return self.at


class RandomIds:
    """Ids of 26 characters that sort by time (the ULID layout): 48 bits of milliseconds, 80 bits of chance.

    Within one process they always rise, even when the clock stands still or goes back. With a ``seed`` the same calls
    give the same ids and salts again; without one, chance comes from the operating system.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)
        self._last = 0

    def new_id(self, at: datetime) -> str:
        """A fresh id for something made at ``at``."""
        millis = max(int(at.timestamp() * 1000), 0)
        self._last = max((millis << 80) | self._random.getrandbits(80), self._last + 1)
        return base32(self._last)

    def salt(self) -> bytes:
        """Sixteen bytes of chance."""
        return self._random.getrandbits(128).to_bytes(16, "big")
