"""Two processes at one file: all is there, once, the chain holds, and copies made meanwhile are whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.stores.sqlite import SqliteStore
from tests.reliability.watching import start, told
from tests.stores.making import ADA, MODEL, content


@pytest.mark.soak
def test_two_processes_write_and_read_in_turn(tmp_path: Path, share: Callable[[int], int]) -> None:
    """2,000 interleaved writes and recalls (a tenth by default): nothing lost, nothing twice, no error shown."""
    path, each = tmp_path / "store", share(2000) // 2
    workers = [start("talk", path, name, each) for name in ("one", "two")]
    said = [line.split()[1] for worker in workers for line in told(worker)]
    store = SqliteStore(path, create=False)
    memories = list(store.memories(ADA))
    assert sorted(memory.id for memory in memories) == sorted(said)
    assert len({memory.text for memory in memories}) == each
    assert all(memory.accesses >= 1 for memory in memories)
    assert store.corpus(ADA, MODEL).size == store.corpus(ADA, MODEL).embedded == len(said)
    assert store.mark() == 2 * len(said)
    assert store.check() == []
    store.close()


def test_two_processes_make_one_file(tmp_path: Path) -> None:
    """Both find no store, both create it, one does: neither sees an error."""
    path = tmp_path / "store"
    workers = [start("talk", path, name, 4) for name in ("one", "two", "three")]
    assert [len(told(worker)) for worker in workers] == [2, 2, 2]
    store = SqliteStore(path, create=False)
    assert store.check() == []
    store.close()


@pytest.mark.soak
def test_a_copy_made_while_another_writes_is_whole(tmp_path: Path, share: Callable[[int], int]) -> None:
    """Each copy is a store as of one moment: the chain holds, the tables fit, and it is a beginning of the journal."""
    path = tmp_path / "store"
    store = SqliteStore(path)
    worker = start("talk", path, "one", share(2000))
    assert worker.stdout is not None
    copies = []
    for number in range(5):
        worker.stdout.readline()
        copies.append(tmp_path / f"copy{number}")
        store.backup(copies[-1])
    told(worker)
    hashes = [event.hash for event in store.events(ADA)]
    for copy in copies:
        kept = SqliteStore(copy, create=False)
        assert kept.check() == []
        seq, last = kept.head(ADA)
        assert hashes[seq - 1] == last
        assert len(content(kept, ADA)[-1]) == kept.stats(ADA).memories  # type: ignore[arg-type]  # the list of memories
        kept.close()
    store.close()
