"""How a scope is doing, counted in plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from reverie.answers import JUNK_DAYS, JUNK_MOST
from reverie.events import OBSERVED
from reverie.stores.health import health, is_current, is_junk, is_over, ordered
from reverie.types import Kind, Memory, Standing, State
from tests.stores.making import ADA, START, at, episode, memory_of

SAID = episode(ADA, "e", "tea")
LATER = START + timedelta(days=JUNK_DAYS + 1)
JUNK = replace(memory_of(SAID, "f", Kind.FACT), standing=Standing(importance=JUNK_MOST))


def with_standing(memory: Memory, **life: object) -> Memory:
    """The memory, standing otherwise."""
    return replace(memory, standing=replace(memory.standing, **life))  # type: ignore[arg-type]  # tests name them


def test_junk_is_what_nobody_asked_for_and_nobody_spared() -> None:
    """Each of the reasons by which a memory is none, alone."""
    assert is_junk(JUNK, LATER)
    assert not is_junk(JUNK, START + timedelta(days=1))
    assert not is_junk(replace(JUNK, accesses=1), LATER)
    assert not is_junk(replace(JUNK, valid_until=at(1)), LATER)
    for life in ({"pinned": True}, {"immutable": True}, {"importance": JUNK_MOST + 0.01}, {"state": State.DORMANT}):
        assert not is_junk(with_standing(JUNK, **life), LATER)


def test_a_memory_holds_until_its_end() -> None:
    """At that moment it does no longer."""
    closed = replace(JUNK, valid_until=at(1))
    assert (is_over(closed, at(1)), is_over(closed, at(0)), is_over(JUNK, LATER)) == (True, False, False)
    assert is_current(closed, at(0))
    assert not is_current(with_standing(JUNK, state=State.QUARANTINED), at(0))


def test_what_led_to_no_memory_was_gated() -> None:
    """Of what was observed; what was only kept is not counted."""
    said = [memory_of(episode(ADA, name, "tea")) for name in "abcd"]
    fact = replace(memory_of(SAID, "f", Kind.FACT), sources=("a",))
    records = [(said[0], OBSERVED), (said[1], OBSERVED), (said[2], OBSERVED), (said[3], "said"), (fact, OBSERVED)]
    found = health(ADA, records, LATER, 5)
    assert (found.observed, found.gated, found.gated_share) == (3, 2, 2 / 3)


def test_counts_are_told_by_frequency_and_name() -> None:
    """What is not there is not told."""
    assert ordered(Counter({"b": 2, "a": 2, "c": 3, "d": 0})) == (("c", 3), ("a", 2), ("b", 2))
