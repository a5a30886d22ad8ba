"""The inverted index: what is found in indexed blocks, in the rest, and after changes."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores.postings import token
from reverie.stores.sqlite import SqliteStore, reads, terms
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.file import read_only
from reverie.stores.sqlite.schema import prepare
from tests.stores.making import ADA, GRACE, ODD_TEXTS, content, live_a_life


@pytest.fixture(params=[terms.BLOCK, 4])
def connection(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """An empty store's connection; with blocks of many keys, and of four."""
    monkeypatch.setattr(terms, "BLOCK", request.param)
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


def add(connection: Connection, key: int, words: list[str]) -> None:
    """A memory's row with its tokens, and their place in the index."""
    scope = reads.scope_of(key)
    fixed = (1, str(key), "episode", 0, 0, "s", 0, "Ann", "user", None, len(words), 0, None, None)
    row = (key, scope, *fixed, terms.line(scope, words))
    connection.run(f"INSERT INTO memory VALUES ({', '.join('?' * len(row))})", row)
    terms.added(connection, key)


def gone(connection: Connection, key: int) -> None:
    """A memory goes, with its terms."""
    terms.drop(connection, [key])
    connection.run("DELETE FROM memory WHERE key = ?", (key,))
    terms.settle(connection, reads.scope_of(key))


def found(connection: Connection, scope: int, name: str) -> list[tuple[int, float]]:
    """Places in the scope and counts of a token."""
    where, counts = terms.Lookup(connection, scope)(name)
    return list(zip((where - reads.base(scope)).tolist(), counts.tolist(), strict=True))


def test_a_token_is_found_with_its_counts(connection: Connection) -> None:
    """Each memory once, ascending, with how often; scope 1 is not scope 11, a word no part of another."""
    add(connection, reads.base(1) + 5, ["tea", "rain", "tea", "tea"])
    add(connection, reads.base(1) + 7, ["teapot", "steam"])
    add(connection, reads.base(1) + 9, ["tea"])
    add(connection, reads.base(11) + 3, ["tea"])
    assert found(connection, 1, "tea") == [(5, 3.0), (9, 1.0)]
    assert found(connection, 11, "tea") == [(3, 1.0)]
    assert found(connection, 2, "tea") == []
    terms.require_sound(connection)


def test_odd_terms_are_indexed_one_by_one(connection: Connection) -> None:
    """No term is split, folded, merged with another or lost."""
    for place, term in enumerate(ODD_TEXTS, 1):
        add(connection, reads.base(3) + place, [term, "tea"])
    for place, term in enumerate(ODD_TEXTS, 1):
        assert found(connection, 3, token(term)) == [(place, 1.0)]
    terms.require_sound(connection)


def test_a_line_is_read_back_as_tokens() -> None:
    """What is indexed for one memory, without the scope; nothing for no terms."""
    words = ["tea", "C++", "tea", "¦"]
    assert terms.split(terms.line(7, words), 7) == [token(term) for term in words]
    assert terms.split(terms.line(7, []), 7) == []


def test_a_memory_that_goes_leaves_no_word_in_the_index(connection: Connection) -> None:
    """Its words are in no part of it, the others' are; a few blocks left over are searched without it."""
    for place in range(1, 60):
        add(connection, reads.base(1) + place, [f"word{place}", "tea"])
    gone(connection, reads.base(1) + 7)
    assert len(found(connection, 1, "tea")) == 58
    assert (found(connection, 1, "word7"), found(connection, 1, "word8")) == ([], [(8, 1.0)])
    assert not any(b"word7\n" in data for (data,) in connection.rows("SELECT data FROM posting"))
    terms.require_sound(connection)


