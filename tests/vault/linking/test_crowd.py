"""Many hands at once: see crowd.py."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.req("B2", "B11")
@pytest.mark.soak
def test_two_agents_a_person_and_the_engine_work_at_once(tmp_path: Path, share: Callable[[int], int]) -> None:
    """With a sync all the while: afterwards both sides agree, and nothing that was said is lost."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.vault.linking.crowd", str(tmp_path), str(share(80))],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
