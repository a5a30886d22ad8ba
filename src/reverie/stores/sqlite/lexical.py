"""The durable inverted index (FTS5): a memory's terms in, a term's occurrences out.

A token is its scope's number, a separator and the term, so a scope's postings, counts and frequencies never hold
anything of another scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from reverie.errors import StoreCorrupt, StoreReadOnly
from reverie.stores.sqlite import keys
from reverie.stores.sqlite.connection import Connection
from reverie.stores.tokens import tokens_line
from reverie.types import FloatArray, IntArray


def line(scope: int, terms: Sequence[str]) -> str:
    """The terms of one memory as they are indexed."""
    return tokens_line(f"{scope}¦", terms)


def add(connection: Connection, key: int, tokens: str) -> None:
    """Index a memory by its line of tokens, which its row holds as well."""
    connection.run("INSERT INTO lexical (rowid, tokens) VALUES (?, ?)", (key, tokens))


def drop(connection: Connection, key: int) -> None:
    """Take a memory whose row still holds its old tokens out of the index."""
    connection.run(
        "INSERT INTO lexical (lexical, rowid, tokens) SELECT 'delete', key, tokens FROM memory WHERE key = ?", (key,)
    )


def remove(connection: Connection, memory_keys: Iterable[int]) -> None:
    """Take memories whose rows are still there out of the index, and their terms out of its pages."""
    for key in memory_keys:
        drop(connection, key)
    merge(connection)


def merge(connection: Connection) -> None:
    """Put the index's pieces together; what was taken out leaves its pages."""
    connection.run("INSERT INTO lexical (lexical) VALUES ('optimize')")


def read(connection: Connection, scope: int, name: str) -> tuple[IntArray, FloatArray]:
    """Keys (ascending) of a scope's memories that hold a token, and how often each does."""
    base = keys.base(scope)
    connection.make_occurrences()
    row = connection.row("SELECT group_concat(doc - ?) FROM temp.occurrence WHERE term = ?", (base, f"{scope}¦{name}"))
    if row is None or row[0] is None:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    # One string of numbers is parsed in C; fetching as many rows takes four times as long.
    found = np.fromstring(row[0], np.int64, sep=",")
    found.sort(kind="stable")  # nothing to do, as a rule: the index tells a term's memories in order
    is_edge = np.ones(len(found) + 1, np.bool_)
    np.not_equal(found[1:], found[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    return found[edges[:-1]] + base, (edges[1:] - edges[:-1]).astype(np.float32)


def split(tokens: str, scope: int) -> list[str]:
    """The tokens of a line, without the scope's number."""
    prefix = len(f"{scope}¦")
    return [name[prefix:] for name in tokens.split(" ")] if tokens else []


def rebuild(connection: Connection) -> None:
    """A new index of the tokens that the memories' rows hold now."""
    from reverie.stores.sqlite.schema import statements  # only reindexing needs the schema's words

    connection.run("DROP TABLE lexical")
    for sql in statements(1):
        if re.search(r"^(CREATE VIRTUAL TABLE|INSERT INTO) lexical", sql, re.MULTILINE):
            connection.run(sql)
    connection.run("INSERT INTO lexical (lexical) VALUES ('rebuild')")


def require_sound(connection: Connection) -> None:
    """Raise StoreCorrupt if the index is not that of the memories' tokens."""
    try:
        connection.run("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)")
    except StoreReadOnly:
        _compare_counts(connection)


def _compare_counts(connection: Connection) -> None:
    """The same by reading alone, less thoroughly: FTS5 has its own check only as a kind of writing."""
    connection.make_occurrences()
    indexed: dict[int, int] = dict(connection.rows("SELECT doc, count(*) FROM temp.occurrence GROUP BY doc"))
    for block in connection.blocks("SELECT key, tokens FROM memory WHERE tokens <> ''"):
        for key, held in block:
            if indexed.pop(key, 0) != held.count(" ") + 1:
                raise StoreCorrupt(f"The index does not hold all terms of memory {key}.", "Run `reverie doctor`.")
    if indexed:
        raise StoreCorrupt("The index holds terms of memories that are not there.", "Run `reverie doctor`.")
