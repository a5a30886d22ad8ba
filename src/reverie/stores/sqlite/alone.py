"""One at a time: of several processes that want to rework a whole store, one does, the others are told.

In: the store's path. Out: a context held by one process; the system lets go of it if that process dies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from reverie.errors import StoreReadOnly
from reverie.stores.sole import taken

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
