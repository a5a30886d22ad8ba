"""What every part stands on: a memory by its id, what protects it, and a log that may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.engine.base import is_protected, require_free
from reverie.errors import Conflict, NotFound
from reverie.ops.log import OpsLog
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
