"""No room: a clear error, nothing lost, and work goes on once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.errors import StoreFull
from reverie.stores.sqlite import SqliteStore
from tests.reliability.watching import start, told
from tests.stores.making import ADA, MODEL, Writer, content


@pytest.mark.parametrize("limit", [200_000, 333_333, 900_000])
def test_a_limit_on_file_size_stops_writing_cleanly(tmp_path: Path, limit: int) -> None:
    """What was acknowledged before is there after, read by the same process and by the next."""
    lines = told(start("fill", tmp_path / "store", limit))
    said = [line.split()[1] for line in lines if line.startswith("said")]
    full = next(line for line in lines if line.startswith("full"))
    assert "disk is full" in full
    assert "Make room" in full
    assert f"kept {len(said)} {len(said)} {len(said)}" in lines
    assert lines[-1] == "faults []"
    store = SqliteStore(tmp_path / "store", create=False)
    assert store.stats(ADA).memories == len(said) + 1
    assert store.check() == []
    store.close()


def test_a_full_disk_stops_writing_cleanly(small_disk: Path) -> None:
    """Writing, erasing and copying fail with StoreFull; reading goes on; with room everything works again."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(1_200_000))
    store = SqliteStore(small_disk / "store")
    writer = Writer(store, durable=True)
    names: list[str] = []

    def write_on() -> None:
        while True:
            names.append(writer.remember(ADA, "rain and tea " * 200))

    with pytest.raises(StoreFull, match="Make room"):
        write_on()
    assert [memory.id for memory in store.memories(ADA)] == names
    before = content(store, ADA)
    with pytest.raises(StoreFull):
        store.backup(small_disk / "copy")
    assert not (small_disk / "copy").exists()
    with pytest.raises(StoreFull):
        writer.erase(ADA, names[0])
    ballast.unlink()
    store.close()
    store = SqliteStore(small_disk / "store", create=False)
    left = content(store, ADA)
    assert left == before or len(left[-1]) == len(names) - 1  # type: ignore[arg-type]  # the list of memories
    assert [fault.name for fault in store.check()] in ([], ["erasure"])
    Writer(store, "later").remember(ADA, "room again")
    assert store.corpus(ADA, MODEL).postings("again").ordinals.size == 1
    store.close()
