from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from benchmarks.cli import main
from benchmarks.serving import Alone, Crowd, Findings

SOUND = Findings(10, Alone(2, 5.0, 4.0, 6.0), Crowd(2, 1.0, 100, 0, 10.0, 50.0, 60.0, 100.0, 101.0))


def test_what_must_hold_holds_or_fails() -> None:
    """Each bound is looked at on its own: the median, errors, the slowest hundredth, memory."""
    assert all(holds for _, holds in SOUND.verdicts())
    for worse in (
        replace(SOUND, alone=replace(SOUND.alone, again_p50_ms=12.1)),
        replace(SOUND, crowd=replace(SOUND.crowd, errors=1)),
        replace(SOUND, crowd=replace(SOUND.crowd, p99_ms=201.0)),
        replace(SOUND, crowd=replace(SOUND.crowd, memory_last_mb=111.0)),
    ):
        assert [holds for _, holds in worse.verdicts()].count(False) == 1


def test_a_small_run_is_measured_whole(tmp_path: Path) -> None:
    """A server is started, asked by one and by several, and stopped; the result names no folder of this machine."""
    out = tmp_path / "serving.json"
    given = ["serving", "--size", "50", "--clients", "2", "--seconds", "1", "--embedder", "none"]
    assert main([*given, "--folder", str(tmp_path / "stores"), "--out", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["serving"]["crowd"]["errors"] == 0
    assert found["serving"]["crowd"]["requests"] > 0
    assert found["serving"]["alone"]["again_p50_ms"] > 0
    assert str(tmp_path) not in out.read_text()
