"""Whole processes under the clock, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.speed import run
from benchmarks.speed.run import Commands
from benchmarks.speed.workers import WorkerError


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Thirty messages, one run."""
    monkeypatch.setattr(run, "RUNS", 1)
    return Commands(tmp_path, 30, seed=0)


def test_importing_and_recalling_are_timed_as_processes(small: Commands) -> None:
    """The command line finds the store that was built, and takes longer than importing the package does."""
    (importing,) = small.import_module()
    (recalling,) = small.recall("none")
    assert 0.0 < importing < recalling


def test_a_command_that_fails_is_an_error(small: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a crash is not a result."""
    monkeypatch.setattr(run, "IMPORT", "raise SystemExit('no such luck')")
    with pytest.raises(WorkerError, match="no such luck"):
        small.import_module()
