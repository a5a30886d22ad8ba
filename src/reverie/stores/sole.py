"""One at a time within a process, and what those are told who come second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from reverie.errors import Conflict


def taken() -> Conflict:
    """The error for who comes second."""
    return Conflict("Somebody is dreaming over this store already.", "Wait until that dream has ended.")


@contextmanager
def sole(lock: Lock) -> Iterator[None]:
    """Hold a lock, without waiting for it. Raises Conflict where it is held."""
    if not lock.acquire(blocking=False):
        raise taken()
    try:
        yield
    finally:
        lock.release()
