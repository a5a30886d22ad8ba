from __future__ import annotations

import pytest

from reverie.consolidate.outcome import Gathering
from reverie.consolidate.report import DreamReport, StepReport
from reverie.consolidate.settings import StepName
from reverie.types import State
from tests.consolidate.making import memory, night


@pytest.mark.req("D33")
def test_a_step_tells_what_how_many_why_and_before_and_after() -> None:
    """The most common reason first, a few samples, a few notes."""
    gathering = Gathering()
    for number in range(5):
        gathering.alter(memory(f"m{number}"), "useless" if number else "too many", state=State.DORMANT, utility=0.25)
    gathering.formed.append(memory("new", text="A long  story\n" + "x" * 200))
    gathering.notes += [f"note {number}" for number in range(9)]
    report = StepReport.of(StepName.FORGETTING, gathering.outcome(), left=2)
    assert (report.changed, report.formed, report.reasons) == (5, 1, (("useless", 4), ("too many", 1)))
    lines = report.lines()
    assert lines[:4] == [
        "forgetting: 5 changed, 1 formed, 2 left, changed meanwhile",
        "  4 × useless",
        "  1 × too many",
        "  m0: state active → dormant, utility 0.5 → 0.25",
    ]
    assert lines[6].startswith("  new new: A long story xxx")
    assert lines[-1] == "  … and 4 more"


def test_what_reads_as_before_is_no_sample() -> None:
    """A number that moved beyond what is shown is counted and not listed."""
    gathering = Gathering()
    gathering.alter(memory("still"), "drifts", utility=0.50001)
    gathering.alter(memory("moved"), "drifts", utility=0.50001, importance=0.25)
    lines = StepReport.of(StepName.DRIFT, gathering.outcome()).lines()
    assert lines[0] == "utility drift: 2 changed"
    assert [line.split(":")[0].strip() for line in lines[2:]] == ["moved"]
    assert "utility" not in lines[2]


def test_a_step_without_work_says_so() -> None:
    """In one line."""
    assert StepReport.of(StepName.DRIFT, Gathering().outcome()).lines() == ["utility drift: nothing to do"]


@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "0 things done"), ({"dry_run": True}, "0 things would be done"), ({"resumed": True}, "resumed and done")],
)
def test_a_dream_says_whether_it_was_one(given: dict[str, bool], said: str) -> None:
    """Dry, resumed, or whole."""
    report = DreamReport(night(), "2026-06-15T00:00+00:00", 7, (), **given)
    assert said in report.lines()[0]
    assert "7 formed memories" in report.lines()[0]
    assert report.changed == 0
