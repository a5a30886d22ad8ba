"""Changes: what differs between two memories, applied, and taken back."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.events import CHANGEABLE, Change, FieldChange, alteration, changed, difference, folded
from reverie.types import BEGINNING, Kind, Memory, Role, Scope, Standing, State, Tier

AT = datetime(2026, 5, 4, tzinfo=UTC)
MEMORY = Memory("m", Scope("a", "u", "p"), Kind.FACT, "tea", AT, AT, "s", 0, "Ann", Role.USER)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
LIVES = st.builds(
    Standing,
    tier=st.sampled_from(Tier),
    state=st.sampled_from(State),
    utility=st.floats(0, 1),
    stability_days=st.floats(0.1, 1000),
    pinned=st.booleans(),
    tags=st.lists(st.text(max_size=4), max_size=3).map(tuple),
    tagged_until=st.none() | MOMENTS,
)
LIVED = st.builds(
    lambda **given: replace(MEMORY, **given),
    text=st.text(max_size=9),
    valid_until=st.none() | MOMENTS,
    accesses=st.integers(0, 9),
    sources=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    standing=LIVES,
)


@given(LIVED, LIVED)
def test_a_difference_leads_from_one_to_the_other(before: Memory, after: Memory) -> None:
    """Applied to the first it gives the second, and its reverse leads back."""
    change = difference(before, after, "because")
    assert changed(before, change) == after
    assert changed(after, change.reverse("undone")) == before
    assert folded(before, [change, change.reverse("undone")]) == before


@given(LIVED)
def test_nothing_differs_from_itself(memory: Memory) -> None:
    """No field changes, and nothing has to be indexed anew."""
    change = difference(memory, memory)
    assert change == Change("m", ())
    assert changed(memory, change) is memory
    assert not change.rewords


def test_an_alteration_says_each_field_before_and_after() -> None:
    """The memory's own fields and those of its standing, by name; what holds already is left out."""
    one = replace(MEMORY, text="old", standing=replace(BEGINNING, utility=0.5))
    found = alteration(one, "because", utility=0.6, text="new", importance=one.standing.importance)
    assert found.fields == (FieldChange("text", "old", "new"), FieldChange("utility", 0.5, 0.6))
    assert found.why == "because"
    assert (changed(one, found).text, changed(one, found).standing.utility) == ("new", 0.6)


def test_only_new_words_reword() -> None:
    """Another state leaves the index alone."""
    asleep = replace(MEMORY, standing=replace(BEGINNING, state=State.DORMANT))
    assert difference(MEMORY, replace(MEMORY, text="rain")).rewords
    assert not difference(MEMORY, asleep).rewords


@pytest.mark.req("D17")
def test_where_a_memory_came_from_cannot_change() -> None:
    """Its id, scope, session, place, speaker and the moment it was recorded belong to no change."""
    fixed = {"id", "scope", "recorded_at", "session", "seq", "speaker", "role", "standing"}
    own = {field.name for field in fields(Memory)}
    assert set(CHANGEABLE) == (own - fixed) | {field.name for field in fields(Standing)}


def test_a_change_of_life_keeps_the_rest_of_it() -> None:
    """Only the fields named are set."""
    known: Any = replace(MEMORY, standing=replace(BEGINNING, utility=0.9, pinned=True))
    after = changed(known, Change("m", (FieldChange("pinned", True, False),)))
    assert after.standing == replace(BEGINNING, utility=0.9)
