"""Starting workers and holding the clock where only the parent can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import NoReturn, Self

import reverie
from benchmarks.speed.worker import Block, Job, Result
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
    with Worker(job) as worker:
        return worker.finish()


def run_fresh_open(job: Job) -> tuple[float, Result]:
    """Do an ``open`` job; ms from starting the process until it said it was ready, and the result."""
    started = perf_counter()
    with Worker(job) as worker:
        worker.reply()
        ready_ms = (perf_counter() - started) * 1000.0
        return ready_ms, worker.finish()


class Worker:
    """A process that does a job; leaving the context ends it, whatever happened."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()
        )
        self._say(asdict(job))

    def ask(self, block: Block) -> list[float]:
        """Have a ``serve`` job time a block."""
        self._say(asdict(block))
        times: list[float] = json.loads(self.reply())
        return times

    def reply(self) -> str:
        """The next line it says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return line if line else self._fail()

    def finish(self) -> Result:
        """Tell it that nothing more comes, and take its result."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        lines = self._process.stdout.read().splitlines()
        if self._process.wait() != 0 or not lines:
            self._fail()
        return Result(**json.loads(lines[-1]))

    def _say(self, what: object) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()

    def _fail(self) -> NoReturn:
        job = self._job
        what = f"Measuring {job.action} of {job.system} at {job.size} memories failed."
        raise WorkerError(what, "The lines above say why.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):  # what was not yet written has nobody to read it
                    stream.close()
        self._process.wait()
