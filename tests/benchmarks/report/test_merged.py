"""Rows of several runs in one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.report.merged import in_line, merged
from benchmarks.report.retrieval import Result, result, section
from benchmarks.results import read, write
from benchmarks.retrieval import Request, run
from benchmarks.sets import SETS
from benchmarks.systems import System
from benchmarks.systems.baselines import Bm25, Dense
from benchmarks.systems.reverie import ReverieSystem
from reverie.errors import InvalidExport
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy


def measured(folder: Path, *systems: System, model: str = "hash", limit: int | None = None) -> Result:
    """A result file of the toy conversations, read back."""
    data = toy.write_lines(folder / "l.jsonl", toy.locomo())
    outcome = run(Request(SETS["locomo"], (data,), limit), systems)
    write(folder / "r.json", outcome.rows, {**outcome.extras, "model": model})
    return result(read(folder / "r.json"))


def test_two_runs_give_what_one_gives(tmp_path: Path) -> None:
    """The same rows, and the same differences to the last digit, in the order of the tables."""
    dense = Dense(HashEmbedder())
    (found,) = merged([measured(tmp_path, ReverieSystem(None)), measured(tmp_path, dense, Bm25())])
    whole = measured(tmp_path, Bm25(), dense, ReverieSystem(None))
    assert found.systems == whole.systems == ["bm25", "dense", "reverie"]
    assert found.rows == whole.rows
    assert list(found.paired) == list(whole.paired)


def test_other_questions_stand_apart(tmp_path: Path) -> None:
    """A part of a set comes after the whole of it, and is named as such."""
    part, whole = measured(tmp_path, Bm25(), limit=1), measured(tmp_path, Bm25())
    found = merged([part, whole])
    assert [len(one.content["by_question"]["questions"]) for one in found] == [6, 4]
    assert section(found[1]).startswith("#### LoCoMo, the first 1 haystack\n")


def test_another_model_is_not_mixed_in(tmp_path: Path) -> None:
    """Two rows of one table are of one model."""
    runs = [measured(tmp_path, Bm25()), measured(tmp_path, Dense(HashEmbedder()), model="other")]
    with pytest.raises(InvalidExport, match="model"):
        merged(runs)


def test_the_last_run_of_a_system_counts(tmp_path: Path) -> None:
    """Measuring again replaces the row."""
    first = measured(tmp_path, Bm25())
    again = measured(tmp_path, Bm25())
    (found,) = merged([first, again])
    assert found.systems == ["bm25"]
    assert found.rows == again.rows


def test_a_file_that_does_not_tell_its_questions_stands_alone(tmp_path: Path) -> None:
    """Its rows are shown as they are."""
    first, second = measured(tmp_path, Bm25()), measured(tmp_path, Dense(HashEmbedder()))
    old = Result(first.set, first.rows, first.paired, {"counts": {}})
    assert [one.systems for one in merged([old, second])] == [["bm25"], ["dense"]]


def test_baselines_come_first_and_recipes_last() -> None:
    """Strangers after all of them."""
    given = ["oracle", "v9", "reverie", "mem0", "dense", "bm25"]
    assert in_line(given) == ["bm25", "dense", "mem0", "reverie", "v9", "oracle"]
