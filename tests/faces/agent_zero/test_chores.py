import asyncio
import threading
from collections.abc import Callable

from reverie.faces.agent_zero import shelves


def nothing(_: object) -> None:
    """An outcome or error nobody waits for."""


def test_work_is_done_in_a_thread_in_its_order_and_told_on_the_loop() -> None:
    """What is begun later is done later, and never on the loop."""
    done: list[object] = []
    here = threading.get_ident()

    def work(name: str) -> Callable[[], tuple[str, bool]]:
        return lambda: (name, threading.get_ident() == here)

    async def begin() -> None:
        for name in "abc":
            shelves.start(work(name), done.append, nothing)
        await shelves.settled()

    asyncio.run(begin())
    assert done == [("a", False), ("b", False), ("c", False)]


def test_a_loop_that_closes_ends_its_chores_first() -> None:
    """What was begun is done, though nobody waited for it."""
    done: list[object] = []
    may_end = threading.Event()

    async def begin() -> None:
        shelves.start(lambda: may_end.wait(10), done.append, nothing)
        asyncio.get_running_loop().call_later(0.01, may_end.set)
        await asyncio.sleep(0)

    threading.Timer(0.05, may_end.set).start()
    asyncio.run(begin())
    assert done == [True]


def test_an_error_is_told_and_goes_no_further() -> None:
    """Whether it happened in the work or in what comes after it; the next piece of work is done."""
    failed: list[str] = []

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async def begin() -> None:
        shelves.start(broken, nothing, lambda error: failed.append(type(error).__name__))
        shelves.start(lambda: 1, broken, lambda error: failed.append(type(error).__name__))
        await shelves.settled()

    asyncio.run(begin())
    assert failed == ["ZeroDivisionError", "ZeroDivisionError"]


def test_a_chore_may_begin_another() -> None:
    """Settled is settled: also what was begun meanwhile."""
    done: list[object] = []

    async def begin() -> None:
        shelves.start(lambda: 1, lambda _: shelves.start(lambda: 2, done.append, nothing), nothing)
        await shelves.settled()

    asyncio.run(begin())
    assert done == [2]
