"""The locks of an engine: one for each scope, from a table of fixed size, and all of them for work on the whole engine.

A thread takes all locks that a call needs at once, in ascending order of their numbers, and while it holds any it may
take only such as it holds already; so no two threads can wait for each other.
"""

from __future__ import annotations

import threading
from types import TracebackType

from reverie.engine.requests import require_scope
from reverie.types import Scope

LOCKS = 64
"""Number of locks; two scopes share one by chance, and then wait for each other, but never for good."""


class ScopeLocks:
    """The locks of all scopes of one engine; ``whole`` holds all of them, for what concerns the engine as a whole.

    A thread can take again what it holds. Work on several scopes names them all at once: ``locks.of(giver, receiver)``.
    """

    def __init__(self, count: int = LOCKS) -> None:
        self._locks = tuple(threading.Lock() for _ in range(count))
        self._threads = threading.local()
        self.whole = HeldLocks(self, tuple(range(count)))

    def of(self, *scopes: Scope) -> HeldLocks:
        """Return the lock of these scopes, for ``with``. Raises InvalidInput for what is no scope."""
        count = len(self._locks)
        if len(scopes) == 1:
            return HeldLocks(self, (hash(require_scope(scopes[0])) % count,))
        return HeldLocks(self, tuple(sorted({hash(require_scope(scope)) % count for scope in scopes})))

    def take(self, numbers: tuple[int, ...]) -> None:
        """Wait for these locks, except those that this thread holds.

        Raises:
            RuntimeError: the thread holds other locks, so that waiting for these could last for ever.
        """
        frames: list[tuple[int, ...]] | None = getattr(self._threads, "frames", None)
        if frames is None:
            frames = self._threads.frames = []
        held = {number for frame in frames for number in frame} if frames else frozenset[int]()
        fresh = tuple(number for number in numbers if number not in held)
        if fresh and held:
            raise RuntimeError("A call that holds one scope's lock takes another's: name both at once, locks.of(a, b).")
        for done, number in enumerate(fresh):
            try:
                self._locks[number].acquire()
            except BaseException:  # interrupted while waiting: give back what was taken
                self._release(fresh[:done])
                raise
        frames.append(fresh)

    def give_back(self) -> None:
        """Release what the thread's last ``take`` took."""
        self._release(self._threads.frames.pop())

    def _release(self, numbers: tuple[int, ...]) -> None:
        for number in reversed(numbers):
            self._locks[number].release()


class HeldLocks:
    """Locks to hold within ``with``; can be used again and again, also by several threads and nested."""

    __slots__ = ("_numbers", "_table")

    def __init__(self, table: ScopeLocks, numbers: tuple[int, ...]) -> None:
        self._table = table
        self._numbers = numbers

    def __enter__(self) -> None:
        self._table.take(self._numbers)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.give_back()
