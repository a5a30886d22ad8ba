"""The durable inverted index: what is added is read, what is removed is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores.postings import token
from reverie.stores.sqlite import reads, search
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.file import read_only
from reverie.stores.sqlite.schema import prepare
from tests.stores.making import ODD_TEXTS


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """An empty store's connection."""
    made = Connection(tmp_path / "store", mode="mode=rwc", busy_timeout_s=1)
    prepare(made, busy_timeout_s=1)
    made.tune()
    yield made
    made.close()


def tamper(path: Path, sql: str) -> None:
    """Change the file behind the store's back."""
    raw = sqlite3.connect(path)
    raw.executescript(sql)
    raw.close()


def add(connection: Connection, key: int, terms: list[str]) -> None:
    """A memory's row with its tokens, and their place in the index."""
    tokens = search.line(reads.scope_of(key), terms)
    row = (
        key,
        reads.scope_of(key),
        1,
        str(key),
        "episode",
        0,
        0,
        "s",
        0,
        "Ann",
        "user",
        None,
        0,
        0,
        None,
        None,
        tokens,
    )
    connection.run(f"INSERT INTO memory VALUES ({', '.join('?' * len(row))})", row)
    search.add(connection, key, tokens)


def found(connection: Connection, scope: int, name: str) -> list[tuple[int, float]]:
    """Places in the scope and counts of a token."""
    where, counts = search.read(connection, scope, name)
    return list(zip((where - reads.base(scope)).tolist(), counts.tolist(), strict=True))


def test_a_token_is_read_with_its_counts(connection: Connection) -> None:
    """Each memory once, ascending, with how often; scope 1 is not scope 11."""
    add(connection, reads.base(1) + 5, ["tea", "rain", "tea"])
    add(connection, reads.base(1) + 9, ["tea"])
    add(connection, reads.base(11) + 1, ["tea"])
    assert found(connection, 1, "tea") == [(5, 2.0), (9, 1.0)]
    assert found(connection, 11, "tea") == [(1, 1.0)]
    assert found(connection, 2, "tea") == []


def occurrences(connection: Connection) -> int:
    """How many tables the connection has made for itself, to read the index through."""
    row = connection.row("SELECT count(*) FROM sqlite_temp_schema WHERE name = 'occurrence'")
    return int(row[0]) if row is not None else -1


def test_an_opening_makes_nothing_to_read_the_index_through(connection: Connection) -> None:
    """The table through which it is read comes with the first question, and is made once."""
    add(connection, reads.base(1) + 5, ["tea"])
    assert occurrences(connection) == 0
    for _ in range(2):
        assert found(connection, 1, "tea") == [(5, 1.0)]
        assert occurrences(connection) == 1


def test_an_index_first_read_in_a_transaction_is_read_after_it_too(connection: Connection) -> None:
    """What is made within a transaction goes with it, ended or taken back; the next question makes it again."""
    add(connection, reads.base(1) + 5, ["tea"])
    for _ in range(2):
        with connection.reading():
            assert found(connection, 1, "tea") == [(5, 1.0)]
        connection.begin(durable=False)
        assert found(connection, 1, "tea") == [(5, 1.0)]
        connection.rollback()
    assert found(connection, 1, "tea") == [(5, 1.0)]


def test_odd_terms_are_indexed_one_by_one(connection: Connection) -> None:
    """No term is split, folded, merged with another or lost."""
    for place, term in enumerate(ODD_TEXTS, 1):
        add(connection, reads.base(3) + place, [term, "tea"])
    for place, term in enumerate(ODD_TEXTS, 1):
        assert found(connection, 3, token(term)) == [(place, 1.0)]
    search.require_sound(connection)


def test_a_line_is_read_back_as_tokens() -> None:
    """What is indexed for one memory, without the scope; nothing for no terms."""
    terms = ["tea", "C++", "tea", "¦"]
    assert search.split(search.line(7, terms), 7) == [token(term) for term in terms]
    assert search.split(search.line(7, []), 7) == []


def test_removing_leaves_no_trace_of_the_words(connection: Connection) -> None:
    """After merging, the removed words are no longer indexed; the others are."""
    for place in range(1, 30):
        add(connection, reads.base(1) + place, [f"word{place}", "tea"])
    search.remove(connection, [reads.base(1) + 7])
    connection.run("DELETE FROM memory WHERE key = ?", (reads.base(1) + 7,))
    assert len(found(connection, 1, "tea")) == 28
    assert found(connection, 1, "word7") == []
    assert found(connection, 1, "word8") == [(8, 1.0)]
    search.require_sound(connection)


def test_a_new_index_holds_what_the_rows_hold(connection: Connection) -> None:
    """Rebuilt inside a transaction, it can be taken back; it keeps the form of the first."""
    add(connection, reads.base(1) + 1, ["tea"])
    form = "SELECT sql FROM sqlite_schema WHERE name LIKE 'lexical%' ORDER BY name"
    before, settings = connection.rows(form), connection.rows("SELECT * FROM lexical_config")
    connection.begin(durable=False)
    connection.run("UPDATE memory SET tokens = '1¦rain'")
    search.rebuild(connection)
    assert (found(connection, 1, "tea"), found(connection, 1, "rain")) == ([], [(1, 1.0)])
    assert (connection.rows(form), connection.rows("SELECT * FROM lexical_config")) == (before, settings)
    connection.rollback()
    assert (found(connection, 1, "tea"), found(connection, 1, "rain")) == ([(1, 1.0)], [])


def test_an_index_that_disagrees_with_its_content_is_damage(connection: Connection) -> None:
    """The check compares every token with what was indexed."""
    add(connection, reads.base(1) + 1, ["tea"])
    search.require_sound(connection)
    tamper(connection.path, "UPDATE memory SET tokens = '1¦rain'")
    with pytest.raises(StoreCorrupt):
        search.require_sound(connection)


def test_an_index_is_checked_by_reading_too(connection: Connection) -> None:
    """Where nothing may be written, missing and surplus terms are found all the same."""
    for place, terms in enumerate(([], ["tea"], ["tea", "rain", "tea"]), 1):
        add(connection, reads.base(1) + place, terms)
    reader = read_only(connection.path, 1.0)
    search.require_sound(reader)
    for change in (
        "UPDATE memory SET tokens = tokens || ' 1¦x' WHERE key = (SELECT max(key) FROM memory)",
        "DELETE FROM memory",
    ):
        tamper(connection.path, change)
        with pytest.raises(StoreCorrupt):
            search.require_sound(reader)
    reader.close()
