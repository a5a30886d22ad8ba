from __future__ import annotations

from reverie.consolidate.outcome import TOLD, Gathering, alteration
from reverie.events import FieldChange, changed
from reverie.types import State
from tests.consolidate.making import memory


def test_an_alteration_says_each_field_before_and_after() -> None:
    """The memory's own fields and those of its standing, by name; what holds already is left out."""
    one = memory("m", text="old", utility=0.5)
    found = alteration(one, "because", utility=0.6, text="new", importance=0.5)
    assert found.fields == (FieldChange("text", "old", "new"), FieldChange("utility", 0.5, 0.6))
    assert found.why == "because"
    assert (changed(one, found).text, changed(one, found).standing.utility) == ("new", 0.6)


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
