"""``python -m benchmarks abstain`` on toy conversations: measuring, fitting, the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.abstain.run import asked_in
from benchmarks.cli import main
from reverie.errors import InvalidExport
from reverie.recall.confidence import NAMES
from tests.benchmarks import toy


def measure(tmp_path: Path, name: str, *more: str) -> Path:
    """The result file of the two toy conversations."""
    data, out = toy.write_lines(tmp_path / "l.jsonl", toy.locomo()), tmp_path / f"{name}.json"
    given = ["abstain", "--set", "locomo", "--data", str(data), "--out", str(out), "--cache", str(tmp_path / "cache")]
    assert main([*given, *more]) == 0
    return out


def test_the_result_file_holds_rows_and_what_was_asked(tmp_path: Path) -> None:
    """Evidence by its names, a confidence in [0, 1], counts by kind, and the curve."""
    content = json.loads(measure(tmp_path, "hash", "--embedder", "hash").read_text())
    assert content["counts"]["answerable"] == 5
    assert content["counts"]["adversarial"] == 1
    assert content["counts"]["evidence removed"] == 2
    assert content["model"].startswith("hash")
    assert {"reverie", "top-text", "top-meaning"} <= {row["system"] for row in content["rows"]}
    assert all(0.0 <= one["confidence"] <= 1.0 for one in content["asked"])
    assert {tuple(one["evidence"])[: len(NAMES)] for one in content["asked"] if one["evidence"]} == {NAMES}
    assert len(content["asked"]) == sum(count for _, _, count in content["reliability"]["reverie"])


def test_fitted_weights_are_read_by_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The written file has the shipped one's form."""
    from reverie.recall import confidence

    files = [measure(tmp_path, "hash", "--embedder", "hash"), measure(tmp_path, "none", "--embedder", "none")]
    out = tmp_path / "weights.txt"
    assert main(["abstain", "--fit", str(out), "--others", *map(str, files)]) == 0
    assert confidence.read_weights(out.read_text()).keys() <= confidence.shipped().keys()
    assert main(["abstain", "--fit", str(out), "--others", str(files[0])]) == 1


def test_nothing_to_do_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    """An exit code and a hint."""
    assert main(["abstain"]) == 1
    assert "--set" in capsys.readouterr().err


def test_another_kind_of_result_is_refused(tmp_path: Path) -> None:
    """A file that does not say what was asked."""
    other = tmp_path / "other.json"
    other.write_text('{"rows": []}')
    with pytest.raises(InvalidExport, match="does not say what was asked"):
        asked_in(other)
