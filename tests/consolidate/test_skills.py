"""Runs as text and back, how they count, and the workflows in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import RecordedRun, RunOutcome, SkillRun
from reverie.consolidate.runs import STEP_MAX, STEPS_KEPT, accepted, read, record_of, records, runs_of
from reverie.consolidate.skills import Steps, Workflow, closed_sequences, workflows
from reverie.errors import InvalidInput
from reverie.types import BY_RUN, Kind, Memory, Role, Scope, Standing, State

pytestmark = pytest.mark.req("D54")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
LINES = st.text(st.characters(blacklist_categories=("Cs",)), max_size=30)
RUNS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(tuple), min_size=3, max_size=7)


def memory(run: RecordedRun, name: str = "m", source: str = BY_RUN) -> Memory:
    """The episode of a run."""
    at = run.at or NOW
    standing = Standing(write_source=source)
    where = ("s", 0, "tool", Role.TOOL)
    return Memory(name, Scope("a", "u", "p"), Kind.EPISODE, run.text, at, at, *where, standing=standing)


def ran(outcome: str, day: int, skill: str = "deploy", **more: str) -> Memory:
    """The episode of a run that ended on a day."""
    run = accepted(SkillRun(skill, outcome, at=NOW + timedelta(days=day), id=f"r{day}", **more), str)  # type: ignore[arg-type]  # texts alone
    return memory(run, f"m{day:03}")


@given(LINES, LINES, LINES, st.lists(LINES, max_size=5), st.none() | st.floats(0, 1e9))
def test_what_is_written_is_read_back(skill: str, context: str, version: str, steps: list[str], cost: float) -> None:
    """Whatever the fields hold: line breaks, arrows, colons, the format itself."""
    given = SkillRun(
        "x" + skill.replace("\0", ""),
        "succeeded",
        version.replace("\0", ""),
        context.replace("\0", ""),
        "inputs",
        steps,
        cost,
        NOW,
        NOW - timedelta(seconds=3),
        "id: 7",
        "steps (9): y",
    )
    run = accepted(given, str)
    assert read(memory(run)) == replace(run, memory="m")


def test_a_text_alone_makes_no_run() -> None:
    """Only what wrote it does, and a tool's output that imitates the text does not count."""
    run = accepted(SkillRun("deploy", "succeeded", at=NOW), str)
    assert read(memory(run, source="")) is None
    assert read(memory(run, source="observer")) is None
    assert read(replace(memory(run), role=Role.USER)) is None
    assert read(replace(memory(run), text="Run of deploy: splendid")) is None
    assert read(replace(memory(run), text="")) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"skill": ""},
        {"skill": " \n"},
        {"skill": "a\0b"},
        {"skill": "\ud83d"},
        {"skill": "x" * 201},
        {"skill": 7},
        {"outcome": "splendid"},
        {"steps": "one text"},
        {"steps": [1]},
        {"steps": None},
        {"cost": -1},
        {"cost": float("nan")},
        {"cost": True},
        {"at": datetime(2026, 1, 1)},
        {"inputs": b"x"},
        {"context": "\0"},
    ],
)
def test_what_cannot_be_a_run_is_refused(fields: dict[str, object]) -> None:
    """With an error that says what to do."""
    with pytest.raises(InvalidInput) as refused:
        accepted(SkillRun(**({"skill": "deploy", "outcome": "failed"} | fields)), str)  # type: ignore[arg-type]  # what a caller may get wrong
    assert refused.value.mend


def test_a_million_steps_are_counted_and_the_first_kept() -> None:
    """Repetitions in a row are one step; each step is a short line, whatever it holds."""
    run = accepted(SkillRun("loop", "failed", steps=(f"step {n}" for n in range(1_000_000)), at=NOW), str)
    assert (run.step_count, len(run.steps)) == (1_000_000, STEPS_KEPT)
    again = accepted(SkillRun("loop", "failed", steps=["a", "a", "\ud83d\0\n", "b" * 10**6, "a"], at=NOW), str)
    assert again.steps == ("a", "\ufffd", "b" * STEP_MAX, "a")


def test_an_end_before_the_beginning_gives_no_duration() -> None:
    """Two clocks may differ; the run itself counts."""
    run = accepted(SkillRun("deploy", "succeeded", at=NOW, began=NOW + timedelta(hours=1)), str)
    assert (run.took_s, run.outcome) == (None, RunOutcome.SUCCEEDED)


