"""A line a requirement: how many of its tests passed, counting what stands beneath it."""

from __future__ import annotations

import pytest

from tools.requirements import Tally, line, requirement_ids


def report(outcome: str, *named: str, when: str = "call") -> pytest.TestReport:
    """The report of a test that shows these requirements."""
    return pytest.TestReport(
        nodeid="test",
        location=("test", None, "test"),
        keywords={},
        outcome=outcome,  # type: ignore[arg-type]  # one of pytest's three words
        longrepr=None,
        when=when,  # type: ignore[arg-type]  # one of pytest's three words
        user_properties=[("req", name) for name in named],
    )


def test_what_is_beneath_an_id_counts_for_it_once() -> None:
    """A test of two criteria of A16 is one test of A16."""
    tally = Tally()
    tally.pytest_runtest_logreport(report("passed", "A16.3", "A16.4", "D1"))
    tally.pytest_runtest_logreport(report("passed", "A1"))
    assert tally.passed == {"A16.3": 1, "A16.4": 1, "A16": 1, "D1": 1, "A1": 1}


def test_a_test_counts_once_however_it_fares() -> None:
    """When it ran, or when its set-up broke."""
    tally = Tally()
    for one in (report("passed", "D1", when="setup"), report("failed", "D1"), report("failed", "D2", when="setup")):
        tally.pytest_runtest_logreport(one)
    assert (dict(tally.passed), dict(tally.failed)) == ({}, {"D1": 1, "D2": 1})


def test_the_three_lines() -> None:
    """Passed, failed in part, and not shown by any test."""
    assert [line("D1", 6, 0), line("D1", 5, 1), line("D1", 0, 0)] == ["D1 pass 6", "D1 fail 1 of 6", "D1 none"]


def test_every_id_of_the_list_is_told_once() -> None:
    """A1 and A16.28 among them."""
    ids = requirement_ids()
    assert len(ids) == len(set(ids))
    assert {"A1", "A16.28", "D39"} <= set(ids)
