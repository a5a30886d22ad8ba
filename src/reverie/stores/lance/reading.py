"""The table opened to be read alone, as the import sees any database: columns and rows by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from reverie.errors import InvalidExport, StoreError
from reverie.stores.lance.table import Table
from reverie.stores.lance.versions import TABLE


class LanceTables:
    """The open table (``exchange.foreign.tables.Tables``)."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Table → its columns."""
        return {TABLE: self._table.columns}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """The rows of the table. A column it lacks is null."""
        assert table == TABLE
        for held in self._table.read([name for name in columns if name in self._table.columns]):
            yield {name: held.get(name) for name in columns}


@contextmanager
def open_table(folder: Path) -> Iterator[LanceTables]:
    """Open the table in a folder. Raises InvalidExport for what is none of OpenClaw's, StoreError without LanceDB."""
    try:
        table = Table.open(folder)
    except StoreError as error:
        if "not installed" in error.message:
            raise
        raise InvalidExport(error.message, error.mend) from error
    if table is None:
        raise InvalidExport(f"There is no table {TABLE} in {folder}.", "Give the folder that holds memories.lance.")
    yield LanceTables(table)
