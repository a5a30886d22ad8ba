"""The link under kills: see killing.py."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.req("B11")
@pytest.mark.soak
def test_a_sync_killed_at_any_moment_loses_nothing(tmp_path: Path, share: Callable[[int], int]) -> None:
    """In each round both sides changed; after the next sync they agree, and every word is somewhere still."""
    rounds = share(120)
    done = subprocess.run(
        [sys.executable, "-m", "tests.vault.linking.killing", str(tmp_path), str(rounds), "7"],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60 + 20 * rounds,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[1]) > rounds // 2
