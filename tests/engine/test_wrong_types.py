"""Public calls of the engine with a value of the wrong type: an error that says what to give, never Python's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Scope
from reverie.errors import ReverieError

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
