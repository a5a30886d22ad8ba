"""What every part stands on: a memory by its id, what protects it, and a log that may be missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.encode.notes import Note
from reverie.engine.context import is_protected, require_free
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound
from reverie.ops.log import OpsLog
from reverie.types import FloatArray
from tests.encode.making import memory
from tests.engine.conftest import NOW


@pytest.mark.req("D21")
@pytest.mark.parametrize(("flag", "lifted"), [("pinned", "pin("), ("immutable", "protect(")])
def test_what_is_protected_says_how_to_lift_it(flag: str, lifted: str) -> None:
    """Pinned and immutable, each with its own way out."""
    assert is_protected(memory("x", **{flag: True}))
    with pytest.raises(Conflict) as refused:
        require_free(memory("x", **{flag: True}))
    assert lifted in refused.value.mend


def test_what_is_not_protected_is_free() -> None:
    """Nothing is raised."""
    assert not is_protected(memory("x"))
    require_free(memory("x"))


def test_a_memory_that_is_not_there(engine: Reverie, scope: Scope) -> None:
    """Says where to look."""
    with pytest.raises(NotFound) as missing:
        engine.memory("nothing", scope)
    assert missing.value.mend


@pytest.mark.req("D19")
def test_every_operation_is_a_line_where_there_is_a_log(tmp_path: Path, scope: Scope) -> None:
    """Remembering, observing, recalling; without a log nothing is written and nothing fails."""
    clock = FixedClock(NOW)
    log = OpsLog(tmp_path / "ops-log.jsonl", clock)
    engine = Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1), log=log)
    engine.observe("I moved to Lisbon in May.", scope)
    engine.recall("Lisbon", scope)
    engine.close()
    lines = (tmp_path / "ops-log.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2


@pytest.mark.req("D26", "D19")
@pytest.mark.parametrize(("text", "cue"), [("I bought a kite.", "Which port?"), ("Uçurtma aldım.", "Hangi kapı?")])
def test_what_is_withheld_for_low_confidence_is_a_line_of_its_own(
    tmp_path: Path, scope: Scope, text: str, cue: str
) -> None:
    """Which hits, how sure each was, and not their words; where all was sure enough there is no such line."""
    clock, file = FixedClock(NOW), tmp_path / "ops-log.jsonl"
    log, ids = OpsLog(file, clock), RandomIds(seed=1)
    with Reverie.open(
        ":memory:", embedder=HashEmbedder(), recipe="v9", clock=clock, ids=ids, log=log, background=False
    ) as engine:
        (name,) = engine.observe(text, scope, deliberate=True).formed
        assert engine.recall(text, scope).hits
        answer = engine.recall(cue, scope)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    low = [line for line in lines if line["op"] == "low confidence"]
    assert [(line["input"], line["resultCount"]) for line in low] == [(cue, len(answer.withheld))]
    assert f"{name}: low confidence: 0." in low[0]["output"]
    assert text not in low[0]["output"]


@pytest.mark.req("D19")
def test_tending_undoing_and_each_step_of_a_dream_are_lines_without_content(tmp_path: Path, scope: Scope) -> None:
    """Each says what, whose, which ids, how many and how long; one that was refused says so."""
    clock, file = FixedClock(NOW), tmp_path / "ops-log.jsonl"
    with Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1), log=OpsLog(file, clock)) as engine:
        one, other = (engine.admin.note([Note(f"Zeynep keeps {thing}.")], scope)[0].id for thing in ("bees", "hens"))
        engine.feedback(one, scope, "used")
        engine.admin.pin(one, scope)
        with pytest.raises(Conflict):
            engine.feedback(one, scope, "wrong")
        engine.admin.pin(one, scope, pinned=False)
        engine.admin.protect(one, scope)
        engine.admin.protect(one, scope, immutable=False)
        engine.admin.revive(other, scope)
        engine.relate(one, other, scope, "causes")
        engine.undo(scope, event=engine.admin.head())
        engine.dream(scope)
        engine.undo(scope)
        steps = [str(name) for name in engine._context.recipe.dream.order]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    named = ["feedback", "pin", "feedback", "unpin", "protect", "unprotect", "revive", "relate", "undo"]
    assert [line["op"] for line in lines] == [*named, *(f"dream: {name}" for name in steps), "dream", "undo"]
    assert [line["success"] for line in lines] == [True, True, False, *[True] * (len(lines) - 3)]
    assert all(line["input"].startswith(str(scope)) for line in lines if line["op"] != "dream")
    assert lines[7]["input"] == f"{scope} {one} {other}"
    assert (lines[7]["output"], lines[7]["resultCount"]) == ("causes", 1)
    assert (lines[2]["output"], lines[2]["resultCount"]) == ("Conflict", None)
    assert all(line["latencyMs"] is not None for line in lines)
    assert "Zeynep" not in "".join(line["input"] + line["output"] for line in lines)


class Down(HashEmbedder):
    """A model whose endpoint does not answer."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        raise ModelUnavailable("The endpoint did not answer.", "Start it.")


@pytest.mark.parametrize("odd", [5, None, b"why", ["why"], object()], ids=lambda odd: type(odd).__name__)
def test_a_reason_is_a_text(engine: Reverie, scope: Scope, odd: Any) -> None:
    """Anything else is refused before anything is written."""
    kept = engine.remember("The kite flew over Lisbon.", scope).id
    before = len(engine.admin.events(scope))
    for call in (engine.forget, engine.admin.erase):
        with pytest.raises(InvalidInput, match="reason"):
            call(kept, scope, why=odd)
    with pytest.raises(InvalidInput, match="reason"):
        engine.correct(kept, "The kite flew over Porto.", scope, why=odd)
    assert len(engine.admin.events(scope)) == before
    assert engine.memory(kept, scope).text == "The kite flew over Lisbon."


def test_a_model_that_is_down_is_a_line(tmp_path: Path, scope: Scope) -> None:
    """How many texts stay without vectors, and why; the message itself is kept."""
    clock = FixedClock(NOW)
    log = OpsLog(tmp_path / "ops-log.jsonl", clock)
    with Reverie.open(":memory:", embedder=Down(), log=log, clock=clock, background=False) as engine:
        assert not engine.remember("The kite flew over Lisbon.", scope).embedded
    (line,) = [json.loads(line) for line in (tmp_path / "ops-log.jsonl").read_text().splitlines()]
    assert (line["op"], line["input"], line["success"]) == ("embed", "1 texts", False)
    assert line["output"] == "The endpoint did not answer."
