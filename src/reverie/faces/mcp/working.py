"""Work in threads: in, a plain call; out, its answer, while the server goes on reading.

A request that is cancelled waits for its thread, so nothing goes on behind its back: a short call runs to its end, a
long one ends where it next tells how far it is.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

from anyio import from_thread, to_thread

T = TypeVar("T")
Report: TypeAlias = Callable[[float, float | None, str | None], Coroutine[Any, Any, None]]


async def in_thread(work: Callable[[], T]) -> T:
    """What a call gives that was run in a worker thread."""
    return await to_thread.run_sync(work)


class Progress:
    """Tells a client how far a long call is; called in the worker's thread, it ends a call that was cancelled."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told = -1

    def __call__(self, done: int, steps: int, name: str) -> None:
        """So many of the steps are done, and the one of this name is at work. Raises where the client cancelled."""
        from_thread.check_cancelled()
        if done > self._told:
            self._told = done
            from_thread.run(self._report, done, steps, name)
