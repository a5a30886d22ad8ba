from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.errors import Conflict, InvalidInput
from reverie.events import (
    Action,
    Change,
    Changed,
    DreamStage,
    Dreamt,
    Erased,
    Forgotten,
    Formed,
    Recalled,
    Recorded,
    Related,
    Remembered,
)
from reverie.stores.drafts import NO_ENTRY, entries_for, require_storable, taken, touched
from reverie.types import IndexEntry, Kind, Record, Relation, RelationKind
from tests.stores.making import ADA, START, episode, memory_of, vector

SAID = episode(ADA, "m", "tea")
PAYLOAD = Remembered(SAID, (memory_of(SAID), memory_of(SAID, "f")))
ENTRY = IndexEntry(("tea",), 1)


def test_none_or_one_entry_for_each_memory() -> None:
    """No entries at all means indexed later; anything between is a mistake."""
    assert entries_for(PAYLOAD, [ENTRY, ENTRY]) == [ENTRY, ENTRY]
    assert entries_for(PAYLOAD, ()) == [NO_ENTRY, NO_ENTRY]
    assert entries_for(Recalled(("m",)), ()) == []
    for wrong in ([ENTRY], [ENTRY] * 3):
        with pytest.raises(InvalidInput, match="2 memories"):
            entries_for(PAYLOAD, wrong)
    with pytest.raises(InvalidInput):
        entries_for(None, [ENTRY])


def test_a_vector_names_its_model() -> None:
    """Vectors of unknown models could be compared with anything."""
    with pytest.raises(InvalidInput, match="model"):
        entries_for(PAYLOAD, [ENTRY, replace(ENTRY, vector=vector(1))])


def test_places_fit_into_a_file() -> None:
    """Sixty-four bits, in the episode and in its memories."""
    require_storable(PAYLOAD)
    require_storable(None)
    with pytest.raises(InvalidInput, match="place"):
        require_storable(replace(PAYLOAD, episode=replace(SAID, seq=2**63)))
    with pytest.raises(InvalidInput, match="place"):
        require_storable(Remembered(SAID, (replace(memory_of(SAID), seq=-(2**63) - 1),)))


def test_an_id_that_is_taken_is_named() -> None:
    """The conflict says which id it is about."""
    assert isinstance(taken("memory", "m7"), Conflict)
    assert "'m7'" in str(taken("memory", "m7"))


def test_every_payload_names_what_it_touches_once() -> None:
    """Written, taken away, changed, recalled, linked and forgotten memories; dreams and erasures touch none."""
    said = episode(ADA, "e", "tea")
    own, fact = memory_of(said), memory_of(said, "f", Kind.FACT)
    edge = Relation("a", "b", RelationKind.CAUSES, 1.0, START)
    again = Relation("b", "c", RelationKind.CAUSES, 1.0, START)
    payloads = {
        Action.REMEMBER: (Remembered(said, (own, fact)), ("e", "f")),
        Action.FORM: (Formed((fact,), (own,)), ("f", "e")),
        Action.RECALL: (Recalled(("a", "b", "a"), (Change("c", ()),)), ("a", "b", "c")),
        Action.CHANGE: (Changed((Change("a", ()), Change("b", ()), Change("a", ()))), ("a", "b")),
        Action.RELATE: (Related((edge,), (again,)), ("a", "b", "c")),
        Action.FORGET: (Forgotten("a", None, START), ("a",)),
        Action.DREAM: (Dreamt("c", "c", DreamStage.DONE), ()),
        Action.ERASE: (Erased(("a",), (1,)), ()),
        Action.RECORD: (Recorded(None, Record(ADA, "grant", "g", "ada", "{}")), ()),
    }
    assert set(payloads) == set(Action)
    for payload, names in payloads.values():
        assert touched(payload) == names
    assert touched(None) == ()
