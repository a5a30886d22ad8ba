"""How a memory words what was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reverie.encode.facts import worded
from reverie.recipes.recipe import recipe
from reverie.types import Role
from tests.spoken import english, turkish

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
V9, OWN = recipe("v9").encode.form, recipe("reverie").encode.form
assert V9 is not None
assert OWN is not None


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("said", "role", "told"),
    [
        *english(
            ("I moved to Oslo.", Role.PERSON, "Ada moved to Oslo."), ("I like tea.", Role.USER, "User likes tea.")
        ),
        *turkish(
            ("Oslo'ya taşındım.", Role.PERSON, "Ada Oslo'ya taşındı."),
            ("Çayı severim.", Role.USER, "Kullanıcı çayı sever."),
        ),
    ],
)
def test_first_person_becomes_third_where_the_recipe_has_it_so(said: str, role: Role, told: str) -> None:
    """By name, or by what somebody is in the talk; in the speaker's own words elsewhere."""
    assert V9 is not None
    assert OWN is not None
    assert worded(said, role, "Ada", AT, V9) == told
    assert worded(said, role, "Ada", AT, OWN) == said
    assert len(worded(said, role, "Ada", AT, replace(V9, limit_chars=5))) <= 5


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("I met Tom yesterday."), *turkish("Dün Tarık'la buluştum.")])
def test_a_day_that_is_spoken_of_is_dated(said: str) -> None:
    """Against the moment it was said."""
    assert OWN is not None
    assert "2026-05-03" in worded(said, Role.USER, "Ada", AT, OWN)
