"""Clocks, memory and disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.speed import measurements
from benchmarks.speed.measurements import Stopwatch, bare_interpreter_mb, disk_mb, p50, p95, status_mb


def test_percentiles_of_few_and_many() -> None:
    """Of few values the 95th percentile is the largest, never something between."""
    assert p50([1.0, 2.0, 10.0]) == 2.0
    assert p95([1.0, 2.0, 10.0]) == 10.0
    assert p95([float(n) for n in range(1, 101)]) == 96.0


def test_a_stopwatch_adds_up_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work and the making of values; the values come through unchanged."""
    ticks = iter(range(100))
    monkeypatch.setattr(measurements, "perf_counter", lambda: float(next(ticks)))
    watch = Stopwatch()
    assert watch.call(lambda: "done") == "done"
    assert watch.spent_s == 1.0
    assert list(watch.over(["a", "b"])) == ["a", "b"]
    assert watch.spent_s == 4.0  # two values and the end


def test_disk_is_the_sum_of_the_files(tmp_path: Path) -> None:
    """In folders of folders, too."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_bytes(b"x" * 1_500_000)
    (tmp_path / "b").write_bytes(b"x" * 500_000)
    assert disk_mb(tmp_path) == 2.0


def test_this_process_holds_more_than_a_bare_interpreter() -> None:
    """It has imported numpy at least."""
    here, bare = status_mb("VmRSS"), bare_interpreter_mb()
    if here is None or bare is None:
        pytest.skip("only Linux tells a process's memory this way")
    assert here > bare > 1.0
