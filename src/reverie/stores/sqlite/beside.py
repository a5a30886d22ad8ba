"""A small SQLite file beside a store: jobs, or what a team's service keeps. Opened, migrated and written in one way.

It is this user's alone: one that others may read or write may have come with a folder, and is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from reverie.durable import OWNER_ONLY, open_own, require_private, unwritable
from reverie.errors import StoreError, StoreTooNew
from reverie.stores.sqlite.cipher import Key, driver, is_plain, refused, unlock, wrong_key
from reverie.stores.sqlite.connection import translated

BUSY_S = 30.0
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", "trusted_schema=OFF")


class SmallFile:
    """One file with its tables, for any number of threads and processes; in memory if ``path`` is None.

    Args:
        path: the file, made if there is none.
        migrations: the SQL of each version of the tables, the first first; the file keeps how many were run.
        key: the key of an encrypted file. A plain one, which an earlier version left, is encrypted first.

    Raises:
        StoreTooNew, StoreError: it cannot be opened.
        InvalidInput: others may read or write it.
    """

    def __init__(self, path: Path | None, migrations: Sequence[str], *, key: Key | None = None) -> None:
        self._lock = RLock()
        self._path, self._migrations = path, migrations
        self._errors: tuple[type[Exception], ...] = (sqlite3.Error, *refused(key))
        if path is not None:
            _own(path)
            if key is not None and is_plain(path):
                from reverie.stores.sqlite.conversion import convert_small

                convert_small(path, None, key)
        self._base = self._opened(path, key)
        try:
            self._migrate()
        except BaseException:
            self._base.close()
            raise

    def _opened(self, path: Path | None, key: Key | None) -> Any:
        with self._mended():
            base = driver(key).connect(
                ":memory:" if path is None else path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
            )
            try:
                unlock(base, key)
                for pragma in _PRAGMAS:
                    base.execute(f"PRAGMA {pragma}").fetchall()
            except self._errors as error:
                base.close()
                if path is not None and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                    raise _unreadable(path, key) from error
                raise
        return base

    def _migrate(self) -> None:
        with self.changing() as base:
            done = self.require_known()
            for script in self._migrations[done:]:
                for statement in script.split(";\n"):
                    base.execute(statement)
            if done < len(self._migrations):
                base.execute(f"PRAGMA user_version={len(self._migrations)}")

    def require_known(self) -> int:
        """Return the version of the tables. Raises StoreTooNew."""
        found = int(self.rows("PRAGMA user_version")[0][0])
        if found > len(self._migrations):
            raise StoreTooNew(f"{self._path} was written by a newer Reverie (schema {found}).", "Upgrade this one.")
        return found

    @contextmanager
    def changing(self, *, durable: bool = False) -> Iterator[Any]:
        """Yield the connection for one transaction, written whole or not at all.

        ``durable``: it is on the disk at the end; without, a loss of power may lose the latest ones.

        Raises StoreBusy, StoreFull, StoreReadOnly.
        """
        with self._lock, self._mended():
            if durable:
                self._base.execute("PRAGMA synchronous=FULL")
            try:
                self._base.execute("BEGIN IMMEDIATE")
                try:
                    yield self._base
                except BaseException:
                    self._base.execute("ROLLBACK")
                    raise
                self._base.execute("COMMIT")
            finally:
                if durable:
                    self._base.execute("PRAGMA synchronous=NORMAL")

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""
        with self._lock, self._mended():
            found: list[Any] = self._base.execute(query, values).fetchall()
        return found

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    @contextmanager
    def _mended(self) -> Iterator[None]:
        """Turn SQLite's errors into ours."""
        try:
            yield
        except self._errors as error:
            raise translated(error) from None


def _own(path: Path) -> None:
    """Make the file if there is none, and see that it is this user's alone."""
    try:
        os.close(open_own(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    except OSError as error:
        raise unwritable(error, path) from None
    require_private(path)


def _unreadable(path: Path, key: Key | None) -> StoreError:
    if key is not None:
        return wrong_key(path, key)
    return StoreError(f"{path} is no SQLite file, or an encrypted one.", "Open the store as sqlcipher:PATH.")
