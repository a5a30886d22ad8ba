"""What proved important stays longer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.freshness import Extension, age_in, age_tag, declared_days, effective_max_age

EXTENSIONS = (Extension(0.8, 2.0), Extension(0.9, 3.0))


@pytest.mark.req("B5")
@pytest.mark.parametrize("declared", [14, 30, 90, 180])
@pytest.mark.parametrize(("importance", "factor"), [(0.5, 1), (0.79, 1), (0.8, 2), (0.89, 2), (0.9, 3), (1.0, 3)])
def test_every_edge(declared: float, importance: float, factor: float) -> None:
    """“importance ≥ 0.8 → max age doubles”, “≥ 0.9 → triples”."""
    assert effective_max_age(declared, importance, EXTENSIONS) == declared * factor


@pytest.mark.req("B5")
def test_permanent_only_where_declared() -> None:
    """Importance makes nothing permanent; what is stays so."""
    assert effective_max_age(180, 1.0, EXTENSIONS) == 540
    assert effective_max_age(math.inf, 0.1, EXTENSIONS) == math.inf


@given(st.floats(0, 1), st.floats(0, 1))
def test_monotone_whatever_the_order_of_the_table(one: float, other: float) -> None:
    """More important never stays shorter."""
    low, high = sorted([one, other])
    assert effective_max_age(30, low, EXTENSIONS) <= effective_max_age(30, high, EXTENSIONS[::-1])


@pytest.mark.req("B5", "B6")
def test_a_tag_declares_the_age_of_one_memory() -> None:
    """As a vault's file does; of several the longest, and never less than its class has."""
    assert age_tag(45) == "max_age: 45d"
    assert age_in(age_tag(45)) == 45.0
    assert declared_days(("tea", age_tag(45)), 30.0) == 45.0
    assert declared_days((age_tag(45), age_tag(68)), 30.0) == 68.0
    assert declared_days((age_tag(45),), math.inf) == math.inf
    assert declared_days((age_tag(45),), 90.0) == 90.0
    assert declared_days((), 14.0) == 14.0


@pytest.mark.parametrize(
    "tag", ["max-age", "max_age", "max_age:45d", "max_age: 45", "max_age: 45d long", "45d", "45", "max_age: d", ""]
)
def test_other_words_declare_nothing(tag: str) -> None:
    """A keyword is one word, so none of a message's words is taken for an age."""
    assert age_in(tag) is None
    assert declared_days((tag,), 30.0) == 30.0
