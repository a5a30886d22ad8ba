"""Read the tables of another program's database, for imports (``exchange``).

The file is not trusted: it is opened read-only, no view, trigger or virtual table is followed, no function of its
schema runs, and no value may be larger than a message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import InvalidExport

if TYPE_CHECKING:
    from reverie.stores.lance.table import LanceTables

VALUE_MAX = 1 << 26
"""Most bytes of a value or row that is read."""

_PLAIN = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
_MEND = "Close the program it belongs to and copy the file with its -wal, or export from the program itself."


class ForeignTables:
    """An open SQLite database of another program (``exchange.foreign.tables.Tables``)."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        with _told(path):
            names = [str(name) for (name,) in connection.execute(_PLAIN)]
            self._columns = {name: self._columns_of(name) for name in names}

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Map each table to its columns."""
        return self._columns

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """Yield the rows of a table. A column it lacks is None; text that is not UTF-8 stays bytes."""
        held = self._columns.get(table, frozenset())
        chosen = ", ".join(_quoted(name) if name in held else "NULL" for name in columns)
        with _told(self._path):
            cursor = self._connection.execute(f"SELECT {chosen} FROM {_quoted(table)}")
            for row in cursor:
                yield dict(zip(columns, row, strict=True))

    def _columns_of(self, table: str) -> frozenset[str]:
        return frozenset(str(row[1]) for row in self._connection.execute(f"PRAGMA table_info({_quoted(table)})"))


@contextmanager
def open_tables(path: Path) -> Iterator[ForeignTables | LanceTables]:
    """Open a database of another program read-only: an SQLite file, or a folder of LanceDB.

    Raises:
        InvalidExport: it is no database, is damaged, or is locked.
        StoreError: it is a LanceDB folder, and LanceDB is not installed.
    """
    if path.is_dir():
        from reverie.stores.lance.table import open_table

        with open_table(path) as table:
            yield table
        return
    connection = _connected(path)
    try:
        yield ForeignTables(connection, path)
    finally:
        connection.close()


def _connected(path: Path) -> sqlite3.Connection:
    """Connect so that the log is read too; if its index cannot be made beside the file, read the file alone."""
    uri = path.resolve().as_uri()
    with _told(path):
        for mode in ("mode=ro", "mode=ro&immutable=1"):
            connection = sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None, timeout=2.0)
            try:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
                connection.text_factory = _text
                for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
                    connection.execute(f"PRAGMA {pragma}")
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:
                connection.close()
                if "immutable" in mode:
                    raise
            except sqlite3.Error:
                connection.close()
                raise
            else:
                return connection
    raise AssertionError("unreachable")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InvalidExport(f"The database {path.name} cannot be read: {error}.", _MEND) from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw
