import math
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reverie.errors import StoreBusy
from reverie.locking import Queue, locked


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


def test_a_queue_lets_one_after_the_other(tmp_path: Path) -> None:
    """Who comes second waits until the first leaves, also within a process; a turn within a turn is one."""
    (tmp_path / "file").touch()
    first, second = Queue(tmp_path / "file"), Queue(tmp_path / "file")
    first.take(1.0)
    first.take(1.0)
    waiting = threading.Thread(target=second.take, args=(30.0,), daemon=True)
    waiting.start()
    first.leave()
    waiting.join(0.05)
    assert waiting.is_alive()
    first.leave()
    waiting.join(30)
    assert not waiting.is_alive()
    second.leave()
    first.take(0.0)
    first.close()
    second.close()


def test_a_queue_never_keeps_anybody(tmp_path: Path) -> None:
    """Without the file, with a link in its place, or behind one that does not move on: whoever asks goes on in time."""
    Queue(tmp_path / "missing").take(30.0)
    (tmp_path / "link").symlink_to(tmp_path / "missing")
    Queue(tmp_path / "link").take(30.0)
    (tmp_path / "file").touch()
    stopped, other, third = (Queue(tmp_path / "file") for _ in range(3))
    stopped.take(1.0)
    other.take(0.01)
    other.leave()
    stopped.leave()
    third.take(30.0)  # the turn that came too late was let go
    (tmp_path / "file").unlink()
    (tmp_path / "file").touch()
    third.leave()
    third.take(30.0)
    other.take(0.0)
    for queue in (stopped, other, third):
        queue.close()


def test_the_turn_of_a_process_that_was_killed_ends(tmp_path: Path) -> None:
    """The system ends it."""
    (tmp_path / "file").touch()
    code = "import sys; from pathlib import Path; from reverie.locking import Queue; q = Queue(Path(sys.argv[1]))"
    code += "; q.take(1.0); print('taken', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(tmp_path / "file")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        queue = Queue(tmp_path / "file")
        waiting = threading.Thread(target=queue.take, args=(30.0,), daemon=True)
        waiting.start()
        waiting.join(0.05)
        assert waiting.is_alive()
        process.kill()
        waiting.join(30)
        assert not waiting.is_alive()
    queue.close()
