"""The arms: names, groups, and what each is made of."""

from __future__ import annotations

import pytest

from benchmarks.longrun.arms import ALL, APPEND_ONLY, MAIN, NEWEST, OURS, TAKEN_OUT, arm, chosen, mechanisms
from reverie.consolidate.settings import StepName
from reverie.errors import InvalidInput


def test_groups_and_names_are_chosen_once() -> None:
    """In the order asked for; names that hold a comma stand between semicolons."""
    assert chosen("newest,main") == (NEWEST, *(name for name in MAIN if name != NEWEST))
    assert chosen("reverie, no dreams;reverie") == ("reverie, no dreams", OURS)
    assert set(chosen("all")) == set(ALL)


def test_an_unknown_name_is_an_error() -> None:
    """Of arms and of mechanisms."""
    with pytest.raises(InvalidInput, match="no arm 'nothing'"):
        chosen("nothing")
    with pytest.raises(InvalidInput, match="no mechanism 'nothing'"):
        mechanisms("hot tier, nothing")


def test_at_least_twelve_mechanisms_are_taken_out() -> None:
    """As the issue asks."""
    assert len(TAKEN_OUT) >= 12


@pytest.mark.parametrize("name", ALL)
def test_every_arm_can_be_lived(name: str) -> None:
    """Each has a recipe; those of mechanisms bear another than the default."""
    made = arm(name, 500)
    assert made.name == name
    assert made.recipe.recall.stages
    if name[0] in "+-" or name.startswith(("only ", "bare")):
        assert made.recipe != arm(OURS, 500).recipe


def test_the_capacity_binds_what_forgets() -> None:
    """Reverie lets words rest, newest forgets, append-only does neither; document D limits what was formed."""
    assert StepName.RESTING in arm(OURS, 500).recipe.dream.order
    assert arm(NEWEST, 500).newest == 500
    assert (arm(APPEND_ONLY, 500).newest, arm(APPEND_ONLY, 500).dreams) == (None, False)
    forgetting = arm("v9", 700).recipe.dream.forgetting
    assert forgetting is not None
    assert (forgetting.capacity, forgetting.trimmed) == (700, 630)


def test_what_is_left_out_is_left_out_of_every_arm_of_ours() -> None:
    """And of no other."""
    for name in (OURS, "-repeats"):
        stages = [stage.name for stage in arm(name, 500, ("hot tier",)).recipe.recall.stages]
        assert "hot tier" not in stages
    assert "hot tier" in [stage.name for stage in arm("v9", 500, ("hot tier",)).recipe.recall.stages]
