from __future__ import annotations

import pytest

from reverie.consolidate.history import DreamReport, StepReport
from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import Gathering
from reverie.events import Value
from reverie.types import State
from tests.consolidate.making import NOW, memory, night
from tests.spoken import english, neither, turkish


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
        "  m0 “Something about m0.”: state active → dormant, utility 0.5 → 0.25",
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
    assert [line.split(":")[0].strip() for line in lines[2:]] == ["moved “Something about moved.”"]
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


def sample(before: dict[str, object], said: str = "Tea.", /, **after: Value) -> str:
    """The line of one changed memory."""
    gathering = Gathering()
    gathering.alter(memory("m", said, **before), "why", **after)
    return "".join(StepReport.of(StepName.DRIFT, gathering.outcome()).lines()[2:])


LONG = "entity://person/amy-ellis-nutt", "a tag that is rather long", "another tag that is long"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"tags": LONG}, {"tags": (*LONG, "fading")}, "tags + fading"),
        ({"tags": LONG}, {"tags": LONG[1:]}, "tags − amy ellis nutt"),
        ({"tags": ("a", "b")}, {"tags": ("b", *"cdefg")}, "tags + c, d, e and 2 more, − a"),
        ({}, {"tagged_until": NOW}, "tagged_until – → 2026-06-15 03:00"),
        ({}, {"pinned": True, "superseded_by": "n"}, "pinned no → yes, superseded_by – → n"),
        (
            {"drifted_at": NOW},
            {"utility": 0.25, "drifted_at": None},
            "utility 0.5 → 0.25, drifted_at 2026-06-15 03:00 → –",
        ),
    ],
)
def test_a_sample_says_what_was_added_and_what_was_taken_away(
    before: dict[str, object], after: dict[str, Value], told: str
) -> None:
    """As people read it: names for addresses, minutes for moments, times last."""
    assert sample(before, **after) == f"  m “Tea.”: {told}"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        *english(
            (
                "My sister Meera lives in Leeds with her cats.",
                "My sister Meera lives in York with her cats.",
                "Leeds → York",
            )
        ),
        *english(
            ("My sister Meera lives in Leeds, UK.", "My sister Meera lives in Leeds, UK. She bakes.", "+ She bakes.")
        ),
        *turkish(
            (
                "Kız kardeşim Selin şimdi İzmir'de oturuyor.",
                "Kız kardeşim Selin şimdi Bursa'da oturuyor.",
                "İzmir'de → Bursa'da",
            )
        ),
        *turkish(
            ("Kız kardeşim Selin İzmir'de oturuyor. Fırıncı.", "Kız kardeşim Selin İzmir'de oturuyor.", "− Fırıncı.")
        ),
        *neither(("x" * 100 + "a", "x" * 100 + "b", "…a → …b")),
    ],
)
def test_of_long_words_the_part_that_changed_is_told(before: str, after: str, told: str) -> None:
    """Two long texts that begin alike do not read alike."""
    assert sample({}, before, text=after).endswith(f"”: text {told}")


def test_a_sample_is_one_short_line() -> None:
    """The memory's first words, without what a terminal would obey; of many fields the first."""
    many: dict[str, Value] = {
        "emotion": "x" * 99,
        "data_source": "y" * 99,
        "write_source": "z" * 99,
        "superseded_by": "w" * 99,
    }
    line = sample({}, "Tea\x1b[31m\nor\u202e coffee " + "a" * 99, **many)
    assert line.startswith("  m “Tea [31m or coffee aaa")
    assert line.endswith(", and 3 more")
    assert len(line) < 150
    assert line.isprintable()


def test_what_only_looks_changed_is_no_sample() -> None:
    """Blanks, order, seconds."""
    assert sample({"tags": ("a", "b")}, tags=("b", "a")) == ""
    assert sample({}, "Tea  and coffee.", text="Tea and coffee.") == ""
    assert sample({"drifted_at": NOW}, drifted_at=NOW.replace(second=5)) == ""
