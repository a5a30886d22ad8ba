"""Bring a store's file to the current schema version; a newer or foreign file is refused.

Migrations are the numbered scripts beside this module, applied in order in one transaction. ``application_id`` marks
the file as a Reverie store, ``user_version`` is the number of the last migration applied.

A store may come from anybody (a cloned repository, a message), and SQL in a file's schema runs when the file is read: a
view that replaces a table, a trigger, an index on an expression. So a file's schema must be one that our migrations
make, word for word, before anything else of it is read.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from reverie.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreTooNew
from reverie.stores.sqlite.connection import PAGE_SIZE, Connection, Row

APPLICATION_ID = 0x52565245
"""The letters RVRE."""

VERSION = 8
"""The number of the last migration."""

_RETRY_S = 0.01

_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
_OF_SQLITE = {
    ("table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("table", "sqlite_stat4", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
}
"""Tables that SQLite itself adds for ANALYZE: counts by which it chooses query plans."""
BESIDE_LANCE = """CREATE TABLE lance_row (
  row TEXT PRIMARY KEY, scope INTEGER NOT NULL, memory TEXT NOT NULL, own INTEGER NOT NULL,
  words TEXT NOT NULL, ours TEXT NOT NULL, theirs TEXT NOT NULL, waits INTEGER NOT NULL, UNIQUE (scope, memory)
) WITHOUT ROWID"""
"""The table that the store over OpenClaw's table adds to its file."""
_EXTRA = {
    *_OF_SQLITE,
    ("table", "lance_row", "lance_row", BESIDE_LANCE),
    ("index", "sqlite_autoindex_lance_row_2", "lance_row", None),
}
FINGERPRINTS = (
    "c87c58f38b9234fbb8d19ce05931ede17ad9046f6871c85a05aeccac8b8129e8",
    "ccce67407d0fd1e9a0c7f515c76369605517b5c68a5e8f0b5d18767099811217",
    "caae8ffb67b4e7a61db3bfb4e51e92bb01332a2c9f43e29d229cd302e320f066",
    "1c2b37dd42cc23fedecd3a82ad7487345ef5fe96cd7adf286c0ece58edf65e07",
    "3e213dc43d0990f61f3f1de466a2728d6e809ee2e0de458ba1849655f2091b74",
    "b7e46a8416fb9f0703fcf1089fd214b29836cc4ee56b4f7fe6df81d287f09805",
    "8603e14e8eb3903148966d62e54a6a11f2104800d84b21d6789ef824ac142bcf",
    "695ef2a8ffd14406c0e22d908488f79dfc177633af828a155ae59cc259597c9f",
)
"""SHA-256 of each version's schema, from the first on, so that a file is recognised without building the schema."""


def prepare(connection: Connection, *, busy_timeout_s: float) -> None:
    """Bring the file to the current version.

    Raises:
        InvalidInput: it is an SQLite file of another program.
        StoreTooNew: a newer Reverie wrote it.
        StoreCorrupt: its version number never existed, or its schema holds something that no version makes.
        StoreReadOnly: it is of an older version and cannot be written.
    """
    version = require_ours(connection)
    if version == VERSION:
        return
    if version == 0:
        connection.run(f"PRAGMA page_size = {PAGE_SIZE}")
        _use_log(connection, time.monotonic() + busy_timeout_s)
    migrate(connection, VERSION)


def require_ours(connection: Connection) -> int:
    """Return the file's version, if nothing in its schema is foreign to that version.

    A part that is missing is for ``check`` to find; a part that is not ours is refused.

    Raises:
        StoreCorrupt: a table, view, index or trigger, or its SQL, is not ours.
    """
    with connection.reading():
        version = version_of(connection)
        rows = tuple(connection.rows(_SCHEMA))
    if version and _print(rows) == FINGERPRINTS[version - 1]:
        return version
    foreign = set(rows) - _EXTRA - (form(version) if version else set())
    if foreign:
        kind, name = min((str(row[0]), str(row[1])) for row in foreign)
        raise StoreCorrupt(
            f"{connection.path} is damaged, or not made by Reverie alone: its {kind:.20} {name!r:.60} is not ours, and"
            " reading it could run somebody else's SQL.",
            "If you added it yourself, drop it with the `sqlite3` program. Otherwise restore the last backup; do not"
            " use a store that somebody else changed.",
        )
    return version


def missing(connection: Connection) -> list[str]:
    """List the tables, views and indexes of the current version that the file lacks."""
    found = set(connection.rows(_SCHEMA)) - _EXTRA
    if fingerprint(found) == FINGERPRINTS[-1]:
        return []
    return sorted(f"{kind} {name}" for kind, name, *_ in form(VERSION) - found)


@lru_cache(8)
def _print(rows: tuple[Row, ...]) -> str:
    """Return the fingerprint without optional tables; cached, because all stores of a version are alike."""
    return fingerprint(set(rows) - _EXTRA)


def fingerprint(rows: set[Row]) -> str:
    """Return the SHA-256 of a schema."""
    return sha256("\n".join(sorted(map(repr, rows))).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def form(version: int) -> set[Row]:
    """Return the schema that the migrations up to a version make."""
    made = Connection(Path(":memory:"), mode="mode=memory", busy_timeout_s=0)
    try:
        for number in range(1, version + 1):
            for statement in statements(number):
                made.run(statement)
        return set(made.rows(_SCHEMA))
    finally:
        made.close()


def version_of(connection: Connection) -> int:
    """Return the file's version, 0 for an empty file; raises StoreTooNew, StoreCorrupt or InvalidInput."""
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


def _move_journal(connection: Connection) -> None:
    from reverie.stores.sqlite.journal_move import move  # needed once in a file's life

    move(connection)


def _index(connection: Connection) -> None:
    from reverie.stores.sqlite.terms import settle_all  # needed once in a file's life

    settle_all(connection)


_MOVES = {(7, 2): _move_journal, (8, 3): _index}
"""What is done by code in a migration: its number, and the place of the statement before which it is done."""


def migrate(connection: Connection, version: int) -> None:
    """Apply the missing migrations up to ``version``, all or none; another process may have done so meanwhile."""
    connection.begin(durable=True)
    try:
        for number in range(version_of(connection) + 1, version + 1):
            for place, statement in enumerate(statements(number)):
                if (move := _MOVES.get((number, place))) is not None:
                    move(connection)
                connection.run(statement)
            connection.run(f"PRAGMA user_version = {number}")
        connection.run(f"PRAGMA application_id = {APPLICATION_ID}")
        require_ours(connection)
        connection.commit()
    finally:
        connection.rollback()


@cache
def statements(number: int) -> tuple[str, ...]:
    """Return the SQL statements of one migration."""
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