def test_any_order_of_changes_finds_what_the_rows_hold(connection: Connection) -> None:
    """Added, removed, reworded, indexed, searched by one that was made before and by a new one: all the same."""
    chance, rows = Random(3), dict[int, list[str]]()
    words = ["tea", "rain", "çay", "a", "aa", "x" * 130]
    base, top = reads.base(5), 0
    kept = terms.Lookup(connection, 5)
    for _ in range(300):
        act = chance.random()
        if act < 0.7 or not rows:
            top += 1
            rows[base + top] = chance.choices(words, k=chance.randint(0, 5))
            add(connection, base + top, rows[base + top])
        elif act < 0.8:
            gone(connection, key := chance.choice(sorted(rows)))
            del rows[key]
            kept = terms.Lookup(connection, 5)
        elif act < 0.9:
            terms.settle(connection, 5, chance.choice([0, 4]))
        name = token(chance.choice(words))
        expected = [(key - base, float(Counter(map(token, rows[key]))[name])) for key in sorted(rows)]
        expected = [one for one in expected if one[1]]
        where, counts = kept(name)
        assert (
            list(zip((where - base).tolist(), counts.tolist(), strict=True)) == expected == found(connection, 5, name)
        )
    terms.require_sound(connection)


def test_a_new_index_holds_what_the_rows_hold(connection: Connection) -> None:
    """Rebuilt inside a transaction, it can be taken back."""
    for place in range(1, 10):
        add(connection, reads.base(1) + place, ["tea"])
    connection.begin(durable=False)
    connection.run("UPDATE memory SET tokens = '1¦rain'")
    terms.rebuild(connection, 1)
    assert (found(connection, 1, "tea"), len(found(connection, 1, "rain"))) == ([], 9)
    connection.rollback()
    assert (len(found(connection, 1, "tea")), found(connection, 1, "rain")) == (9, [])


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE memory SET tokens = '1¦rain 1¦rain' WHERE key & 7 = 2",
        "UPDATE memory SET tokens = '2¦tea' WHERE key & 7 = 2",
        "UPDATE memory SET tokens = '' WHERE key & 7 = 2",
    ],
)
def test_tokens_that_are_not_the_memorys_own_are_damage(connection: Connection, sql: str) -> None:
    """The check counts each memory's tokens, by reading alone."""
    for place in range(1, 10):
        add(connection, reads.base(1) + place, ["tea"])
    terms.require_sound(connection)
    tamper(connection.path, sql)
    reader = read_only(connection.path, 1.0)
    with pytest.raises(StoreCorrupt):
        terms.require_sound(reader)
    reader.close()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM posting WHERE block = 1",
        "DELETE FROM block WHERE block = 1",
        "UPDATE posting SET data = X'00' WHERE block = 1",
        "UPDATE posting SET data = X'FFFFFFFF' || substr(data, 5) WHERE block = 1",
        "INSERT INTO posting VALUES (1, 99, 77, X'00')",
        "UPDATE memory SET tokens = '1¦rain' WHERE key & 7 = 5",
    ],
)
def test_an_index_that_is_not_the_rows_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    """Whatever is missing, spoilt or too much: the check finds it, and a search never fails otherwise than with it."""
    monkeypatch.setattr(terms, "BLOCK", 4)
    made = Connection(tmp_path / "store", mode="mode=rwc", busy_timeout_s=1)
    prepare(made, busy_timeout_s=1)
    for place in range(1, 20):
        add(made, reads.base(1) + place, ["tea"])
    terms.require_sound(made)
    tamper(made.path, sql)
    with pytest.raises(StoreCorrupt):
        terms.require_sound(made)
    with suppress(StoreCorrupt):
        found(made, 1, "tea")
    made.close()


def test_a_store_with_small_blocks_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A life with erasures, changes of words and dreams: whatever is told is the same, indexed or searched."""
    told = []
    for size in (terms.BLOCK, 4):
        monkeypatch.setattr(terms, "BLOCK", size)
        store = SqliteStore(tmp_path / str(size))
        live_a_life(store, 4, 150)
        assert store.check() == []
        told.append([content(store, ADA), content(store, GRACE), store.digest()])
        store.merge_index()
        told.append([content(store, ADA), content(store, GRACE), store.digest()])
        store.close()
    assert all(one == told[0] for one in told)
