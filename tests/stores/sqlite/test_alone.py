"""A store is dreamt over by one process at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reverie.errors import Conflict, StoreReadOnly
from reverie.stores.exclusive import alone

HOLDER = """
import sys
from pathlib import Path
from reverie.stores.exclusive import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_is_kept_out_until_this_one_dies(tmp_path: Path) -> None:
    """Killed without a word, it holds nothing any more."""
    path = tmp_path / "store"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(Conflict), alone(path):
        pass
    holder.kill()
    holder.communicate()
    with alone(path):
        assert not path.exists()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """Nothing can be held beside a store that cannot be."""
    with pytest.raises(StoreReadOnly), alone(tmp_path / "nowhere" / "store"):
        pass
