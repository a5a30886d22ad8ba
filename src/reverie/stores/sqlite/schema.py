"""The file's form: a fresh or older file in, one of the current version out; a newer or foreign one is refused.

Migrations are the numbered scripts beside this file, applied in order, all in one transaction. ``application_id`` says
the file is ours, ``user_version`` which migration it has seen last.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from functools import cache

from reverie.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreTooNew
from reverie.stores.sqlite.connection import PAGE_SIZE, Connection

APPLICATION_ID = 0x52565245
"""The letters RVRE."""

VERSION = 5
"""The last migration."""

_RETRY_S = 0.01


def prepare(connection: Connection, *, busy_timeout_s: float) -> None:
    """Bring the file to the current version.

    Raises:
        InvalidInput: it is an SQLite file of another program.
        StoreTooNew: a newer Reverie wrote it.
        StoreCorrupt: it is ours, and of no version there ever was.
        StoreReadOnly: it is of an older version and cannot be written.
    """
    version = version_of(connection)
    if version == VERSION:
        return
    if version == 0:
        connection.run(f"PRAGMA page_size = {PAGE_SIZE}")
        _use_log(connection, time.monotonic() + busy_timeout_s)
    migrate(connection, VERSION)


def version_of(connection: Connection) -> int:
    """The file's version; 0 for an empty one."""
    application, version = _number(connection, "application_id"), _number(connection, "user_version")
    if application == APPLICATION_ID:
        if version > VERSION:
            raise StoreTooNew(
                f"The store {connection.path} is of version {version}; this Reverie knows versions up to {VERSION}.",
                "Upgrade Reverie; nothing was changed.",
            )
        if version < 1:  # a file gets its first version and our mark together
            what = f"The first page of {connection.path} is damaged: it says version {version}."
            raise StoreCorrupt(what, "Restore the last backup.")
        return version
    if application == 0 and version == 0 and _number(connection, "schema_version") == 0:
        return 0
    raise InvalidInput(
        f"{connection.path} is an SQLite file of another program.", "Give the path of a Reverie store, or a new path."
    )


def migrate(connection: Connection, version: int) -> None:
    """Apply what is missing up to ``version``, wholly or not at all; another process may have done it meanwhile."""
    connection.begin(durable=True)
    try:
        for number in range(version_of(connection) + 1, version + 1):
            for statement in statements(number):
                connection.run(statement)
            connection.run(f"PRAGMA user_version = {number}")
        connection.run(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.commit()
    finally:
        connection.rollback()


@cache
def statements(number: int) -> tuple[str, ...]:
    """The statements of one migration."""
    from importlib.resources import files  # slow to import, and needed once in a file's life

    folder = files("reverie.stores.sqlite") / "migrations"
    script = next(file for file in folder.iterdir() if file.name.startswith(f"{number:04}_"))
    return tuple(_split(script.read_text(encoding="utf-8")))


def _split(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""


def _number(connection: Connection, pragma: str) -> int:
    row = connection.row(f"PRAGMA {pragma}")
    if row is None:
        raise StoreCorrupt(f"{connection.path} has no {pragma}.", "Restore the last backup.")
    return int(row[0])


def _use_log(connection: Connection, deadline: float) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself when two processes create one file."""
    while True:
        try:
            connection.run("PRAGMA journal_mode = WAL")
        except StoreBusy:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_S)
        else:
            return
