from __future__ import annotations

import doctest
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reverie
import reverie.engine.core
from reverie import Reverie, Scope
from reverie.encode.notes import Note
from reverie.errors import ReverieError
from tests.engine.conftest import open_at
from tests.engine.writer import SCOPE

UNITS = [
    "a",
    " ",
    "(",
    "1.",
    '"',
    "\n",
    "http://",
    "@",
    "`",
    "<",
    "ve ",
    "Ada ",
    "because ",
    "today ",
    "not ",
    "\u0301",
]
SIZE, TIMES, MOST = 20_000, 4, 9.0
ENOUGH_S = 0.25
"""Below it the caches and the collector say more than the text does; the square of a text shows above it."""

Door = Callable[[Reverie, Scope, str, Path], object]


def _brought(engine: Reverie, scope: Scope, text: str, folder: Path) -> object:
    path = folder / "export.jsonl"
    path.write_text(json.dumps({"text": text, "speaker": "Ada"}) + "\n", encoding="utf-8")
    return engine.transfer.import_from(path, scope)


def _corrected(engine: Reverie, scope: Scope, text: str, folder: Path) -> object:
    return engine.correct(engine.remember(f"The key {folder.name}.", scope).id, text, scope)


DOORS: dict[str, Door] = {
    "remember": lambda engine, scope, text, _: engine.remember(text, scope),
    "observe": lambda engine, scope, text, _: engine.observe(text, scope),
    "recall": lambda engine, scope, text, _: engine.recall(text, scope),
    "note": lambda engine, scope, text, _: engine.admin.note([Note(text)], scope),
    "correct": _corrected,
    "import": _brought,
}


@pytest.mark.parametrize("door", DOORS)
def test_four_times_the_text_costs_at_most_about_four_times_as_much(door: str, scope: Scope, tmp_path: Path) -> None:
    """Sixteen kinds of repeats, each once short and once long; what seems too dear is tried again before it counts."""
    with Reverie.open(":memory:", embedder=None) as engine:
        DOORS[door](engine, scope, "Ada keeps the key under the mat.", tmp_path)

        def cost_s(unit: str, size: int, turn: int) -> float:
            text = f"x{turn} {unit * (size // len(unit))} y"
            begun = time.process_time()
            DOORS[door](engine, scope, text, tmp_path)
            return time.process_time() - begun

        dear = [unit for unit in UNITS if cost_s(unit, TIMES * SIZE, 0) > ENOUGH_S]
        for unit in dear:
            short, long = (min(cost_s(unit, times * SIZE, turn) for turn in (1, 2, 3)) for times in (1, TIMES))
            assert long < MOST * short, unit


ODD: list[Any] = [5, b"x", object(), 1.5]
CALLS: dict[str, Callable[[Reverie, Scope, Any], object]] = {
    "remember": lambda engine, scope, odd: engine.remember(odd, scope),
    "remember_many": lambda engine, scope, odd: engine.transfer.remember_many(odd, scope),
    "observe": lambda engine, scope, odd: engine.observe(odd, scope),
    "recall": lambda engine, scope, odd: engine.recall(odd, scope),
    "recall, window": lambda engine, scope, odd: engine.recall("x", scope, window=odd),
    "recall, now": lambda engine, scope, odd: engine.recall("x", scope, now=odd),
    "explain": lambda engine, scope, odd: engine.explain(odd, scope),
    "scope": lambda engine, _, odd: engine.recall("x", odd),
    "timeline, start": lambda engine, scope, odd: list(engine.timeline(scope, start=odd)),
    "memory": lambda engine, scope, odd: engine.memory(odd, scope),
    "forget": lambda engine, scope, odd: engine.forget(odd, scope),
    "erase": lambda engine, scope, odd: engine.admin.erase(odd, scope, why="x"),
    "note": lambda engine, scope, odd: engine.admin.note(odd, scope),
    "backup": lambda engine, _, odd: engine.admin.backup(odd),
    "replay": lambda engine, _, odd: engine.admin.replay(odd),
    "use_model": lambda engine, _, odd: engine.admin.use_model(odd),
    "use_reranker": lambda engine, _, odd: engine.admin.use_reranker(odd),
    "embed, progress": lambda engine, _, odd: engine.admin.embed(progress=odd),
}


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_wrong_type_is_told(
    engine: Reverie, scope: Scope, call: Callable[[Reverie, Scope, Any], object], odd: Any
) -> None:
    """What was given, and what to give instead."""
    with pytest.raises(ReverieError) as refused:
        call(engine, scope, odd)
    assert refused.value.mend


@pytest.mark.parametrize(
    "option", ["embedder", "reranker", "rerank", "recipe", "log", "clock", "ids", "screen", "mind"]
)
def test_a_wrong_part_is_told(tmp_path: Path, option: str) -> None:
    """Before anything is opened."""
    with pytest.raises(ReverieError) as refused:
        Reverie.open(tmp_path / "s.db", **{option: 5})  # type: ignore[arg-type]  # what the test is about
    assert refused.value.mend
    assert not (tmp_path / "s.db").exists()


ROOT = Path(__file__).parents[2]


def start(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a writer."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.engine.writer", str(file), name, str(count)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_write_and_recall_at_once(tmp_path: Path, share: Callable[[int], int]) -> None:
    """2,000 interleaved writes and recalls (a tenth by default) leave a whole store and no complaint."""
    file = tmp_path / "memory.db"
    each = share(2000) // 2
    with open_at(str(file)) as engine:
        writers = [start(file, name, each) for name in ("one", "two")]
        outputs = [writer.communicate() for writer in writers]
        assert [(writer.returncode, error) for writer, (_, error) in zip(writers, outputs, strict=True)] == [
            (0, "")
        ] * 2
        acknowledged = [line for output, _ in outputs for line in output.split()]
        kept = engine.timeline(SCOPE)
        assert sorted(memory.id for memory in kept) == sorted(acknowledged)
        assert len({memory.text for memory in kept}) == 2 * each
        assert engine.recall("one note 3", SCOPE).hits
        assert engine.admin.verify() == []


def test_one_process_sees_what_another_wrote(tmp_path: Path) -> None:
    """A long-running reader is never stale."""
    file = tmp_path / "memory.db"
    with open_at(str(file)) as reader, open_at(str(file)) as writer:
        assert reader.recall("kites", SCOPE).hits == ()
        kept = writer.remember("note about kites", SCOPE).id
        assert [hit.memory.id for hit in reader.recall("kites", SCOPE).hits] == [kept]
        writer.forget(kept, SCOPE)
        assert reader.recall("kites", SCOPE).hits == ()


def test_the_quickstarts_run() -> None:
    """What a reader copies works."""
    for module in (reverie, reverie.engine.core):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0
