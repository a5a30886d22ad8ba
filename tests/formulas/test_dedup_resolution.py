"""Which of two duplicates stays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.gates import Duplicate, Resolution, resolve

OLD, NEW = Duplicate(created_s=1.0), Duplicate(created_s=2.0)
duplicates = st.builds(Duplicate, st.floats(0, 9), st.booleans(), st.booleans(), st.booleans(), st.booleans())


@pytest.mark.req("A11", "A16.24")
def test_of_two_inferred_the_newer_stays() -> None:
    """“Both agent_inferred -> deprecate older”; of equals the first stays."""
    assert resolve(OLD, NEW, True) is Resolution.KEEP_SECOND
    assert resolve(NEW, OLD, True) is Resolution.KEEP_FIRST
    assert resolve(OLD, OLD, True) is Resolution.KEEP_FIRST


@pytest.mark.req("A14a")
def test_inferred_memories_may_be_left_to_a_person() -> None:
    """With ``auto_deprecate_agent_inferred`` off, two inferred ones are flagged; other pairs are resolved."""
    assert resolve(OLD, NEW, False) is Resolution.FLAG_INFERRED
    assert resolve(OLD, replace(NEW, confirmed=True), False) is Resolution.KEEP_SECOND


@pytest.mark.req("A11", "A16.25")
def test_what_the_user_asserted_stays_even_when_older() -> None:
    """“One user_asserted -> keep user memory”; “confirmed” is above it."""
    asserted = replace(OLD, user_asserted=True)
    assert resolve(asserted, NEW, True) is Resolution.KEEP_FIRST
    assert resolve(asserted, replace(NEW, confirmed=True), True) is Resolution.KEEP_SECOND


@pytest.mark.req("A11", "A16.26")
def test_two_assertions_of_the_user_are_flagged() -> None:
    """Also where one of them is confirmed (reading 7)."""
    one, other = replace(OLD, user_asserted=True), replace(NEW, user_asserted=True, confirmed=True)
    assert resolve(one, other, True) is Resolution.FLAG_USER


@pytest.mark.req("A11", "A16.27")
def test_where_the_load_bearing_one_would_go_the_pair_is_flagged() -> None:
    """An older load-bearing memory is not deprecated; where it stays, the other goes."""
    assert resolve(replace(OLD, load_bearing=True), NEW, True) is Resolution.FLAG_LOAD_BEARING
    assert resolve(OLD, replace(NEW, load_bearing=True), True) is Resolution.KEEP_SECOND


@pytest.mark.req("A11", "A16.27")
@given(duplicates, duplicates, st.booleans())
def test_the_load_bearing_never_go(one: Duplicate, other: Duplicate, automatic: bool) -> None:
    """No combination of classes deprecates a load-bearing memory, nor both assertions of a user."""
    resolution = resolve(one, other, automatic)
    assert not (resolution is Resolution.KEEP_FIRST and other.load_bearing)
    assert not (resolution is Resolution.KEEP_SECOND and one.load_bearing)
    assert resolution.is_flag or not (one.user_asserted and other.user_asserted)


@given(duplicates, duplicates, st.booleans())
def test_which_comes_first_does_not_matter(one: Duplicate, other: Duplicate, automatic: bool) -> None:
    """Turned round, the same memory stays (equals apart)."""
    turned = {
        Resolution.KEEP_FIRST: Resolution.KEEP_SECOND,
        Resolution.KEEP_SECOND: Resolution.KEEP_FIRST,
    }
    if one.created_s != other.created_s:
        resolution = resolve(one, other, automatic)
        assert resolve(other, one, automatic) is turned.get(resolution, resolution)


@pytest.mark.req("A11")
def test_the_class_decides_before_the_age() -> None:
    """Confirmed, asserted, inferred, deprecated: each stays against a newer one of the next class."""
    classes = [replace(OLD, confirmed=True), replace(OLD, user_asserted=True), OLD, replace(OLD, deprecated=True)]
    for better, worse in pairwise(classes):
        assert resolve(better, replace(worse, created_s=2.0), True) is Resolution.KEEP_FIRST
