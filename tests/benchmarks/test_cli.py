"""The commands as a user types them, on toy files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import commands
from benchmarks.cli import main
from benchmarks.results import SpeedRow, WholeRow, write
from benchmarks.speed.run import Findings, Plan
from benchmarks.speed.workers import environment
from benchmarks.systems import WITHOUT
from tests.benchmarks import toy


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return toy.write_all(folder)


def retrieval(data: Path, name: str, files: list[str], out: Path, *more: str) -> int:
    """Run the retrieval command with the hashing model."""
    paths = [str(data / file) for file in files]
    cache = str(data.parent / "cache")
    given = ["retrieval", "--set", name, "--data", *paths, "--out", str(out), "--embedder", "hash", "--cache", cache]
    return main([*given, *more])


@pytest.mark.parametrize(
    ("name", "files", "unit"),
    [
        ("locomo", ["a.jsonl.gz"], "turn"),
        ("longmemeval", ["b.jsonl", "c.jsonl.gz"], "turn"),
        ("longmemeval", ["c.jsonl.gz", "b.jsonl"], "turn"),
        ("beam", ["d.jsonl"], "message"),
        ("xquad", ["e.jsonl"], "paragraph"),
    ],
)
def test_each_set_gives_a_row_for_each_system(
    data: Path, tmp_path: Path, name: str, files: list[str], unit: str
) -> None:
    """All four systems in one run, values in [0, 1] within their intervals, whatever the order of the files."""
    out = tmp_path / "out.json"
    assert retrieval(data, name, files, out, "--systems", "bm25,dense,rrf,reverie") == 0
    content = json.loads(out.read_text())
    rows = [row for row in content["rows"] if row["unit"] == unit and row["category"] == "all"]
    assert {row["system"] for row in rows} == {"bm25", "dense", "rrf", "reverie"}
    assert all(0.0 <= row["low"] <= row["value"] <= row["high"] <= 1.0 for row in content["rows"])
    assert {row["set"] for row in content["rows"]} == {name}
    assert content["model"].startswith("hash")


def test_the_module_is_a_command(data: Path, tmp_path: Path) -> None:
    """``python -m benchmarks`` as a process, from another folder."""
    given = ["retrieval", "--set", "beam", "--data", str(data / "d.jsonl"), "--systems", "bm25", "--out", "out.json"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *given],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "wrote out.json\n"), done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["rows"]


def test_a_limit_measures_less(data: Path, tmp_path: Path) -> None:
    """One conversation of two."""
    out = tmp_path / "out.json"
    assert retrieval(data, "locomo", ["a.jsonl.gz"], out, "--systems", "bm25", "--limit", "1") == 0
    assert json.loads(out.read_text())["counts"]["stores"] == 1


def test_files_of_another_set_are_refused_with_a_message(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, no traceback, no result file."""
    assert retrieval(data, "locomo", ["d.jsonl"], tmp_path / "out.json", "--systems", "bm25") == 1
    assert "locomo" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_a_group_of_systems_is_each_of_them(tmp_path: Path, data: Path) -> None:
    """`without`: a row for each mechanism taken out."""
    out = tmp_path / "out.json"
    assert retrieval(data, "locomo", ["a.jsonl.gz"], out, "--systems", "reverie,without") == 0
    measured = {row["system"] for row in json.loads(out.read_text())["rows"]}
    assert measured == {"reverie", *WITHOUT}


