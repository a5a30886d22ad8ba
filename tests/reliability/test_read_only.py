"""Files and folders that cannot be written: reading goes on, writing says why not."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.stores.sqlite import SqliteStore
from tests.reliability.watching import start, told
from tests.stores.making import ADA, Writer


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder anybody may enter: pytest's own are closed to the user the worker becomes."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def filled(path: Path, *, closed: bool) -> SqliteStore | None:
    """A store with two messages, closed or still open (with its log beside it)."""
    store = SqliteStore(path)
    writer = Writer(store)
    writer.remember(ADA, "tea")
    writer.remember(ADA, "rain")
    if not closed:
        return store
    store.close()
    return None


EXPECTED = ["read m00001 True", *["kept out StoreReadOnly"] * 3, "faults []"]


def short(lines: list[str]) -> list[str]:
    """What was said, without the words of the errors."""
    return [" ".join(line.split()[:3]) if line.startswith("kept out") else line for line in lines]


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_closed_store_can_be_read(folder: Path, what: str) -> None:
    """Memories, terms, vectors and the check work; every kind of writing is refused with a mend."""
    filled(folder / "store", closed=True)
    before = (folder / "store").read_bytes()
    locked = {"file": [folder / "store"], "folder": [folder], "both": [folder / "store", folder]}[what]
    lines = told(start("read_only", folder / "store", *locked))
    assert short(lines) == EXPECTED
    assert all("Give this user the right to write" in line for line in lines if line.startswith("kept out"))
    assert (folder / "store").read_bytes() == before


def test_a_store_in_use_can_be_read(folder: Path) -> None:
    """With the writer's log beside it, what is in the log is read as well."""
    store = filled(folder / "store", closed=False)
    assert store is not None
    every = sorted(folder.iterdir())
    assert [path.name for path in every] == ["store", "store-shm", "store-wal"]
    assert short(told(start("read_only", folder / "store", *every, folder))) == EXPECTED
    store.close()


def test_a_log_that_cannot_be_read_is_not_passed_over(folder: Path) -> None:
    """A log without its index in a locked folder holds acknowledged messages: refused, with what to do."""
    store = filled(folder / "store", closed=False)
    assert store is not None
    copy = folder / "copy"
    copy.mkdir()
    for name in ("store", "store-wal"):
        shutil.copy(folder / name, copy / name)
    store.close()
    locked = [copy / "store", copy / "store-wal", copy]
    (line,) = told(start("read_only", copy / "store", *locked))
    assert line.startswith("refused StoreReadOnly")
    assert "log that was not yet merged" in line
    whole = SqliteStore(copy / "store", create=False)
    assert whole.stats(ADA).memories == 2
    whole.close()


def test_a_store_that_was_locked_for_a_while_is_written_again(folder: Path) -> None:
    """Once its file may be written, what a read left locked beside it keeps nobody out."""
    filled(folder / "store", closed=True)
    left, *rest = told(start("spell", folder / "store", "yes"))
    assert left == "left store store-shm store-wal"
    assert rest == ["advice", "wrote"]


def test_what_is_locked_beside_a_store_and_another_users_is_named(folder: Path) -> None:
    """By the error and by doctor: that the file may be written is not all."""
    filled(folder / "store", closed=True)
    _, advice, kept_out = told(start("spell", folder / "store", "no"))
    assert advice == "advice store-read-only"
    assert kept_out.startswith("kept out StoreReadOnly")
    assert str(folder / "store-shm") in kept_out
