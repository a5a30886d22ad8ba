"""Clocks and id generators. Only the engine makes them; everything below it receives them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from reverie.types import base32

_SALTS: ContextVar[Iterator[bytes] | None] = ContextVar("reverie_salts", default=None)


@contextmanager
def salting(salts: Iterator[bytes]) -> Iterator[None]:
    """Take the salts of all events within the block from here, so that whoever made them knows the events again.

    They must be as hard to guess as random ones: 16 bytes each, derived from a secret.
    """
    token = _SALTS.set(salts)
    try:
        yield
    finally:
        _SALTS.reset(token)


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """Return the current time."""
        return datetime.now(UTC)


class FixedClock:
    """A clock that returns the same time until it is set: for tests, demos and replays."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self.at


class RandomIds:
    """Ids of 26 characters that sort by time (the ULID layout): 48 bits of milliseconds, 80 random bits.

    The ids of one generator always rise, even when the clock stops or goes back. With a ``seed`` the same calls give
    the same ids and salts again; without one, the random bits come from the operating system.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)
        self._last = 0

    def new_id(self, at: datetime) -> str:
        """Return a new id for something made at ``at``."""
        millis = max(int(at.timestamp() * 1000), 0)
        self._last = max((millis << 80) | self._random.getrandbits(80), self._last + 1)
        return base32(self._last)

    def salt(self) -> bytes:
        """Return sixteen random bytes; within ``salting``, the given ones."""
        given = _SALTS.get()
        return self._random.getrandbits(128).to_bytes(16, "big") if given is None else next(given)
