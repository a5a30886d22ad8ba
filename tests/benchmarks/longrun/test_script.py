"""A script knows what holds in the place of what."""

from __future__ import annotations

from datetime import timedelta

from benchmarks.longrun.script import Change, Script
from tests.benchmarks.longrun.runs import FIRST


def test_the_newest_of_a_chain_holds_from_its_moment_on() -> None:
    """Twice changed: before, between and after."""
    day = timedelta(days=1)
    changes = {"a": Change(FIRST + day, "b"), "b": Change(FIRST + 2 * day, "c")}
    script = Script("s", (), (), changes)
    assert [script.current("a", FIRST + n * day) for n in range(3)] == ["a", "b", "c"]
    assert [script.is_stale("b", FIRST + n * day) for n in range(3)] == [False, False, True]
