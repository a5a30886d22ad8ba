"""What goes with what is erased."""

from __future__ import annotations

from reverie.events import Change, Changed, FieldChange, Formed, Payload, Recalled, Related
from reverie.stores.erasure import EventReader, reach
from reverie.types import Kind
from tests.stores.making import ADA, episode, memory_of

FACT = memory_of(episode(ADA, "e1", "tea"), "f1", Kind.FACT, "tea")
OTHER = memory_of(episode(ADA, "e2", "rain"), "f2", Kind.FACT, "rain")


def emptied(erased: list[str], content: list[tuple[int, Payload | None]], why: str = "said") -> tuple[int, ...]:
    """The numbers of the events that lose their content."""
    return reach(erased, lambda _: ((), ()), [EventReader(seq, why, payload) for seq, payload in content]).emptied


def reworded(name: str) -> Changed:
    """New words for a memory."""
    return Changed((Change(name, (FieldChange("text", "a", "b"),)),))


def test_what_was_formed_from_an_episode_goes_with_it() -> None:
    """And its rewording, and its unmaking; another's stays."""
    content: list[tuple[int, Payload | None]] = [
        (2, Formed((FACT,))),
        (3, Formed((OTHER,))),
        (4, reworded("f1")),
        (5, reworded("f2")),
        (6, Formed((), (FACT,))),
    ]
    assert emptied(["e1"], content) == (2, 4, 6)


def test_changes_without_words_stay() -> None:
    """Numbers, edges and counts hold nothing anybody said."""
    content: list[tuple[int, Payload | None]] = [
        (2, Changed((Change("f1", (FieldChange("utility", 0.5, 0.6),)),))),
        (3, Related(())),
        (4, Recalled(("f1",))),
        (5, None),
    ]
    assert emptied(["e1", "f1"], content) == ()


def test_a_formation_takes_its_other_memories_along() -> None:
    """Replaying what is left must give none of them."""
    both = Formed((FACT, OTHER))
    assert emptied(["f1"], [(2, both), (3, reworded("f2"))]) == (2, 3)
