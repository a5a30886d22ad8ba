from pathlib import Path

import pytest

from reverie.errors import StoreBusy
from reverie.vault.locking import locked


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """Whoever waits too long is told; afterwards it is free."""
    lock = tmp_path / "own" / "lock"
    with locked(lock), pytest.raises(StoreBusy), locked(lock, wait_s=0.0):
        pass
    with locked(lock, wait_s=0.0):
        assert lock.exists()
