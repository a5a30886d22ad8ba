"""The locks of an engine: one for each scope, from a table of fixed size, and all of them for work on the whole engine.

A thread takes all locks that a call needs at once, in ascending order of their numbers, and while it holds any it may
take only such as it holds already; so no two threads can wait for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from zlib import crc32

from reverie.engine.requests import require_scope
from reverie.types import Scope

LOCKS = 64
"""Number of locks; two scopes share one by chance, and then wait for each other, but never for good."""


class ScopeLocks:
    """The locks of all scopes of one engine; ``whole`` holds all of them, for what concerns the engine as a whole.

    A thread can take again what it holds. Work on several scopes names them all at once: ``locks.of(giver, receiver)``.
    ``settle`` is called with the numbers of the locks that were just taken, so that whoever takes them finds written
    what waited to be (``engine.counting``).
    """

    def __init__(self, count: int = LOCKS) -> None:
        self._locks = tuple(threading.Lock() for _ in range(count))
        self._threads = threading.local()
        self.settle: Callable[[tuple[int, ...]], None] | None = None
        self.whole = HeldLocks(self, tuple(range(count)))

    def of(self, *scopes: Scope) -> HeldLocks:
        """Return the lock of these scopes, for ``with``. Raises InvalidInput for what is no scope."""
        if len(scopes) == 1:
            return HeldLocks(self, (self.number(scopes[0]),))
        return HeldLocks(self, tuple(sorted({self.number(scope) for scope in scopes})))

    def unsettled(self, scope: Scope) -> HeldLocks:
        """Return the lock of a scope for what needs no access count, so that recalls may wait on to be counted."""
        return HeldLocks(self, (self.number(scope),), settles=False)

    def number(self, scope: Scope) -> int:
        """Return the number of a scope's lock, the same in each process: who shares a lock is counted with whom.

        Raises:
            InvalidInput: for what is no scope.
        """
        one = require_scope(scope)
        return crc32("\0".join((one.agent, one.user, one.project)).encode()) % len(self._locks)

    def take(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Wait for these locks, except those that this thread holds; return the numbers of the others.

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
        return fresh

    def give_back(self) -> None:
        """Release what the thread's last ``take`` took."""
        self._release(self._threads.frames.pop())

    def _release(self, numbers: tuple[int, ...]) -> None:
        for number in reversed(numbers):
            self._locks[number].release()


class HeldLocks:
    """Locks to hold within ``with``; can be used again and again, also by several threads and nested."""

    __slots__ = ("_numbers", "_settles", "_table")

    def __init__(self, table: ScopeLocks, numbers: tuple[int, ...], *, settles: bool = True) -> None:
        self._table = table
        self._numbers = numbers
        self._settles = settles

    def __enter__(self) -> None:
        fresh = self._table.take(self._numbers)
        if fresh and self._settles and self._table.settle is not None:
            try:
                self._table.settle(fresh)
            except BaseException:
                self._table.give_back()
                raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.give_back()
