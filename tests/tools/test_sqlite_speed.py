"""The measurements of the SQLite store run, on stores of a few memories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.sqlite_speed import main, writers


def test_erasing_and_a_first_recall_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each time; the store that was named is used again."""
    at = ["--scopes", "3", "--memories", "20", "--at", str(tmp_path / "store")]
    main(["erase", "--rounds", "2", *at])
    main(["first", *at])
    main(["cold", "--rounds", "2", *at])
    *erased, first, cold = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["left"] for one in erased] == [[], []]
    assert 18 <= first["memories"] <= 20
    assert cold["over_warm"] > 0


def test_writers_are_measured() -> None:
    """Two processes at once: all they wrote counts."""
    told = writers(2, 3)
    assert told["processes"] == 2
    assert float(str(told["per_s"])) > 0
