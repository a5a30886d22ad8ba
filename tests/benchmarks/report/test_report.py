"""The report from result files."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.report import Files
from benchmarks.results import AbstainRow, DreamRow, LawRow, SpeedRow, StaleRow, WholeRow, write
from benchmarks.retrieval import Request, run
from benchmarks.sets import SETS
from benchmarks.systems.baselines import Bm25, Dense
from reverie.errors import InvalidExport, InvalidInput
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy

SPEEDS = [
    SpeedRow("reverie", "recall", 1000, 1.5, 3.0, 40.0, 12.0),
    SpeedRow("lancedb", "recall", 1000, 15.0, 33.0, 240.0, 3.0),
    SpeedRow("reverie", "import-module", 0, 88.125, 101.0, None, None),
]


@pytest.fixture
def retrieval(tmp_path: Path) -> Path:
    """A result file of the toy conversations."""
    data = toy.write_lines(tmp_path / "l.jsonl", toy.locomo())
    outcome = run(Request(SETS["locomo"], (data,)), [Bm25(), Dense(HashEmbedder())])
    write(tmp_path / "r.json", outcome.rows, {**outcome.extras, "model": "hash@1/256"})
    return tmp_path / "r.json"


@pytest.fixture
def speed(tmp_path: Path) -> Path:
    """A result file of speeds."""
    write(tmp_path / "s.json", SPEEDS, {"notes": ["A note"], "machine": {"processor": "P", "cores": 2}})
    return tmp_path / "s.json"


def test_tables_hold_every_system_and_the_ratio(tmp_path: Path, retrieval: Path, speed: Path) -> None:
    """Both units, each category with its number of questions, differences, and speed beside the other's."""
    document = tmp_path / "doc.md"
    document.write_text("# Benchmarks\n")
    report.write(document, None, Files([retrieval], speed=[speed]))
    text = document.read_text()
    assert text.startswith("# Benchmarks\n")
    assert "#### LoCoMo" in text
    assert "By turn, answerable questions (n = 5)" in text
    assert "By session, answerable questions (n = 5)" in text
    assert "| multi-hop | 2 |" in text
    assert "| difference | any@1 | fraction@10 | all@10 | tokens@1000 |" in text
    assert "| dense − bm25 |" in text
    assert "questions without gold (left out): 2" in text
    assert "| recall | 1,000 | lancedb | 15 | 33 | 10.0 | 240 | 3 |" in text
    assert "| import-module |  | reverie | 88.1 | 101 |  |  |  |" in text
    assert "A note." in text


def test_each_kind_of_file_has_its_section(tmp_path: Path, retrieval: Path) -> None:
    """In a fixed order, whatever the order of the options; a kind without files has none."""
    write(tmp_path / "life.json", [LawRow("locomo", "v9", "a", "nothing is lost", 600, 0, [])], {})
    write(tmp_path / "whole.json", [WholeRow("v9", "recall", 9, 9, 1.0, 2.0, 1.0, 2.0, None)], {})
    write(tmp_path / "dream.json", [DreamRow(9, {"seconds": 1.0})], {})
    document = tmp_path / "doc.md"
    files = Files(
        recipes=[retrieval],
        whole=[tmp_path / "whole.json"],
        dream=[tmp_path / "dream.json"],
        life=[tmp_path / "life.json"],
    )
    report.write(document, None, files)
    found = [line for line in document.read_text().splitlines() if line.startswith("### ")]
    assert found == [
        "### Evidence found with each recipe",
        "### Whole lives",
        "### Time taken with everything on",
        "### Dreams",
    ]


def test_the_same_files_give_the_same_document(tmp_path: Path, retrieval: Path, speed: Path) -> None:
    """Writing again changes nothing."""
    document = tmp_path / "doc.md"
    report.write(document, None, Files([retrieval], speed=[speed]))
    first = document.read_text()
    report.write(document, None, Files([retrieval], speed=[speed]))
    assert document.read_text() == first


def test_what_was_not_measured_again_stays(tmp_path: Path, retrieval: Path, speed: Path) -> None:
    """A report of one kind of file leaves the sections of the others, and what is written by hand."""
    document = tmp_path / "doc.md"
    document.write_text("# Mine\n")
    report.write(document, None, Files([retrieval], speed=[speed]))
    first = document.read_text()
    write(tmp_path / "s.json", [SpeedRow("reverie", "recall", 7, 1.5, 3.0, 40.0, 12.0)], {})
    report.write(document, None, Files(speed=[speed]))
    again = document.read_text()
    assert again.partition("### Time taken")[0] == first.partition("### Time taken")[0]
    assert "| recall | 7 | reverie |" in again
    assert "lancedb" not in again


def test_the_chart_is_a_picture_the_document_shows(tmp_path: Path, retrieval: Path, speed: Path) -> None:
    """With retrieval, speed, or both."""
    pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")
    document = tmp_path / "doc.md"
    for number, (results, speeds) in enumerate([([retrieval], [speed]), ([retrieval], []), ([], [speed])]):
        chart = tmp_path / "images" / f"{number}.png"
        report.write(document, chart, Files(results, speed=speeds))
        assert chart.read_bytes().startswith(b"\x89PNG")
        assert f"(images/{number}.png)" in document.read_text()
    beside = tmp_path / "benchmarks" / "results.md"
    report.write(beside, tmp_path / "images" / "0.png", Files([retrieval], speed=[speed]))
    assert "(../images/0.png)" in beside.read_text()


def test_a_file_that_is_no_result_is_refused(tmp_path: Path) -> None:
    """The document stays as it was."""
    document = tmp_path / "doc.md"
    document.write_text("mine")
    (tmp_path / "odd.json").write_text("{}")
    with pytest.raises(InvalidExport, match="odd"):
        report.write(document, None, Files([tmp_path / "odd.json"]))
    assert document.read_text() == "mine"


def test_a_folder_is_sorted_by_what_is_in_its_files(tmp_path: Path, retrieval: Path, speed: Path) -> None:
    """Every result file finds its section; what is no result file is passed over."""
    write(tmp_path / "life.json", [LawRow("locomo", "v9", "a", "nothing is lost", 600, 0, [])], {})
    write(tmp_path / "whole.json", [WholeRow("v9", "recall", 9, 9, 1.0, 2.0, 1.0, 2.0, None)], {})
    write(tmp_path / "dream.json", [DreamRow(9, {"seconds": 1.0})], {})
    changed = StaleRow("beam", "reverie", "newer-above-older", 200, "knowledge-update", 1, 1.0, 1.0, 1.0)
    write(tmp_path / "stale.json", [changed], {})
    write(tmp_path / "abstain.json", [AbstainRow("beam", "reverie", "auroc", 0.0, "all", 1, 1.0, 1.0, 1.0)], {})
    (tmp_path / "odd.json").write_text("{}")
    found = report.in_folder(tmp_path)
    assert found == Files(
        retrieval=[retrieval],
        speed=[speed],
        whole=[tmp_path / "whole.json"],
        dream=[tmp_path / "dream.json"],
        life=[tmp_path / "life.json"],
        stale=[tmp_path / "stale.json"],
    )
    assert report.both(found, Files(retrieval=[speed])).retrieval == [retrieval, speed]


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    """A report of nothing would wipe the document's tables."""
    with pytest.raises(InvalidInput, match="no result file"):
        report.in_folder(tmp_path)
