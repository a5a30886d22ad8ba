"""``python -m benchmarks bands``: how sure a cosine is of an answer, fitted and tried on a set that was left out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.bands import Known, fit
from benchmarks.cli import main
from tests.benchmarks import toy


def given(data: Path, out: Path, *more: str) -> list[str]:
    """The command with the hashing model."""
    return ["bands", "--data", str(data), "--out", str(out), "--cache", str(out.with_name("cache")), *more]


@pytest.mark.req("D26")
def test_a_calibration_and_the_shares_of_each_set_are_written(tmp_path: Path) -> None:
    """Two rows a set, shares that add up to 1, a slope that rises; the same seed draws the same."""
    data = tmp_path / "data"
    data.mkdir()
    toy.write_all(data)
    found = []
    for name in ("a.json", "b.json"):
        out = tmp_path / name
        assert main(given(data, out, "--embedder", "hash:64", "--each", "5")) == 0
        found.append(json.loads(out.read_text()))
    assert found[0]["rows"] == found[1]["rows"]
    assert found[0]["slope"] > 0
    rows = found[0]["rows"]
    assert {row["pairs"] for row in rows} == {"right", "unrelated"}
    assert all(row["full"] + row["summary"] + row["withheld"] == pytest.approx(1.0) for row in rows)


@pytest.mark.req("D26")
def test_a_fit_parts_answers_from_chance() -> None:
    """Answers about .5 and others about .1 meet at even odds in between, however many pairs a set has."""
    rng = np.random.default_rng(0)
    known = [Known(f"set {n}", rng.normal(0.5, 0.08, n), rng.normal(0.1, 0.08, 4 * n)) for n in (20, 300)]
    law = fit(known)
    assert law.confidence(0.3) == pytest.approx(0.5, abs=0.1)
    assert law.confidence(0.45) > 0.7
    assert law.confidence(0.15) < 0.4


def test_nothing_to_fit_on_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No model, or no files: an error that says what to give."""
    assert main(given(tmp_path, tmp_path / "a.json", "--embedder", "none")) == 1
    assert "name a model" in capsys.readouterr().err
    assert main(given(tmp_path, tmp_path / "b.json", "--embedder", "hash:64")) == 1
    assert "--data" in capsys.readouterr().err
