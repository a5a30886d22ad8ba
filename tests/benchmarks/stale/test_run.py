"""``python -m benchmarks stale`` on a toy chat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cli import main
from tests.benchmarks import toy


def chat() -> toy.Records:
    """A chat in which a count changes and a meeting is denied."""
    said = [
        "My shop has 500 followers, and I met Bryan at the fair in June.",
        "Good to know.",
        "I am painting the fence this week.",
        "Have fun.",
        "My shop has now reached 600 followers!",
        "Congratulations.",
        "I've never met Bryan at any fair, by the way.",
        "Noted.",
    ]
    days = {1: "March-15-2024", 2: "March-20-2024"}
    messages = [
        {"id": n, "role": "assistant" if n % 2 else "user", "batch": batch, "time": days[batch], "content": text}
        for n, text in enumerate(said)
        for batch in [1 if n < 4 else 2]
    ]
    asked = [
        ("How many followers does my shop have?", "knowledge_update", {"original_info": [0], "updated_info": [4]}),
        ("Have I met Bryan at a fair?", "contradiction_resolution", {"first": [0], "second": [6]}),
        ("What am I painting?", "information_extraction", [2]),
    ]
    questions = [{"qid": kind, "type": kind, "question": text, "src": src} for text, kind, src in asked]
    return [{"chat": "1", "messages": messages, "questions": questions}]


def command(tmp_path: Path, *more: str) -> list[str]:
    """The command on the toy chat."""
    data = toy.write_lines(tmp_path / "b.jsonl", chat())
    given = ["stale", "--set", "beam", "--data", str(data), "--out", str(tmp_path / "stale.json")]
    return [*given, "--embedder", "hash", "--cache", str(tmp_path / "cache"), *more]


@pytest.mark.usefixtures("amounts_decide")
def test_every_metric_of_every_system(tmp_path: Path) -> None:
    """Reverie puts the newer first, marks the older, and marks both sides; BM25 marks nothing."""
    assert main(command(tmp_path, "--systems", "bm25,reverie,observed")) == 0
    content = json.loads((tmp_path / "stale.json").read_text())
    values = {(row["system"], row["metric"]): row["value"] for row in content["rows"]}
    for system in ("reverie", "observed"):
        assert values[system, "newer-above-older"] == 1.0
        assert values[system, "older-marked"] == 1.0
        assert values[system, "both-sides-marked"] == 1.0
        assert values[system, "wrongly-outdated"] == 0.0
    assert values["bm25", "both-sides"] == 1.0
    assert values["bm25", "older-marked"] == values["bm25", "both-sides-marked"] == 0.0
    assert {row["set"] for row in content["rows"]} == {"beam"}
    assert content["model"].startswith("hash")
    assert all(row["low"] <= row["value"] <= row["high"] for row in content["rows"])


def test_a_set_without_changes_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LoCoMo tells neither updates nor contradictions apart."""
    data = toy.write_lines(tmp_path / "l.jsonl", toy.locomo())
    given = ["stale", "--set", "locomo", "--data", str(data), "--out", str(tmp_path / "stale.json")]
    assert main([*given, "--embedder", "hash", "--cache", str(tmp_path / "cache"), "--systems", "reverie"]) == 1
    assert "neither updates nor contradictions" in capsys.readouterr().err


def test_unknown_systems_are_refused(tmp_path: Path) -> None:
    """Only those that can be compared here."""
    with pytest.raises(SystemExit):
        main(command(tmp_path, "--systems", "rrf"))
