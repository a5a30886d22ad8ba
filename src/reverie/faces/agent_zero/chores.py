"""What is done beside the loop: in, work that touches files; out, it is done in a thread, and its outcome on the loop.

Work is done in the order in which it was begun, one piece at a time: what a pass reads was written by then. A loop that
closes cancels its tasks; a chore then ends its work first. ``settled`` waits for all of a loop's chores.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")

_running: set[asyncio.Task[None]] = set()
"""Tasks that nobody else holds; a loop holds its tasks weakly."""


def start(work: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    """Do ``work`` in a thread, and after it ``then`` on the loop; an error in either goes to ``failed``."""
    keep(asyncio.get_running_loop().create_task(_chore(work, then, failed)))


def keep(task: asyncio.Task[None]) -> None:
    """Hold a task until it is done."""
    _running.add(task)
    task.add_done_callback(_running.discard)


@cache
def worker() -> ThreadPoolExecutor:
    """The one thread of this process in which chores are done."""
    return ThreadPoolExecutor(1, "memory-chores")


async def settled(first: Callable[[], None] = lambda: None) -> None:
    """Wait until every chore of this loop is done, and those that it began; ``first`` ends what waits for something."""
    loop = asyncio.get_running_loop()
    while waiting := [task for task in _running if task.get_loop() is loop]:
        first()
        await asyncio.wait(waiting)
        await asyncio.sleep(0)  # done tasks leave the set by a call of their own


async def _chore(work: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    future = asyncio.get_running_loop().run_in_executor(worker(), work)
    try:
        await asyncio.wait({future})
    except asyncio.CancelledError:
        await asyncio.wait({future})
        _end(future, then, failed)
        raise
    _end(future, then, failed)


def _end(future: asyncio.Future[T], then: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
    try:
        then(future.result())
    except Exception as error:  # noqa: BLE001 - a host's edge: nothing of ours may break the agent's loop (A13)
        failed(error)
