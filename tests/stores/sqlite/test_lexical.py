"""The durable inverted index: what is added is read, what is removed is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores.sqlite import keys, lexical
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.opening import read_only
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


def found(connection: Connection, scope: int, name: str) -> list[tuple[int, float]]:
    """Places in the scope and counts of a token."""
    where, counts = lexical.read(connection, scope, name)
    return list(zip((where - keys.base(scope)).tolist(), counts.tolist(), strict=True))


def test_a_token_is_read_with_its_counts(connection: Connection) -> None:
    """Each memory once, ascending, with how often; scope 1 is not scope 11."""
    lexical.add(connection, keys.base(1) + 5, ["tea", "rain", "tea"])
    lexical.add(connection, keys.base(1) + 9, ["tea"])
    lexical.add(connection, keys.base(11) + 1, ["tea"])
    assert found(connection, 1, "tea") == [(5, 2.0), (9, 1.0)]
    assert found(connection, 11, "tea") == [(1, 1.0)]
    assert found(connection, 2, "tea") == []


def test_odd_terms_are_indexed_one_by_one(connection: Connection) -> None:
    """No term is split, folded, merged with another or lost."""
    for place, term in enumerate(ODD_TEXTS, 1):
        lexical.add(connection, keys.base(3) + place, [term, "tea"])
    for place, term in enumerate(ODD_TEXTS, 1):
        assert found(connection, 3, lexical.token(term)) == [(place, 1.0)]
    lexical.require_sound(connection)


def test_a_line_is_read_back_as_tokens() -> None:
    """What is indexed for one memory, without the scope; nothing for no terms."""
    terms = ["tea", "C++", "tea", "¦"]
    assert lexical.tokens(lexical.line(7, terms), 7) == [lexical.token(term) for term in terms]
    assert lexical.tokens(lexical.line(7, []), 7) == []


def test_removing_leaves_no_trace_of_the_words(connection: Connection) -> None:
    """After merging, the removed words are in none of the index's rows."""
    for place in range(1, 30):
        lexical.add(connection, keys.base(1) + place, [f"word{place}", "tea"])
    lexical.remove(connection, [keys.base(1) + 7])
    assert len(found(connection, 1, "tea")) == 28
    blocks = b"".join(row[0] for row in connection.rows("SELECT block FROM lexical_data"))
    assert b"word8" in blocks or b"8" in blocks
    assert connection.rows("SELECT term FROM temp.occurrence WHERE term = '1¦word7'") == []
    assert all("word7" not in row[0].split("¦") for row in connection.rows("SELECT c0 FROM lexical_content"))


def test_a_new_index_is_empty_and_works(connection: Connection) -> None:
    """Recreated inside a transaction, it can be taken back."""
    lexical.add(connection, keys.base(1) + 1, ["tea"])
    connection.begin(durable=False)
    lexical.recreate(connection)
    assert found(connection, 1, "tea") == []
    lexical.add(connection, keys.base(1) + 1, ["rain"])
    assert found(connection, 1, "rain") == [(1, 1.0)]
    connection.rollback()
    assert found(connection, 1, "tea") == [(1, 1.0)]


def test_an_index_that_disagrees_with_its_content_is_damage(connection: Connection) -> None:
    """The check compares every token with what was indexed."""
    lexical.add(connection, keys.base(1) + 1, ["tea"])
    lexical.require_sound(connection)
    tamper(connection.path, "UPDATE lexical_content SET c0 = '1¦rain'")
    with pytest.raises(StoreCorrupt):
        lexical.require_sound(connection)


def test_an_index_is_checked_by_reading_too(connection: Connection) -> None:
    """Where nothing may be written, missing and surplus terms are found all the same."""
    for place, terms in enumerate(([], ["tea"], ["tea", "rain", "tea"]), 1):
        lexical.add(connection, keys.base(1) + place, terms)
    reader = read_only(connection.path, 1.0)
    lexical.require_sound(reader)
    for change in (
        "UPDATE lexical_content SET c0 = c0 || ' 1¦x' WHERE id = (SELECT max(id) FROM lexical_content)",
        "DELETE FROM lexical_content",
    ):
        tamper(connection.path, change)
        with pytest.raises(StoreCorrupt):
            lexical.require_sound(reader)
    reader.close()
