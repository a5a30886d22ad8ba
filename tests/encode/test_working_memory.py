from dataclasses import replace
from datetime import UTC, datetime, timedelta

from reverie.encode.session import at_hand
from reverie.events import Action, Change, Changed, Event, FieldChange, Formed, Payload, Recalled
from reverie.recipes.working_memory import WORKING
from reverie.types import Kind, Memory, Role, Scope

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")


def memory(name: str, session: str = "s") -> Memory:
    return Memory(name, SCOPE, Kind.FACT, f"text {name}", AT, AT, session, 0, "Ada", Role.USER)


def events(*payloads: Payload) -> list[Event]:
    return [
        Event(seq, SCOPE, AT + timedelta(minutes=seq), "a", Action.FORM, "", payload, b"", "", "", "")
        for seq, payload in enumerate(payloads)
    ]


def held(*payloads: Payload) -> list[str]:
    return [item.id for item in at_hand(events(*payloads), "s", WORKING, AT + timedelta(hours=1))]


def test_what_the_session_formed_is_at_hand() -> None:
    """Not what another session formed, nor what a dream did."""
    assert held(Formed((memory("m1"),)), Formed((memory("m2", "other"),)), Formed((memory("m3"),), cycle="c")) == ["m1"]


def test_what_was_unmade_is_not() -> None:
    """An undoing takes it from the hand too."""
    assert held(Formed((memory("m1"),)), Formed((), (memory("m1"),), cycle="c")) == []


def test_what_was_recalled_since_is_nearer_at_hand() -> None:
    """An access counts, as it does in the process itself."""
    both = (Formed((memory("m1"),)), Formed((memory("m2"),)))
    assert held(*both, Recalled(("m1",))) == ["m1", "m2"]
    assert held(*both, Recalled(("m2", "unknown"))) == ["m2", "m1"]


def test_a_changed_memory_has_its_new_words() -> None:
    """What a later message made of it."""
    change = Change("m1", (FieldChange("text", "text m1", "better"),))
    journal = events(Formed((memory("m1"),)), Changed((change,)))
    assert [item.text for item in at_hand(journal, "s", WORKING, AT)] == ["better"]


def test_at_most_so_many_are_at_hand() -> None:
    """The weakest go first."""
    many = [Formed((memory(f"m{n:02}"),)) for n in range(WORKING.most + 5)]
    assert len(held(*many)) == WORKING.most
    few = replace(WORKING, most=2)
    assert len(at_hand(events(*many), "s", few, AT)) == 2
