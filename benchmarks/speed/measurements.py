"""Measuring: time, memory, disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np

Value = TypeVar("Value")

MB = 1e6


class Stopwatch:
    """Adds up time that is to be left out of another measurement."""

    def __init__(self) -> None:
        self.spent_s = 0.0

    def call(self, work: Callable[[], Value]) -> Value:
        """Do the work and add what it took."""
        started = perf_counter()
        try:
            return work()
        finally:
            self.spent_s += perf_counter() - started

    def over(self, values: Iterable[Value]) -> Iterator[Value]:
        """The values, adding what it took to make each."""
        source = iter(values)
        end = object()
        while True:
            value = self.call(lambda: next(source, end))
            if value is end:
                return
            yield value  # type: ignore[misc]  # mypy does not see that `end` is gone


def timed_ms(work: Callable[[], object]) -> float:
    """What one call takes, in ms."""
    started = perf_counter()
    work()
    return (perf_counter() - started) * 1000.0


def p50(values: Sequence[float]) -> float:
    """The median."""
    return round(float(np.median(values)), 4)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile; of few values, the largest."""
    return round(float(np.quantile(values, 0.95, method="higher")), 4)


def status_mb(field: str) -> float | None:
    """A memory figure of this process in MB (``VmRSS`` now, ``VmHWM`` at its highest); None where unknown."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    for line in status.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024 / MB
    return None


def bare_interpreter_mb() -> float | None:
    """Resident memory of a Python that has imported nothing."""
    program = "import sys\nfor line in open('/proc/self/status'):\n    sys.stdout.write(line)"
    try:
        told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError:
        return None  # no /proc: not Linux
    line = next(line for line in told.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024 / MB


def disk_mb(folder: Path) -> float:
    """What the files in a folder take."""
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MB, 2)
