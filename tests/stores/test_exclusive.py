"""Who comes second is told at once, on every store."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import pytest

from reverie.errors import Conflict
from reverie.ports import Store
from reverie.stores.exclusive import sole
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
def test_one_at_a_time(kind: str, tmp_path: Path) -> None:
    """The second is refused, and the next may once the first has ended."""
    store: Store = RamStore() if kind == "ram" else SqliteStore(tmp_path / "store")
    with store.alone(ADA), pytest.raises(Conflict, match="dreaming"), store.alone(ADA):
        pass
    with store.alone(ADA):
        pass
    store.close()


def test_let_go_after_an_error() -> None:
    """What went wrong inside does not keep the next one out."""
    lock = Lock()
    with pytest.raises(RuntimeError), sole(lock):
        raise RuntimeError
    with sole(lock):
        assert lock.locked()
