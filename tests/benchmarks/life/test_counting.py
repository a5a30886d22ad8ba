"""The counts of a life."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.life.run import ALWAYS, counts, summed
from benchmarks.life.simulation import SCOPE
from tests.benchmarks.life.lives import SAID, lived


def test_everything_that_happened_is_counted(tmp_path: Path) -> None:
    """Messages, what was formed by kind and state, what the screen and the gate said, what the dreams did."""
    with lived(tmp_path) as life:
        found = counts(life)
        formed = life.engine.admin.formed(SCOPE)
    assert found["messages"] == len(SAID)
    assert sum(value for name, value in found.items() if name.startswith("formed: ")) == len(formed)
    assert sum(value for name, value in found.items() if name.startswith("state: ")) == len(formed)
    assert (found["screen: mask"], found["screen: quarantine"], found["episodes in quarantine"]) == (1, 1, 1)
    assert found["gate: create"] > 0
    assert found["passed over by observe"] > 0
    assert any(name.startswith("dream: ") for name in found)


def test_what_never_happened_is_told_where_it_matters() -> None:
    """A law held over no merge at all is worth little, so its 0 is shown."""
    assert summed(Counter({"gate: update": 2})) == {name: 2 if name == "gate: update" else 0 for name in sorted(ALWAYS)}
