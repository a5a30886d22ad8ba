"""A small run with everything on, in real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.results import WholeRow
from benchmarks.speed.vectors import FakeEmbedder
from benchmarks.speed.whole import EMBEDDING, RECIPES, Plan, Taken, TimedEmbedder, compared, run
from benchmarks.speed.workers import WorkerError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the stores are."""
    return tmp_path_factory.mktemp("whole")


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[WholeRow]:
    """A hundred and twenty memories, the hashing model's time beside."""
    return run(Plan((120,), folder, model="hash", recalls=6, observes=3))


def test_each_recipe_recalls_and_observes(rows: list[WholeRow]) -> None:
    """And the model alone is timed for the same number of times."""
    found = {(row.recipe, row.op): row for row in rows}
    wanted = [*RECIPES, EMBEDDING]
    assert set(found) == {(recipe, op) for recipe in wanted for op in ("recall", "observe")}
    assert {row.n for row in rows if row.op == "observe"} == {3}
    assert {row.n for row in rows if row.op == "recall"} == {6}
    for row in rows:
        assert row.size == 120
        assert 0.0 < row.p50_ms <= row.p95_ms
        assert 0.0 < row.cpu_p50_ms <= row.cpu_p95_ms


def test_a_store_that_is_there_is_used_again(folder: Path, rows: list[WholeRow]) -> None:
    """It is not built anew, nothing measured is left in it, and no copy stays behind."""
    assert rows
    store = folder / "whole-120.db"
    before = store.read_bytes()
    again = run(Plan((120,), folder, model="none", recalls=2, observes=1))
    assert store.read_bytes() == before
    assert {row.recipe for row in again} == set(RECIPES)
    assert sorted(path.name for path in folder.iterdir()) == ["whole-120.db"]


def test_a_process_that_fails_is_an_error(tmp_path: Path) -> None:
    """A figure is never made up."""
    (tmp_path / "whole-5.db").write_text("no store")
    with pytest.raises(WorkerError, match="reverie at 5 memories"):
        run(Plan((5,), tmp_path))


def test_the_embedders_time_is_left_out() -> None:
    """What the stand-in takes is not the engine's."""
    embedder, taken = TimedEmbedder(FakeEmbedder(0)), Taken()
    texts = [f"text {number}" for number in range(2000)]
    taken.add(lambda: embedder.embed_passages(texts), embedder)
    assert taken.wall[0] < embedder.wall * 1000.0 / 2
    assert embedder.asked == [texts]


@pytest.mark.parametrize(("p50", "told"), [(4.9, "holds"), (5.1, "does not hold")])
def test_the_limits_are_told(p50: float, told: str) -> None:
    """Of the default recipe alone, at the sizes that have one."""
    rows = [WholeRow(recipe, "recall", 10_000, 9, p50, 9.0, 3.0, 8.0, None) for recipe in (*RECIPES, EMBEDDING)]
    assert list(compared(rows)) == [
        f"recall at 10,000: p50 {p50} ms, 3.0 ms of processor; at most 5 ms: {told}",
    ]
