from __future__ import annotations

from reverie.consolidate.snapshot import TOLD, Gathering
from reverie.types import State
from tests.consolidate.making import memory


def test_nothing_to_change_is_no_change() -> None:
    """It is not gathered."""
    gathering = Gathering()
    gathering.alter(memory("m"), "no reason", state=State.ACTIVE)
    assert gathering.outcome().changes == []


def test_the_words_of_a_few_changed_memories_are_kept() -> None:
    """As they were before, so that a report can tell the memories by them."""
    gathering = Gathering()
    for number in range(TOLD + 2):
        gathering.alter(memory(f"m{number}", f"Tea {number}."), "because", text="Coffee.")
    assert gathering.outcome().texts == {f"m{number}": f"Tea {number}." for number in range(TOLD)}
