"""``reverie memory run`` and ``reverie memory skills``."""

from __future__ import annotations

import pytest

from reverie import RunOutcome
from reverie.faces.cli.skills import OUTCOMES
from tests.faces.cli.conftest import Run

pytestmark = pytest.mark.req("D54")


def test_the_outcomes_are_the_engines() -> None:
    """Spelled out twice, so that help loads nothing."""
    assert list(OUTCOMES) == [str(outcome) for outcome in RunOutcome]


def test_a_run_is_recorded_once_and_counted(home: Run) -> None:
    """And found by a question in either language."""
    line = ("memory", "run", "deploy", "succeeded", "--step", "build", "--step", "push", "--context", "staging")
    assert home(*line, "--id", "7").out.startswith("kept: ")
    assert home(*line, "--id", "7").out.startswith("already kept: ")
    assert "already recorded" in home("memory", "run", "deploy", "failed", "--id", "7").err
    [skill] = home("memory", "skills", "--json").shape["skills"]
    assert (skill["skill"], skill["context"], skill["runs"], skill["succeeded"]) == ("deploy", "staging", 1, 1)
    assert "22 %" in home("memory", "skills").out
    assert home("memory", "skills", "--context", "production", "--json").shape["skills"] == []
    for question in ("what worked when I deployed?", "deploy ederken ne işe yaradı?"):
        assert "build → push" in home("memory", "skills", "--worked", question).out
    assert home("memory", "skills", "--worked", "how to bake", "--json").shape["runs"] == []


def test_what_cannot_be_a_run_is_refused(home: Run) -> None:
    """A name without a letter, an unknown outcome; and a clock that is wrong is told."""
    assert "is empty" in home("memory", "run", " ", "failed").err
    assert home("memory", "run", "deploy", "splendid").code == 2
    assert "in the future" in home("memory", "run", "deploy", "failed", "--at", "2999-01-01").err