def test_unfinished_runs_count_neither_way_and_are_finished_by_their_id() -> None:
    """And what is forgotten, held back or superseded does not count at all."""
    runs = [ran("succeeded", 1), ran("failed", 2), ran("unfinished", 3)]
    assert [(r.runs, r.succeeded, r.unfinished) for r in records(runs_of(runs, NOW))] == [(2, 1, 1)]
    finished = replace(ran("succeeded", 3), id="later")
    assert [(r.runs, r.succeeded, r.unfinished) for r in records(runs_of([*runs, finished], NOW))] == [(3, 2, 0)]
    held = replace(runs[0], standing=replace(runs[0].standing, state=State.QUARANTINED))
    forgotten = replace(runs[1], valid_until=NOW - timedelta(days=1))
    assert [(r.runs, r.unfinished) for r in records(runs_of([held, forgotten, runs[2]], NOW))] == [(0, 1)]


def test_a_renamed_skill_keeps_its_runs() -> None:
    """Over several names, and back again; what later takes the free name is another skill."""
    runs = [
        ran("succeeded", 1, "ship"),
        ran("succeeded", 2, "release", formerly="ship"),
        ran("failed", 3, "deploy", formerly="release"),
        ran("failed", 4, "ship"),
    ]
    assert {r.skill: (r.runs, r.succeeded) for r in records(runs_of(runs, NOW))} == {"deploy": (3, 2), "ship": (1, 0)}
    back = [*runs[:3], ran("succeeded", 5, "ship", formerly="deploy")]
    assert [(r.skill, r.runs) for r in records(runs_of(back, NOW))] == [("ship", 4)]


def test_late_runs_count_more_and_contexts_apart() -> None:
    """Failures of long ago give way to later successes, and do not touch another context."""
    old = [ran("failed", day) for day in range(10)]
    new = [ran("succeeded", day) for day in range(10, 40)]
    elsewhere = [ran("failed", day, context="production") for day in range(40, 44)]
    by_context = {r.context: r for r in records(runs_of([*old, *new, *elsewhere], NOW))}
    assert by_context[""].mean > 30 / 40 + 0.1
    assert by_context["production"].succeeded == 0
    every = runs_of([*old, *new], NOW)
    assert record_of(every, half_life=1e9).mean == pytest.approx(31 / 42, abs=1e-3)


def is_in(short: Steps, long: Steps) -> bool:
    """Whether the steps occur in this order."""
    rest = iter(long)
    return all(step in rest for step in short)


@given(RUNS)
def test_closed_sequences_are_those_of_the_definition(runs: list[Steps]) -> None:
    """By brute force: every subsequence, its runs, and none of those that a longer one matches in support."""
    every = {part for run in runs for n in range(1, len(run) + 1) for part in combinations(run, n)}
    own = {part: frozenset(at for at, run in enumerate(runs) if is_in(part, run)) for part in every}
    frequent = {part: at for part, at in own.items() if len(at) >= 3}
    closed = {
        part: at
        for part, at in frequent.items()
        if len(part) > 1 and not any(len(o) > len(part) and at == s and is_in(part, o) for o, s in frequent.items())
    }
    assert closed_sequences(runs, 3) == closed
    assert closed_sequences(runs, 3) == closed_sequences(list(runs), 3)


def test_two_workflows_are_told_apart_amid_noise() -> None:
    """Each by the steps that its runs share, although they begin alike."""
    one, two = ("pull", "build", "test", "push"), ("pull", "draft", "review", "send", "file")
    runs = [(*one[:2], f"x{n}", *one[2:]) for n in range(6)] + [(*two[:1], f"y{n}", *two[1:]) for n in range(5)]
    assert workflows(runs) == [Workflow(one, 6), Workflow(two, 5)]
    assert workflows([("a", "b")] * 2) == []
    assert workflows([]) == []


def test_long_equal_runs_are_mined_at_once() -> None:
    """Forty equal steps have 2⁴⁰ subsequences, and one closed sequence."""
    steps = tuple(f"s{n}" for n in range(200))
    assert workflows([steps] * 300) == [Workflow(steps[:40], 300)]
