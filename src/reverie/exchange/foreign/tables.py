"""A database of another program as this room sees it: tables by name, rows as mappings. Who opens it, is handed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from reverie.exchange.fields import FieldError, kind_of

Row = Mapping[str, object]


class Tables(Protocol):
    """A database that is only read."""

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Table → its columns."""
        ...

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """The rows of a table, in the order they lie. A column it lacks is null; text that is no UTF-8 stays bytes.

        Raises InvalidExport where the file is damaged.
        """
        ...


class Opener(Protocol):
    """Opens a database for reading. Raises InvalidExport for a file that is none or is damaged."""

    def __call__(self, path: Path) -> AbstractContextManager[Tables]:
        """The database at ``path``."""
        ...


def text_in(row: Row, *names: str) -> str:
    """The first of these columns that holds something; "" where none does. Raises FieldError for what is no text."""
    for name in names:
        value = row.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, bytes):
            raise FieldError(f"{name} is not UTF-8")
        if not isinstance(value, str):
            raise FieldError(f"{name} is {kind_of(value)}, not text")
        return value
    return ""


def key_in(row: Row, name: str = "id") -> str:
    """The row's own name: text or a whole number. Raises FieldError where there is none."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise FieldError(f"it has no {name}")
    return str(value)
