"""Locks that let one thread or process at a time rework a whole store; the others get an error at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from reverie.errors import Conflict, StoreReadOnly


def taken() -> Conflict:
    """Make the error for a caller that finds the lock taken."""
    return Conflict(
        "Somebody is dreaming over this store already, or repairing it.", "Wait until that dream or repair has ended."
    )


@contextmanager
def sole(lock: Lock) -> Iterator[None]:
    """Hold a lock for the length of a ``with`` block. Raises Conflict at once if it is taken."""
    if not lock.acquire(blocking=False):
        raise taken()
    try:
        yield
    finally:
        lock.release()


_SUFFIX = "-dream"


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on an empty file beside the store; reading and writing the store itself stays possible.

    Raises:
        Conflict: another process or thread holds the lock.
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
