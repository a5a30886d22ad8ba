"""The durable inverted index (FTS5): a memory's terms in, a term's occurrences out.

A token is its scope's number, a separator and the term, so a scope's postings, counts and frequencies never hold
anything of another scope.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from reverie.errors import StoreCorrupt, StoreReadOnly
from reverie.stores.sqlite import keys
from reverie.stores.sqlite.connection import Connection
from reverie.stores.tokens import token
from reverie.types import FloatArray, IntArray


def line(scope: int, terms: Iterable[str]) -> str:
    """The terms of one memory as they are indexed."""
    prefix = f"{scope}¦"
    return " ".join([prefix + token(term) for term in terms])


def add(connection: Connection, key: int, terms: Iterable[str]) -> None:
    """Index a memory."""
    connection.run("INSERT INTO lexical (rowid, tokens) VALUES (?, ?)", (key, line(keys.scope_of(key), terms)))


def remove(connection: Connection, memory_keys: Iterable[int]) -> None:
    """Take memories out of the index, and their terms out of its pages."""
    connection.run_many("DELETE FROM lexical WHERE rowid = ?", [(key,) for key in memory_keys])
    connection.run("INSERT INTO lexical (lexical) VALUES ('optimize')")


def read(connection: Connection, scope: int, name: str) -> tuple[IntArray, FloatArray]:
    """Keys (ascending) of a scope's memories that hold a token, and how often each does."""
    base = keys.base(scope)
    row = connection.row("SELECT group_concat(doc - ?) FROM temp.occurrence WHERE term = ?", (base, f"{scope}¦{name}"))
    if row is None or row[0] is None:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    # One string of numbers is parsed in C; fetching as many rows takes four times as long.
    found = np.fromstring(row[0], np.int64, sep=",")
    places, counts = np.unique(found, return_counts=True)
    return places + base, counts.astype(np.float32)


def tokens(line: str, scope: int) -> list[str]:
    """The tokens of an indexed line, without the scope's number."""
    prefix = len(f"{scope}¦")
    return [name[prefix:] for name in line.split(" ")] if line else []


def recreate(connection: Connection) -> None:
    """An empty index in place of the old one."""
    from reverie.stores.sqlite.schema import statements  # only reindexing needs the schema's words

    connection.run("DROP TABLE lexical")
    connection.run(next(sql for sql in statements(1) if "VIRTUAL TABLE lexical" in sql))


def require_sound(connection: Connection) -> None:
    """Raise StoreCorrupt if the index is not that of the memories' tokens."""
    try:
        connection.run("INSERT INTO lexical (lexical) VALUES ('integrity-check')")
    except StoreReadOnly:
        _compare_counts(connection)


def _compare_counts(connection: Connection) -> None:
    """The same by reading alone, less thoroughly: FTS5 has its own check only as a kind of writing."""
    indexed: dict[int, int] = dict(connection.rows("SELECT doc, count(*) FROM temp.occurrence GROUP BY doc"))
    for block in connection.blocks("SELECT id, c0 FROM lexical_content WHERE c0 <> ''"):
        for key, held in block:
            if indexed.pop(key, 0) != held.count(" ") + 1:
                raise StoreCorrupt(f"The index does not hold all terms of memory {key}.", "Run `reverie doctor`.")
    if indexed:
        raise StoreCorrupt("The index holds terms of memories that are not there.", "Run `reverie doctor`.")
