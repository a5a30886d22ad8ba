from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreBusy, StoreCorrupt
from reverie.stores.postings import token
from reverie.stores.sqlite import SqliteStore, reads, search
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.file import read_only
from reverie.stores.sqlite.schema import prepare
from reverie.types import ModelInfo, Scope
from tests.stores.making import ADA, GRACE, MODEL, ODD_TEXTS, OTHER_MODEL, Writer, at, content, vector


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


class Asked:
    """Listens to what a store asks its file."""

    def __init__(self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        connection, blocks = store._connection, store._connection.blocks

        def counted(sql: str, values: object = ()) -> Iterator[list[object]]:
            for block in blocks(sql, values):  # type: ignore[arg-type]  # handed through
                self.read += len(block)
                yield block  # type: ignore[misc]  # handed through

        monkeypatch.setattr(connection, "blocks", counted)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """Two connections to one file, as of two processes."""
    ours, theirs = SqliteStore(tmp_path / "store"), SqliteStore(tmp_path / "store")
    yield ours, theirs
    ours.close()
    theirs.close()


def test_only_what_was_written_since_is_read(
    pair: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row for one new message, ours or another's; none for recalls, forgetting, or other scopes."""
    ours, theirs = pair
    writer, other = Writer(ours), Writer(theirs, "o")
    names = [writer.remember(ADA, "tea") for _ in range(50)]
    ours.corpus(ADA, MODEL)
    asked = Asked(ours, monkeypatch)
    for write, rows in (
        (lambda: writer.remember(ADA, "tea"), 1),
        (lambda: other.remember(ADA, "tea"), 1),
        (lambda: writer.recall(ADA, names[0]), 0),
        (lambda: other.recall(ADA, names[0]), 0),
        (lambda: other.forget(ADA, names[3], at(0)), 0),
        (lambda: other.remember(GRACE, "tea"), 0),
        (lambda: None, 0),
    ):
        before = asked.read
        write()
        size = ours.corpus(ADA, MODEL).size
        assert asked.read - before == rows
    assert size == 52
    alive = ours.corpus(ADA, MODEL).recallable(at(1))
    assert alive is not None
    assert not alive[3]


def test_another_process_is_followed_in_everything(pair: tuple[SqliteStore, SqliteStore]) -> None:
    """Erasing, forgetting, vectors put, replaced and dropped, reindexing: each shows at once."""
    ours, theirs = pair
    writer = Writer(theirs)
    names = [writer.remember(ADA, f"tea {number}", embedded=None) for number in range(6)]
    before = content(ours, ADA)
    for change in (
        lambda: theirs.put_vectors(MODEL, [(ADA, name, vector(1)) for name in names[:3]]),
        lambda: theirs.put_vectors(MODEL, [(ADA, names[1], vector(2))]),
        lambda: writer.forget(ADA, names[2], at(0)),
        lambda: writer.erase(ADA, names[0]),
        lambda: theirs.reindex("v2", iter([])),
        lambda: theirs.put_vectors(OTHER_MODEL, [(ADA, names[4], vector(1))]),
        lambda: theirs.drop_vectors(keep=OTHER_MODEL),
    ):
        change()
        for model in (MODEL, OTHER_MODEL, None):
            assert content(ours, ADA, model) == content(theirs, ADA, model)
    assert content(ours, ADA) != before


def test_the_scopes_used_last_stay_in_memory_up_to_so_many_bytes(pair: tuple[SqliteStore, SqliteStore]) -> None:
    """The least recently used goes first, the one just asked for always stays, and what is read again is the same."""
    ours, _ = pair
    writer = Writer(ours)
    scopes = [Scope("tester", f"user{number}", "house") for number in range(4)]
    for scope in scopes:
        writer.remember(scope, "tea")
        writer.remember(scope, "tea")
    ours.corpus(scopes[0], MODEL)
    corpora, one = ours._corpora, ours._corpora._budget.total
    assert one > 2 * 2 * 16  # the vectors alone
    corpora._budget.most = 2 * one
    views = {scope: ours.corpus(scope, MODEL) for scope in scopes}
    assert sorted(scope for scope, _ in corpora._loaded) == scopes[2:]
    assert corpora._budget.total == sum(held.live.nbytes for held in corpora._loaded.values()) <= 2 * one
    assert ours.corpus(scopes[2], MODEL) is views[scopes[2]]
    again = ours.corpus(scopes[0], MODEL)  # scopes[3] was used longest ago
    assert sorted(scope for scope, _ in corpora._loaded) == [scopes[0], scopes[2]]
    assert again.keys.tolist() == views[scopes[0]].keys.tolist()
    corpora._budget.most = 1
    ours.corpus(scopes[1], MODEL)
    assert [scope for scope, _ in corpora._loaded] == [scopes[1]]


def test_a_corpus_that_failed_to_load_is_not_used(
    pair: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error midway leaves nothing half read behind: the next call loads anew."""
    ours, theirs = pair
    writer = Writer(theirs)
    writer.remember(ADA, "tea")
    ours.corpus(ADA, MODEL)
    writer.remember(ADA, "rain")

    def busy(*_: object) -> None:
        raise StoreBusy("Another process.", "Wait.")

    with monkeypatch.context() as patch:
        patch.setattr(search, "_vectors", busy)
        with pytest.raises(StoreBusy):
            ours.corpus(ADA, MODEL)
    assert content(ours, ADA) == content(theirs, ADA)


def test_scattered_gaps_are_filled_one_by_one(pair: tuple[SqliteStore, SqliteStore]) -> None:
    """Vectors put here and there, few or most of many, are each found where they belong."""
    ours, theirs = pair
    writer = Writer(theirs)
    names = [writer.remember(ADA, "tea", embedded=None) for _ in range(60)]
    assert ours.corpus(ADA, MODEL).embedded == 0
    for chosen in (names[7::13], names[1::2]):
        theirs.put_vectors(MODEL, [(ADA, name, vector(int(name[1:]))) for name in chosen])
        assert content(ours, ADA) == content(theirs, ADA)


def test_a_model_of_other_dimensions_has_its_own_corpus(pair: tuple[SqliteStore, SqliteStore]) -> None:
    """Two models side by side, each with rows of its own width."""
    ours, _ = pair
    wide = ModelInfo("wide", "1", 100)
    writer = Writer(ours)
    writer.remember(ADA, "tea", embedded=wide)
    writer.remember(ADA, "rain")
    assert ours.corpus(ADA, wide).nearest(vector(1, 100), 5, None)[0].tolist() == [0]
    assert ours.corpus(ADA, MODEL).nearest(vector(1), 5, None)[0].tolist() == [1]
