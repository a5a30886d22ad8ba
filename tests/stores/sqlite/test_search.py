from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreBusy
from reverie.stores.sqlite import SqliteStore, search
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.schema import prepare
from reverie.types import ModelInfo, Scope
from tests.stores.making import ADA, GRACE, MODEL, OTHER_MODEL, Writer, at, content, vector


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """An empty store's connection."""
    made = Connection(tmp_path / "store", mode="mode=rwc", busy_timeout_s=1)
    prepare(made, busy_timeout_s=1)
    made.tune()
    yield made
    made.close()


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
        lambda: theirs.reindex(ADA, "v2", iter([])),
        lambda: theirs.put_vectors(OTHER_MODEL, [(ADA, names[4], vector(1))]),
        lambda: theirs.drop_vectors(ADA, keep=OTHER_MODEL),
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
