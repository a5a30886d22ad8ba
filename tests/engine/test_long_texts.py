"""What a long text costs grows with it and no faster, by whatever door it comes in."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.encode.notes import Note

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
