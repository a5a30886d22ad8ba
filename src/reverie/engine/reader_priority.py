"""Giving way: while a dream computes and writes, whoever recalls goes first.

In: who is recalling. Out: pauses, bounded, so that a dream ends however much is recalled.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

T = TypeVar("T")

_TURN_S = 0.0001
"""How long a dream may compute before another thread gets its turn; Python's own 5 ms are a whole recall."""
_PAUSE_S = 0.001
_PATIENCE_S = 0.05
"""How long a dream waits for those who recall, between two transactions."""
_SOME = 32
"""After so many things of a loop a dream gives way."""


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
        time.sleep(_PAUSE_S)
        self.give_way()

    def give_way(self) -> None:
        """Wait while somebody recalls, but not for ever; not at all while nobody does."""
        if not self._count:
            return
        until = time.monotonic() + _PATIENCE_S
        while self._count and time.monotonic() < until:
            time.sleep(_PAUSE_S)

    def paced(self, things: Iterable[T]) -> Iterator[T]:
        """The things, giving way every some of them: a loop in Python would take turns with who recalls to its end."""
        for number, thing in enumerate(things):
            if not number % _SOME:
                self.give_way()
            yield thing


class _Turns:
    """How many dreams compute in this process, and how long a turn was before the first."""

    lock = Lock()
    dreams = 0
    usual_s = 0.0
    settles = False


@contextmanager
def short_turns() -> Iterator[None]:
    """Give other threads their turn sooner while a dream computes."""
    with _Turns.lock:
        if _Turns.dreams == 0:
            _Turns.usual_s = sys.getswitchinterval()
            _Turns.settles = gc.get_freeze_count() == 0  # what somebody else put aside stays aside
            sys.setswitchinterval(min(_TURN_S, _Turns.usual_s))
        _Turns.dreams += 1
    try:
        yield
    finally:
        with _Turns.lock:
            _Turns.dreams -= 1
            if _Turns.dreams == 0:
                sys.setswitchinterval(_Turns.usual_s)
                if _Turns.settles:
                    gc.unfreeze()


def settle() -> None:
    """Spare what a dream has loaded the collection of garbage, until it ends: that halts everybody, for .1 s and more.

    For within ``short_turns``. Nothing is done where somebody else put objects aside.
    """
    with _Turns.lock:
        if _Turns.dreams and _Turns.settles:
            gc.freeze()
