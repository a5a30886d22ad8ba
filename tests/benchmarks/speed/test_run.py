"""A small speed run from end to end, in real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.speed import run as running
from benchmarks.speed.contender import LANCEDB, OURS, SEARCH
from benchmarks.speed.ours import search_alone
from benchmarks.speed.run import Findings, Plan, run
from benchmarks.speed.vectors import FakeEmbedder
from benchmarks.speed.worker import Job, make
from benchmarks.speed.workers import WorkerError
from benchmarks.speed.workers import run as run_job
from reverie.errors import InvalidInput

OPERATIONS = ["import", "open", "first-recall", "recall", "remember", "turn-remember", "turn-recall"]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Ninety memories, ours alone."""
    folder = tmp_path_factory.mktemp("speed")
    return run(Plan((90,), folder, systems=(OURS,), commands=False, recalls=20, remembers=5, turns=4, opens=2))


def test_every_operation_has_one_row(findings: Findings) -> None:
    """Times above zero, medians no higher than 95th percentiles."""
    assert [row.op for row in findings.rows] == OPERATIONS
    for row in findings.rows:
        assert (row.system, row.size) == (OURS, 90)
        assert 0.0 < findings.fastest_ms[f"{OURS} {row.op} 90"] <= row.p50_ms <= row.p95_ms
        assert row.disk_mb is not None
        assert row.disk_mb > 0.0


def test_the_search_alone_is_a_system_of_its_own(tmp_path: Path) -> None:
    """The same rows; nothing stands before or behind the search."""
    plan = Plan((60,), tmp_path, systems=(SEARCH,), commands=False, recalls=5, remembers=2, turns=1, opens=1)
    assert [(row.system, row.op) for row in run(plan).rows] == [(SEARCH, op) for op in OPERATIONS]
    assert [stage.name for stage in search_alone().recall.stages] == ["search", "reader"]


def test_lancedb_is_left_out_with_a_note_where_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes its absence for a result."""
    monkeypatch.setattr(running, "available", lambda: False)
    found = run(Plan((), tmp_path, systems=(LANCEDB,), commands=False))
    assert found.rows == []
    assert "LanceDB is not installed" in found.notes[0]


def test_a_worker_that_fails_is_an_error(tmp_path: Path) -> None:
    """A figure is never made up."""
    with pytest.raises(WorkerError, match="build of nothing"):
        run_job(Job("build", "nothing", str(tmp_path), 1, 0))


def test_an_unknown_contender_is_refused(tmp_path: Path) -> None:
    """By its name."""
    with pytest.raises(InvalidInput, match="nothing"):
        make("nothing", tmp_path, FakeEmbedder(0))


def test_lancedb_finds_counts_and_keeps(tmp_path: Path) -> None:
    """The comparison does what it says: ten found, ten counted, one more kept."""
    pytest.importorskip("lancedb", reason="the extra `bench` is not installed")
    pytest.importorskip("pyarrow", reason="the extra `bench` is not installed")
    sizes = run(Plan((60,), tmp_path, systems=(LANCEDB,), commands=False, recalls=12, remembers=3, turns=2, opens=1))
    assert [row.op for row in sizes.rows] == OPERATIONS
    import lancedb

    database = lancedb.connect(str(tmp_path / "60" / LANCEDB))
    assert database.open_table("messages").count_rows() == 65  # three more, and one a turn
    counts = database.open_table("counters").to_arrow().column("count").to_pylist()
    assert len(counts) == 65
    # 19 recalls in the process opened afresh, 19 in the one that took its turns; each counts ten.
    assert sum(counts) == 10 * (19 + 19)
