"""Values as plain JSON values, and back."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.events import Change, FieldChange, difference
from reverie.stores.codec import (
    dump,
    load,
    moment,
    plain_change,
    plain_episode,
    plain_memory,
    plain_relation,
    plain_standing,
    read_change,
    read_episode,
    read_memory,
    read_relation,
    read_standing,
)
from reverie.types import BEGINNING, Kind, Relation, RelationKind, Standing
from tests.stores.making import ADA, at, episode, memory_of
from tests.test_events import LIVED, LIVES

SAID = episode(ADA, "e", "tea", at=at(1), message_id="x")


@given(LIVES)
def test_any_standing_comes_back_equal(standing: Standing) -> None:
    """Through JSON and back, every field."""
    assert read_standing(load(dump(plain_standing(standing)))) == standing


def test_the_beginning_takes_no_room() -> None:
    """What stands at its default is left out, and comes back as the one shared value."""
    assert plain_standing(BEGINNING) == {}
    assert read_standing({}) is BEGINNING


@given(LIVED)
def test_a_formed_memory_stands_alone(memory: object) -> None:
    """Without an episode beside it every field is written."""
    formed = replace(memory, scope=ADA, kind=Kind.FACT)  # type: ignore[type-var] # the strategy builds memories
    assert read_memory(ADA, load(dump(plain_memory(formed, None)))) == formed


def test_what_a_memory_shares_with_its_episode_is_written_once() -> None:
    """Words, place, speaker and time are the episode's."""
    own = memory_of(SAID)
    plain = plain_memory(own, SAID)
    assert not {"text", "session", "seq", "speaker", "role", "at"} & plain.keys()
    assert read_memory(ADA, plain_episode(SAID) | plain) == own
    assert read_episode(ADA, plain_episode(SAID)) == SAID


@given(LIVED, LIVED)
def test_any_change_comes_back_equal(before: object, after: object) -> None:
    """Names, moments, tuples, tiers: as they were."""
    change = difference(before, after, "why \ud83d")  # type: ignore[arg-type] # the strategy builds memories
    assert read_change(load(dump(plain_change(change)))) == change


def test_a_field_that_cannot_change_is_refused() -> None:
    """With the names of those that can."""
    with pytest.raises(InvalidInput, match="speaker cannot change"):
        plain_change(Change("m", (FieldChange("speaker", "Ann", "Bo"),)))


@pytest.mark.parametrize("kind", RelationKind)
def test_a_relation_comes_back_equal(kind: RelationKind) -> None:
    """Of every kind."""
    relation = Relation("a", "b", kind, 0.25, at(3))
    assert read_relation(load(dump(plain_relation(relation)))) == relation


@given(st.sampled_from([field.name for field in fields(Standing)]))
def test_every_field_of_a_standing_is_written_when_it_changes(name: str) -> None:
    """None is forgotten."""
    other = {str: "x", bool: True, float: 0.125, tuple: ("x",), type(None): at(1)}[
        type(getattr(BEGINNING, name)) if type(getattr(BEGINNING, name)) in (str, bool, float, tuple) else type(None)
    ]
    if name in ("tier", "state"):
        other = {"tier": "semantic", "state": "dormant"}[name]
    assert name in plain_standing(replace(BEGINNING, **{name: other}))  # type: ignore[arg-type] # the field's own type


def test_a_moment_keeps_its_microseconds() -> None:
    """In UTC, always six digits."""
    assert moment(at(0)) == "2026-03-02T09:00:00.000000+00:00"
