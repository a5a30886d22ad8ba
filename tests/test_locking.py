import math
import stat
import threading
from pathlib import Path

import pytest

from reverie.errors import StoreBusy
from reverie.locking import locked


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """Whoever waits too long is told; afterwards it is free."""
    lock = tmp_path / "own" / "lock"
    with locked(lock), pytest.raises(StoreBusy), locked(lock, wait_s=0.0):
        pass
    with locked(lock, wait_s=0.0):
        assert lock.exists()


def test_whoever_waits_without_end_gets_it(tmp_path: Path) -> None:
    """As soon as it is let go; and the file is for those alone whom its maker names."""
    lock = tmp_path / "lock"
    with locked(lock, mode=0o600):
        waiting = threading.Thread(target=take, args=(lock,), daemon=True)
        waiting.start()
        waiting.join(0)
        assert waiting.is_alive()
    waiting.join(30)
    assert not waiting.is_alive()
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600


def take(lock: Path) -> None:
    with locked(lock, math.inf):
        pass
