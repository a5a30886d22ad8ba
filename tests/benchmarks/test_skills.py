"""The measures of skill memory, on cases small enough to check."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.skills import CHOOSERS, Asked, Worked, earlier, f1, plant, planted, regret, regrets
from benchmarks.values import Item
from reverie import Role

pytestmark = pytest.mark.req("D54")
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def test_the_same_seed_gives_the_same_regret_and_knowing_gives_the_least() -> None:
    """Nobody does better than the best version of the moment."""
    once = regrets(5, traces=2)
    assert once == regrets(5, traces=2)
    assert all(0.0 <= value < 0.9 for values in once.values() for value in values)
    latest = CHOOSERS["always latest"]
    assert regret(latest, random.Random("7")) == regret(latest, random.Random("7"))


def test_planted_workflows_are_counted_exactly() -> None:
    """F1 by hand, and runs of every workflow."""
    assert f1({("a", "b")}, {("a", "b"), ("c", "d")}) == pytest.approx(2 / 3)
    wanted, runs = plant(random.Random("1"))
    assert (len(wanted), len(runs)) == (3, 30)
    found = planted(0, cases=3)
    assert sum(found["workflows"]) > sum(found["all closed sequences"])


def test_an_earlier_task_is_found_from_messages_and_from_runs() -> None:
    """The session that a cue is asked in is no answer."""
    texts = [("a", "paint the kite green"), ("a", "done"), ("b", "bake rye bread"), ("b", "done"), ("c", "hello")]
    items = tuple(
        Item(str(at), session, "user", Role.USER, NOW + timedelta(hours=at), text)
        for at, (session, text) in enumerate(texts)
    )
    asked = (Asked("the green kite again", 5, frozenset({"a"})), Asked("rye bread", 5, frozenset({"b"})))
    hits = earlier([Worked(items, asked)], None)
    assert hits["raw episodes@1"] == hits["runs@1"] == [1.0, 1.0]
