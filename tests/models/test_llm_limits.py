from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie.engine.runtime import FixedClock
from reverie.models.llm import DayBudget, Rest
from reverie.models.llm_port import Failed, Why


def test_a_budget_without_a_limit_never_refuses() -> None:
    """None is no limit, zero is no call."""
    clock = FixedClock(datetime(2026, 3, 1, tzinfo=UTC))
    free = DayBudget(clock, None)
    free.spend(10**9)
    assert free.refusal() is None
    assert DayBudget(clock, 0).refusal() is not None


def test_a_budget_turns_at_midnight() -> None:
    """What was spent yesterday is no longer counted."""
    clock = FixedClock(datetime(2026, 3, 1, 23, 59, tzinfo=UTC))
    budget = DayBudget(clock, 100, spent=100)
    assert budget.refusal() is not None
    clock.at += timedelta(minutes=1)
    assert (budget.refusal(), budget.spent) == (None, 0)


@pytest.mark.parametrize("why", [Why.UNREACHABLE, Why.TIMEOUT, Why.LIMITED, Why.SERVER, Why.KEY, Why.MODEL])
def test_an_endpoint_that_is_down_rests(why: Why) -> None:
    """Three failures in a row; one answer between them begins the count anew."""
    seconds = [0.0]
    rest = Rest(lambda: seconds[0], failures=3, rest_s=60)
    for noted in (Failed(why), Failed(why), None, Failed(why), Failed(why)):
        rest.note(noted)
        assert rest.refusal() is None
    rest.note(Failed(why))
    assert rest.refusal() is not None
    seconds[0] = 59.9
    assert rest.refusal() is not None
    seconds[0] = 60.0
    assert rest.refusal() is None


def test_a_wrong_answer_is_no_failure_of_the_endpoint() -> None:
    """A model that talks nonsense is asked again next time."""
    rest = Rest(lambda: 0.0, failures=1)
    for why in (Why.REFUSED, Why.UNREADABLE, Why.SCHEMA, Why.REJECTED, Why.CUT, Why.TOO_LARGE):
        rest.note(Failed(why))
    assert rest.refusal() is None
