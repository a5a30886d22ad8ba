"""One at a time: of several threads or processes that want to rework a whole store one does, the others are told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from reverie.errors import Conflict, StoreReadOnly

# One at a time within a process, and what those are told who come second.


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


# One at a time: of several processes that want to rework a whole store, one does, the others are told.


_SUFFIX = "-dream"


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file beside the store, empty and locked; the store itself stays free for those who read and write.

    Raises:
        Conflict: another process, or another thread, holds it.
        StoreReadOnly: the file cannot be made.
    """
    beside = path.with_name(path.name + _SUFFIX)
    try:
        held = sqlite3.connect(beside, timeout=0, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise taken() from None
        raise StoreReadOnly(
            f"{beside} cannot be made ({error}).", "Give this user the right to write there."
        ) from error
    with closing(held):
        yield