@pytest.mark.parametrize(
    "given",
    [
        ["retrieval", "--set", "locomo", "--data", "x", "--out", "y", "--systems", "oracle"],
        ["retrieval", "--set", "locomo", "--data", "x", "--out", "y", "--limit", "0"],
        ["retrieval", "--set", "elsewhere", "--data", "x", "--out", "y"],
        ["speed", "--out", "y", "--sizes", "many"],
        [],
    ],
)
def test_a_wrong_option_is_a_usage_error(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, as every command line does it."""
    with pytest.raises(SystemExit) as caught:
        main(given)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_all_measures_every_set_in_the_folder_and_reports(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One result file a set, raw rankings, speed, and the document with the chart."""
    pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")
    plans: list[Plan] = []

    def no_speed(plan: Plan) -> Findings:
        plans.append(plan)
        return Findings([SpeedRow("reverie", "recall", 1000, 1.0, 2.0, 30.0, 4.0)], [])

    monkeypatch.setattr("benchmarks.speed.run.run", no_speed)
    out = tmp_path / "results"
    more = ["--systems", "bm25,reverie", "--embedder", "hash", "--cache", str(tmp_path / "cache"), "--sizes", "1000"]
    assert main(["all", "--data", str(data), "--out", str(out), "--without-recipes", *more]) == 0
    assert not list(out.glob("*-recipes.json"))
    made = {path.name for path in out.iterdir()}
    sets = ("locomo", "longmemeval", "beam", "xquad")
    assert {f"{name}.json" for name in sets} | {f"{name}-rankings.jsonl.gz" for name in sets} <= made
    assert {"speed.json", "report.md", "report.png"} <= made
    assert plans[0].sizes == (1000,)
    assert all(
        title in (out / "report.md").read_text() for title in ("LoCoMo", "LongMemEval-S", "BEAM", "XQuAD", "Time taken")
    )


def test_all_has_a_row_for_each_recipe(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pass of its own; of a large set the recipes hear a part, and the others hear that part again."""
    pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")
    rows = [SpeedRow("reverie", "recall", 1000, 1.0, 2.0, 30.0, 4.0)]
    monkeypatch.setattr("benchmarks.speed.run.run", lambda plan: Findings(rows, []))
    monkeypatch.setattr(commands, "LIMITS", {"locomo": 1})
    monkeypatch.setattr(commands, "installed", lambda: False)
    out = tmp_path / "results"
    more = ["--systems", "bm25,reverie", "--embedder", "hash", "--cache", str(tmp_path / "cache")]
    assert main(["all", "--data", str(data), "--out", str(out), *more]) == 0
    found = {path.name: json.loads(path.read_text()) for path in out.glob("*-recipes.json")}
    assert set(found) == {f"{name}-recipes.json" for name in ("locomo", "longmemeval", "beam", "xquad")}
    measured = {name: {row["system"] for row in content["rows"]} for name, content in found.items()}
    recipes = {"observed", "v9", "exocortex", "openclaw", "ocean"}
    assert measured["beam-recipes.json"] == recipes
    assert measured["locomo-recipes.json"] == {"bm25", "reverie"} | recipes
    assert found["locomo-recipes.json"]["counts"]["stores"] == 1
    text = (out / "report.md").read_text()
    assert "#### LoCoMo, the first 1 haystack\n" in text
    assert text.count("| reverie − v9 |") == 4


def test_all_measures_the_peers_where_they_are_installed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pass of their own; where they are not, there is no such file."""
    pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")
    rows = [SpeedRow("reverie", "recall", 1000, 1.0, 2.0, 30.0, 4.0)]
    monkeypatch.setattr("benchmarks.speed.run.run", lambda plan: Findings(rows, []))
    monkeypatch.setattr(commands, "SLOW", {"peers": ("dense",)})
    more = ["--without-recipes", "--systems", "rrf", "--embedder", "hash", "--cache", str(tmp_path / "cache")]
    for there in (True, False):
        monkeypatch.setattr(commands, "installed", lambda there=there: there)
        out = tmp_path / str(there)
        assert main(["all", "--data", str(data), "--out", str(out), *more]) == 0
        assert len(list(out.glob("*-peers.json"))) == (4 if there else 0)


def test_a_report_takes_a_folder(tmp_path: Path) -> None:
    """One option for every result file there is."""
    write(tmp_path / "s.json", [SpeedRow("reverie", "recall", 1000, 1.0, 2.0, 30.0, 4.0)], {})
    assert main(["report", "--results", str(tmp_path), "--out", str(tmp_path / "doc.md")]) == 0
    assert "| recall | 1,000 | reverie |" in (tmp_path / "doc.md").read_text()


def test_whole_and_dream_write_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And tell the figures; ``whole`` also what they may be at most."""
    row = WholeRow("reverie", "recall", 10_000, 9, 4.0, 8.0, 3.0, 7.0, 90.0)
    monkeypatch.setattr("benchmarks.speed.whole.run", lambda plan: [row] if plan.sizes == (10_000,) else [])
    monkeypatch.setattr("benchmarks.dream.run", lambda size, folder, seed: {"seconds": float(size + seed)})
    assert main(["whole", "--sizes", "10000", "--out", str(tmp_path / "whole.json")]) == 0
    assert main(["dream", "--sizes", "90", "--seed", "1", "--out", str(tmp_path / "dream.json")]) == 0
    told = capsys.readouterr().out
    assert "recall at 10,000: p50 4.0 ms, 3.0 ms of processor; at most 5 ms: holds" in told
    assert "90 memories: seconds 91" in told
    assert json.loads((tmp_path / "whole.json").read_text())["rows"][0]["p50_ms"] == 4.0
    assert json.loads((tmp_path / "dream.json").read_text())["rows"] == [{"size": 90, "figures": {"seconds": 91.0}}]


def test_the_screen_is_a_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes its options and prints its table."""
    given: list[bool] = []
    monkeypatch.setattr("benchmarks.screen.commands.run", lambda options, _: given.append(options.list))
    assert main(["screen", "--list"]) == 0
    assert given == [True]
    assert capsys.readouterr().err == ""


def test_all_without_data_measures_speed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And says so."""
    pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")
    rows = [SpeedRow("reverie", "recall", 1000, 1.0, 2.0, 30.0, 4.0)]
    monkeypatch.setattr("benchmarks.speed.run.run", lambda plan: Findings(rows, ["A note"]))
    assert main(["all", "--out", str(tmp_path / "results")]) == 0
    told = capsys.readouterr().err
    assert "only speed" in told
    assert "A note" in told
