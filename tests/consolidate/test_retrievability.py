"""How well a memory can be retrieved over its life."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest

from reverie.consolidate.retrievability import curve, law_of, life_of, told
from reverie.consolidate.settings import CurveLaw, FadingLaw
from reverie.errors import InvalidInput
from reverie.events import Action, Change, Changed, Event, FieldChange, Formed, Payload, Recalled
from reverie.formulas import retention
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Memory, Role, Scope, Standing, Tier

AT = datetime(2026, 3, 2, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")
LAW = FadingLaw(CurveLaw.POWER, episodic=3.0, semantic=1.0, rare_share=0.5, rare_factor=0.5)
FACT = Memory(
    "m1", SCOPE, Kind.FACT, "Zeynep moved.", AT, AT, "s", 0, "Ada", Role.USER, standing=Standing(stability_days=6.0)
)


def journal(*said: tuple[float, Payload]) -> list[Event]:
    """Events, each so many days after the first."""
    return [
        Event(seq, SCOPE, AT + timedelta(days=day), "a", Action.CHANGE, "", payload, b"", "", "", "")
        for seq, (day, payload) in enumerate(said)
    ]


def change(name: str, before: float | str | datetime | None, after: float | str | datetime) -> Change:
    return Change("m1", (FieldChange(name, before, after),))


def left(events: list[Event], day: float) -> float:
    """Retention after so many days."""
    days, retained = curve(life_of("m1", events, LAW), LAW, AT + timedelta(days=day))
    assert days[-1] == pytest.approx(day)
    return float(retained[-1])


def test_an_untouched_memory_follows_the_recipes_curve() -> None:
    """Its stability divided by what its tier is divided by."""
    events = journal((0, Formed((FACT,))), (5, Recalled(("other",))))
    assert left(events, 10.0) == pytest.approx(float(retention.power_retention(10.0, 2.0)))
    assert life_of("m1", events, LAW).accesses == ()


def test_an_access_sets_it_back() -> None:
    """From then on it falls as if it had just been formed."""
    events = journal((0, Formed((FACT,))), (4, Recalled(("m1", "other"))))
    assert left(events, 7.0) == pytest.approx(float(retention.power_retention(3.0, 2.0)))
    assert life_of("m1", events, LAW).accesses == (AT + timedelta(days=4),)
    days, retained = curve(life_of("m1", events, LAW), LAW, AT + timedelta(days=7))
    assert retained.max() == 1.0
    assert np.all(np.diff(days) >= 0.0)


def test_what_changed_its_stability_or_tier_changes_its_fall() -> None:
    """From that moment, without being an access."""
    rehearsed = journal((0, Formed((FACT,))), (2, Changed((change("stability_days", 6.0, 12.0),))))
    assert left(rehearsed, 5.0) == pytest.approx(float(retention.power_retention(5.0, 4.0)))
    promoted = journal((0, Formed((FACT,))), (2, Changed((change("tier", Tier.EPISODIC, Tier.SEMANTIC),))))
    assert left(promoted, 5.0) == pytest.approx(float(retention.power_retention(5.0, 6.0)))
    strengthened = journal((0, Formed((FACT,))), (2, Recalled(("m1",), (change("stability_days", 6.0, 9.0),))))
    assert left(strengthened, 5.0) == pytest.approx(float(retention.power_retention(3.0, 3.0)))


def test_a_memory_that_was_woken_was_accessed() -> None:
    """Reviving sets its last access."""
    at = AT + timedelta(days=3)
    events = journal((0, Formed((FACT,))), (3, Changed((change("last_access", None, at),))))
    assert life_of("m1", events, LAW).accesses == (at,)
    assert left(events, 4.0) == pytest.approx(float(retention.power_retention(1.0, 2.0)))


def test_what_was_never_formed_has_no_curve() -> None:
    """An episode does not fade."""
    assert life_of("m1", journal((0, Recalled(("m1",)))), LAW).stretches == ()


@pytest.mark.parametrize(("name", "found"), [("v9", CurveLaw.POWER), ("openclaw", CurveLaw.EXPONENTIAL)])
def test_each_recipe_that_forgets_has_its_curve(name: str, found: CurveLaw) -> None:
    """The one its dream goes by."""
    assert law_of(name, recipe(name).dream).curve is found


@pytest.mark.parametrize("name", ["reverie", "exocortex", "ocean"])
def test_a_recipe_without_a_curve_is_told(name: str) -> None:
    """With those that have one."""
    with pytest.raises(InvalidInput, match=f"In the recipe {name} no memory fades by a curve") as found:
        law_of(name, recipe(name).dream)
    assert "v9 and openclaw" in found.value.mend


def test_the_curve_told_goes_from_formation_to_the_days_ahead() -> None:
    """Never more than a day between two points; an access stands at 1; now lies on the curve."""
    events = journal((0, Formed((FACT,))), (4, Recalled(("m1",))))
    found = told(FACT, events, LAW, AT + timedelta(days=7), 400.0)
    assert (found.memory, found.law, found.accesses) == (FACT, "power", (AT + timedelta(days=4),))
    assert found.points[0].at == AT
    assert found.points[-1].days == pytest.approx(407.0)
    steps = [after.days - before.days for before, after in pairwise(found.points)]
    assert max(steps) <= 1.0
    assert min(steps) >= 0.0
    assert found.now == pytest.approx(float(retention.power_retention(3.0, 2.0)), abs=1e-3)
    assert all(0.0 <= point.retrievability <= 1.0 for point in found.points)


def test_the_curve_told_of_an_episode_is_empty() -> None:
    """It does not fade."""
    found = told(FACT, journal((0, Recalled(("m1",)))), LAW, AT, 10.0)
    assert (found.points, found.now) == ((), None)
