"""A long call tells how far it is, and ends where its request was cancelled."""

from __future__ import annotations

import threading

import anyio
import pytest

from reverie.faces.mcp.server import Progress, in_thread


def test_each_step_is_told_once() -> None:
    """Progress only rises; what is told again within a step is not sent."""
    heard: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total, message))

    def work() -> None:
        progress = Progress(report)
        for done, name in ((0, "a"), (0, "a"), (1, "b"), (1, "b")):
            progress(done, 2, name)

    anyio.run(in_thread, work)
    assert heard == [(0, 2, "a"), (1, 2, "b")]


def test_a_cancelled_call_ends_at_its_next_step() -> None:
    """And not before its thread has ended: nothing goes on behind the caller's back."""
    begun, go_on = threading.Event(), threading.Event()
    steps: list[int] = []

    async def report(*_: object) -> None:
        begun.set()

    def work() -> None:
        progress = Progress(report)
        for step in range(1000):
            progress(step, 1000, "step")
            steps.append(step)
            go_on.wait()

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(in_thread, work)
            await anyio.to_thread.run_sync(begun.wait)
            tasks.cancel_scope.cancel()
            go_on.set()

    anyio.run(run)
    assert len(steps) <= 2


def test_an_error_comes_through() -> None:
    """As it was raised."""

    def work() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError):
        anyio.run(in_thread, work)
