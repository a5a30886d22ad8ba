"""Telling a scope's events under new numbers."""

from __future__ import annotations

from reverie import Reverie
from reverie.engine.replication import align, identity, rescoped, retell
from reverie.events import Erased, Event, Remembered
from reverie.stores.ram import RamStore
from tests.engine.full_life import HOME, OTHER, opened


def told(*texts: str) -> Reverie:
    """An engine with these messages."""
    memory = opened(":memory:")
    for text in texts:
        memory.remember(text, HOME)
    return memory


def journal(memory: Reverie) -> list[Event]:
    """Its events."""
    return list(memory._context.store.events())


def test_one_journal_continues_the_other() -> None:
    """What is known is laid beside, what is new is counted; a shorter one brings nothing."""
    events = journal(told("a", "b", "c"))
    ahead = align(events[:1], events)
    assert (ahead.known, ahead.new, ahead.diverges) == ({1: 1}, 2, "")
    behind = align(events, events[:1])
    assert (behind.known, behind.new, behind.diverges) == ({1: 1}, 0, "")


def test_two_ways_from_one_event_diverge() -> None:
    """Whether in the middle, or where both went on."""
    ours, theirs = journal(told("a", "b")), journal(told("a", "x"))
    assert "differ" in align(ours, theirs).diverges
    events = journal(told("a", "b", "c"))
    assert align([events[0], events[2]], events[:2]).diverges


def test_an_event_has_one_identity_wherever_it_stands() -> None:
    """Under another number, in another scope, and when its content is gone; an erasure too."""
    memory = told("a", "b")
    before = [identity(event) for event in journal(memory)]
    memory.admin.erase(memory.timeline(HOME)[0].id, HOME, why="asked to")
    assert [identity(event) for event in journal(memory)][:2] == before
    target = RamStore()
    target_engine = opened(":memory:")
    target_engine.remember("first of all", OTHER)
    known: dict[int, int] = {}
    assert retell(target_engine._context.store, journal(memory), known) == 2
    there = list(target_engine._context.store.events(HOME))
    assert [identity(event) for event in there] == [identity(event) for event in journal(memory)[1:]]
    assert known == {2: 2, 3: 3}
    assert target.head()[0] == 0


def test_an_erasure_names_the_events_as_they_are_numbered_here() -> None:
    """And takes their content with it where the file already had lost it."""
    memory = told("a", "b")
    target = opened(":memory:")
    target.remember("before", OTHER)
    known: dict[int, int] = {}
    retell(target._context.store, journal(memory), known)
    memory.admin.erase(memory.timeline(HOME)[1].id, HOME, why="asked to")
    aligned = align(target._context.store.events(HOME), journal(memory))
    assert aligned.known == {1: 2, 2: 3}
    assert aligned.new == 1
    retell(target._context.store, journal(memory), aligned.known)
    last = list(target._context.store.events(HOME))[-1].payload
    assert isinstance(last, Erased)
    assert last.events == (3,)
    assert [one.text for one in target.timeline(HOME)] == ["a"]
    assert target.admin.verify() == []


def test_content_moves_to_the_scope_it_is_told_in() -> None:
    """Episode and memories alike."""
    payload = journal(told("a"))[0].payload
    assert payload is not None
    moved = rescoped(payload, OTHER)
    assert isinstance(moved, Remembered)
    assert {moved.episode.scope, *(memory.scope for memory in moved.memories)} == {OTHER}
