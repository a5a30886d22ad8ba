"""A recipe with a limit, alone and in an engine that lives by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.consolidate.settings import StepName, Trimming
from reverie.recipes.capacity import within
from reverie.recipes.recipe import NAMES, recipe
from reverie.types import State

SCOPE = Scope("helper", "ada", "home")
START = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_leaves_all_else_as_it_is(name: str) -> None:
    """Without the words only document D's number changes, where there is one, or the step that has it is there."""
    plain, limited = recipe(name), within(recipe(name), 500, words=False)
    assert (limited.name, limited.recall, limited.encode) == (plain.name, plain.recall, plain.encode)
    assert [step for step in limited.dream.order if step is not StepName.TRIMMING] == list(plain.dream.order)
    if plain.dream.forgetting is not None:
        assert limited.dream.forgetting is not None
        assert (limited.dream.forgetting.capacity, limited.dream.forgetting.trimmed) == (500, 450)


def test_a_recipe_in_which_nothing_fades_has_a_step_for_the_limit() -> None:
    """The default: the least useful rest, and what looking for repeats spares goes last. Who forgets needs none."""
    dream = within(recipe("reverie"), 500, words=False).dream
    assert dream.redundancy is not None
    spared = dream.redundancy.retention, dream.redundancy.used_share
    assert dream.trimming == Trimming(500, 450, *spared)
    assert [name for name in NAMES if within(recipe(name), 500, words=False).dream.trimming] == ["reverie"]


def test_an_engine_keeps_what_it_formed_within_its_limit() -> None:
    """Of twelve facts formed, ten awake at most, nine are left after the night; undoing wakes the others."""
    clock = FixedClock(START)
    limited = within(recipe("reverie"), 10, words=False)
    with Reverie.open(":memory:", embedder=None, recipe=limited, clock=clock, ids=RandomIds(1)) as memory:
        for number in range(12):
            clock.at = START + timedelta(hours=number)
            memory.observe(f"I bought a parcel from Harbour{number} in Vessel{number}.", SCOPE, deliberate=True)
        clock.at = START + timedelta(days=2)
        assert len(memory.admin.formed(SCOPE)) == 12
        [step] = [step for step in memory.dream(SCOPE).steps if step.name is StepName.TRIMMING]
        assert step.changed == 3
        states = [one.standing.state for one in memory.admin.formed(SCOPE)]
        assert states.count(State.DORMANT) == 3
        memory.undo(SCOPE)
        assert {one.standing.state for one in memory.admin.formed(SCOPE)} == {State.ACTIVE}


def test_no_recipe_lets_words_rest_by_itself() -> None:
    """Reading 26: what was said can always be found again, unless a limit is asked for."""
    assert all(StepName.RESTING not in recipe(name).dream.order for name in NAMES)


BREAD = ("bread", "butter", "honey", "cheese", "onion", "carrot", "pepper", "garlic", "ginger", "lentil", "barley")
KETTLE = ("kettle", "bucket", "ladder", "hammer", "pillow", "mirror", "candle", "basket", "carpet", "drawer", "shovel")


@pytest.mark.parametrize(("common", "repeats"), [(6, True), (5, False)])
def test_half_of_the_words_in_common_are_told_again(common: int, repeats: bool) -> None:
    """Six of eleven words are, and the newest, which says all of the older, tells it; of five the less active rests."""
    clock, limited = FixedClock(START), within(recipe("reverie"), 1, words=True)
    with Reverie.open(":memory:", embedder=None, recipe=limited, clock=clock, ids=RandomIds(1)) as memory:
        said = BREAD[:common]
        older = memory.remember(f"{' '.join(said)}.", SCOPE).id
        clock.at = START + timedelta(hours=1)
        newer = memory.remember(f"{' '.join(said)}. {' '.join(KETTLE[common:])}.", SCOPE).id
        clock.at = START + timedelta(days=2)
        memory.dream(SCOPE)
        assert (memory.memory(older, SCOPE).standing.superseded_by == newer) is repeats


def test_what_the_newest_does_not_tell_rests_in_nothing() -> None:
    """Ten of eleven words in common, and the eleventh would be lost: the newest stands in for nobody."""
    clock, limited = FixedClock(START), within(recipe("reverie"), 1, words=True)
    with Reverie.open(":memory:", embedder=None, recipe=limited, clock=clock, ids=RandomIds(1)) as memory:
        older = memory.remember(f"{' '.join(BREAD)}.", SCOPE).id
        clock.at = START + timedelta(hours=1)
        memory.remember(f"{' '.join((*BREAD[:10], KETTLE[10]))}.", SCOPE)
        clock.at = START + timedelta(days=2)
        memory.dream(SCOPE)
        assert memory.memory(older, SCOPE).standing.superseded_by in ("", None)


def test_an_engine_keeps_within_its_limit_and_loses_nothing() -> None:
    """Twenty things said, ten awake at most: nine are left after the night, all are kept; undoing wakes them."""
    clock = FixedClock(START)
    limited = within(recipe("reverie"), 10, words=True)
    with Reverie.open(":memory:", embedder=None, recipe=limited, clock=clock, ids=RandomIds(1)) as memory:
        for number in range(20):
            clock.at = START + timedelta(hours=number)
            memory.remember(f"Parcel{number} reached harbour{number} aboard vessel{number}.", SCOPE)
        clock.at = START + timedelta(days=2)
        report = memory.dream(SCOPE)
        assert report.steps[-1].name is StepName.RESTING
        assert report.steps[-1].changed == 11
        assert memory.recall("parcel0", SCOPE).hits == ()
        assert memory.recall("parcel19", SCOPE).hits[0].memory.text.startswith("Parcel19")
        assert len(memory.timeline(SCOPE)) == 20
        assert memory.dream(SCOPE).changed == 0
        memory.undo(SCOPE)
        assert memory.recall("parcel0", SCOPE).hits[0].memory.text.startswith("Parcel0")
