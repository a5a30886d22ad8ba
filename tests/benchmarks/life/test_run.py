"""``python -m benchmarks life`` on toy conversations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cli import main
from benchmarks.life import run as running
from benchmarks.life.laws import LAWS, Finding
from benchmarks.life.simulation import Life
from tests.benchmarks import toy


def command(tmp_path: Path, *more: str) -> list[str]:
    """The command on the two toy conversations."""
    data = toy.write_lines(tmp_path / "l.jsonl", toy.locomo())
    given = ["life", "--set", "locomo", "--data", str(data), "--out", str(tmp_path / "life.json")]
    return [*given, "--embedder", "hash", "--cache", str(tmp_path / "cache"), *more]


def test_a_row_for_each_law_and_conversation(tmp_path: Path) -> None:
    """None broken; the file says which recipe, model and seed, and what was counted."""
    assert main(command(tmp_path, "--recipe", "v9", "--seed", "3")) == 0
    content = json.loads((tmp_path / "life.json").read_text())
    assert {(row["store"], row["law"]) for row in content["rows"]} == {
        (store, law) for store in ("conv-a", "conv-b") for law in LAWS
    }
    assert {row["broken"] for row in content["rows"]} == {0}
    assert (content["recipe"], content["seed"], content["counts"]["messages"]) == ("v9", 3, 7)
    assert content["model"].startswith("hash")


def test_a_broken_law_is_an_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """1, after the result file is written, with the law and its first breach told."""

    def judged(life: Life, folder: Path) -> list[Finding]:
        del life, folder
        return [Finding("nothing is lost", 2, ("m1 is lost", "m2 is lost"))]

    monkeypatch.setattr(running, "judged", judged)
    assert main(command(tmp_path, "--limit", "1")) == 1
    assert "conv-a: nothing is lost: m1 is lost" in capsys.readouterr().err
    rows = json.loads((tmp_path / "life.json").read_text())["rows"]
    assert [(row["checked"], row["broken"], row["first"]) for row in rows] == [(2, 2, ["m1 is lost", "m2 is lost"])]
