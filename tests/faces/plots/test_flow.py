from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reverie.errors import NotFound
from reverie.events import (
    Action,
    Change,
    Changed,
    DreamStage,
    Dreamt,
    Erased,
    Event,
    FieldChange,
    Formed,
    Payload,
    Recalled,
)
from reverie.faces.plots.flow import NEW, ORDER, draw, flow_of
from reverie.types import Kind, Memory, Role, Scope, State, Tier

AT = datetime(2026, 3, 2, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")
PERIOD = "2026-03-02T00:00+00:00"
ACTIVE, FADING, KNOWN = "episodic, active", "episodic, fading", "semantic, active"


def memory(name: str) -> Memory:
    return Memory(name, SCOPE, Kind.FACT, name, AT, AT, "s", 0, "Ada", Role.USER)


def moved(name: str, field: str, before: str, after: str) -> Change:
    return Change(name, (FieldChange(field, before, after),))


def journal(*said: tuple[str, Payload]) -> list[Event]:
    """Events with their reasons."""
    return [
        Event(seq, SCOPE, AT, "a", Action.CHANGE, why, payload, b"", "", "", "")
        for seq, (why, payload) in enumerate(said, 1)
    ]


FORMED = ("observed", Formed((memory("m1"), memory("m2"), memory("m3"))))
NIGHT = (
    ("dream begun", Dreamt("c1", PERIOD, DreamStage.BEGUN)),
    ("dream c1: tier decay", Changed((moved("m1", "state", State.ACTIVE, State.FADING),), "c1")),
    ("by hand", Changed((moved("m2", "state", State.ACTIVE, State.SUPERSEDED),))),
    ("dream c1: promotion and demotion", Changed((moved("m3", "tier", Tier.EPISODIC, Tier.SEMANTIC),), "c1")),
    ("dream c1: consolidation", Formed((replace(memory("m4"), kind=Kind.SUMMARY),), cycle="c1")),
    ("dream done", Dreamt("c1", PERIOD, DreamStage.DONE)),
)


def test_what_a_dream_moved_is_counted_from_where_to_where() -> None:
    """What it formed comes from nowhere; what others moved meanwhile is theirs."""
    flow = flow_of(journal(FORMED, *NIGHT))
    assert flow.counts == Counter({(ACTIVE, FADING): 1, (ACTIVE, ACTIVE): 1, (ACTIVE, KNOWN): 1, (NEW, ACTIVE): 1})
    assert (flow.moved, flow.cycle, flow.stage) == (3, "c1", DreamStage.DONE)


def test_what_was_before_counts_and_what_was_erased_does_not() -> None:
    """The dream begins with the scope as it stood."""
    before = (
        FORMED,
        ("", Recalled(("m1",), (moved("m1", "state", State.ACTIVE, State.FADING),))),
        ("", Erased(("m2",), ())),
        ("dream c0 taken back", Formed((), (memory("m3"),), "c0")),
    )
    begun = ("dream begun", Dreamt("c1", PERIOD, DreamStage.BEGUN))
    assert flow_of(journal(*before, begun)).counts == Counter({(FADING, FADING): 1})


def test_the_newest_dream_is_meant_or_the_named_one() -> None:
    """One that was taken back says so; one that is not there is not found."""
    later = (
        ("dream begun", Dreamt("c2", PERIOD, DreamStage.BEGUN)),
        ("dream done", Dreamt("c2", PERIOD, DreamStage.DONE)),
        ("dream c1 taken back", Dreamt("c1", PERIOD, DreamStage.UNDONE)),
    )
    events = journal(FORMED, *NIGHT, *later)
    assert flow_of(events).cycle == "c2"
    assert flow_of(events, "c1").stage is DreamStage.UNDONE
    with pytest.raises(NotFound):
        flow_of(events, "c9")
    with pytest.raises(NotFound):
        flow_of([])


def test_every_place_has_its_row() -> None:
    """Tiers and states in all combinations, and what is new."""
    assert len(ORDER) == len(set(ORDER)) == len(Tier) * len(State) + 1


def test_the_picture_says_what_one_sees(texts_of: Callable[[object], list[str]]) -> None:
    """The night, the scope, how many moved, and the count of each place before and after."""
    pytest.importorskip("matplotlib")
    shown = texts_of(draw(flow_of(journal(FORMED, *NIGHT)), str(SCOPE)))
    assert "What the dream of 2026-03-02 moved in a/u/p: 3 of 4 memories" in shown
    assert {f"{ACTIVE} (3)", f"{ACTIVE} (2)", f"{FADING} (1)", f"{KNOWN} (1)", "new (1)"} <= set(shown)


def test_a_dream_over_nothing_is_a_picture_too(texts_of: Callable[[object], list[str]]) -> None:
    """An empty one."""
    pytest.importorskip("matplotlib")
    shown = texts_of(draw(flow_of(journal(*NIGHT[:1])), str(SCOPE)))
    assert any("0 of 0 memories" in text for text in shown)
