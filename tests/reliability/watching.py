"""Workers as tests see them: started as processes of their own, one thread each, from the root of the project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(job: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a worker on a job."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.reliability.worker", job, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(worker: subprocess.Popen[str]) -> list[str]:
    """Everything a worker says until it ends, which it must do without complaint."""
    output, complaint = worker.communicate(timeout=300)
    assert (worker.returncode, complaint) == (0, "")
    return output.splitlines()
