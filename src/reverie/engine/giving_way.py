"""Giving way: while a dream computes and writes, whoever recalls goes first.

In: who is recalling. Out: pauses, bounded, so that a dream ends however much is recalled.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_TURN_S = 0.0001
"""How long a dream may compute before another thread gets its turn; Python's own 5 ms are a whole recall."""
_PAUSE_S = 0.001
_PATIENCE_S = 0.05
"""How long a dream waits for those who recall, between two transactions."""


class Guests:
    """Counts who is recalling right now."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Somebody recalls."""
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1

    def let_through(self) -> None:
        """Wait a moment, and on while somebody recalls: a lock given back and taken again at once is seen by nobody."""
        until = time.monotonic() + _PATIENCE_S
        time.sleep(_PAUSE_S)
        while self._count and time.monotonic() < until:
            time.sleep(_PAUSE_S)


class _Turns:
    """How many dreams compute in this process, and how long a turn was before the first."""

    lock = Lock()
    dreams = 0
    usual_s = 0.0


@contextmanager
def short_turns() -> Iterator[None]:
    """Give other threads their turn sooner while a dream computes."""
    with _Turns.lock:
        if _Turns.dreams == 0:
            _Turns.usual_s = sys.getswitchinterval()
            sys.setswitchinterval(min(_TURN_S, _Turns.usual_s))
        _Turns.dreams += 1
    try:
        yield
    finally:
        with _Turns.lock:
            _Turns.dreams -= 1
            if _Turns.dreams == 0:
                sys.setswitchinterval(_Turns.usual_s)
