"""Starting workers and holding the clock where only the parent can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

import reverie
from benchmarks.speed.worker import Job, Result
from reverie.errors import ReverieError

ROOTS = [Path(file).resolve().parents[levels] for file, levels in ((__file__, 2), (reverie.__file__, 1))]
"""Where the benchmarks and the engine were imported from: the processes are to measure the same."""

COMMAND = [sys.executable, "-m", "benchmarks.speed.worker"]


class WorkerError(ReverieError):
    """A measurement ended without a result."""


def environment() -> dict[str, str]:
    """This process's environment, with the benchmarks and the engine importable from any working folder.

    LanceDB is told to be quiet: it would otherwise write two warnings a search, at its own cost.
    """
    paths = [*map(str, ROOTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "LANCEDB_LOG": "error"}


def run(job: Job) -> Result:
    """Do a job in a fresh process."""
    return _finish(_start(job), job)


def run_fresh_open(job: Job) -> tuple[float, Result]:
    """Do an ``open`` job; ms from starting the process until it said it was ready, and the result."""
    started = perf_counter()
    process = _start(job)
    assert process.stdout is not None
    process.stdout.readline()
    ready_ms = (perf_counter() - started) * 1000.0
    return ready_ms, _finish(process, job)


def _start(job: Job) -> subprocess.Popen[str]:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment())
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(job)) + "\n")
    process.stdin.close()
    return process


def _finish(process: subprocess.Popen[str], job: Job) -> Result:
    assert process.stdout is not None
    with process.stdout:
        lines = process.stdout.read().splitlines()
    if process.wait() != 0 or not lines:
        what = f"Measuring {job.action} of {', '.join(job.systems)} at {job.size} memories failed."
        raise WorkerError(what, "The lines above say why.")
    return Result(**json.loads(lines[-1]))
