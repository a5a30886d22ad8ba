"""What every test may ask for: a clock that stands still, ids from a seed, a scope, and the size of heavy tests.

In: the option ``--soak``. Out: fixtures; nothing here reads the real clock or real chance.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import settings

from reverie.engine.runtime import FixedClock, RandomIds
from reverie.types import Scope
from tools.requirements import requirement_ids

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday morning: week and month boundaries are near, which is where time expressions go wrong."""

TENTH = 10
"""`make test` runs one part in ten of what `make soak` runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--soak``: heavy tests at their whole size."""
    parser.addoption("--soak", action="store_true", default=False, help="run the heavy tests whole, not at a tenth")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Write each test's requirement ids into its report, and refuse an id nobody asked for."""
    known = set(requirement_ids())
    for item in items:
        for requirement in [str(value) for mark in item.iter_markers("req") for value in mark.args]:
            if requirement not in known:
                raise pytest.UsageError(f"{item.nodeid}: {requirement} is not in docs/requirements-ids.txt")
            item.user_properties.append(("req", requirement))


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands at a Monday morning until the test sets its ``at``."""
    return FixedClock(START)


@pytest.fixture
def ids() -> RandomIds:
    """Ids and salts from a fixed seed: the same calls give the same bytes."""
    return RandomIds(seed=1)


@pytest.fixture
def scope() -> Scope:
    """The scope most tests work in."""
    return Scope(agent="tester", user="ada", project="house")


@pytest.fixture
def other_scope() -> Scope:
    """A scope that differs in the user alone, the nearest stranger."""
    return Scope(agent="tester", user="grace", project="house")


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """``share(2000)`` is 2000 in `make soak` and 200 in `make test`; never below 1."""
    whole = bool(request.config.getoption("--soak"))

    def of(full: int) -> int:
        return full if whole else max(1, full // TENTH)

    return of
