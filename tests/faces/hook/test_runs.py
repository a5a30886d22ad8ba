"""A coding agent's turn as a run of a skill."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from reverie import RecordedRun, Reverie, Scope
from reverie.faces.hook.capture import CapturePlace, capture
from reverie.faces.hook.hosts import HookEvent, HookHost, SessionMoment
from reverie.faces.hook.tool_calls import ToolCall
from reverie.screen.values import ScreenSettings

pytestmark = pytest.mark.req("D54")
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@pytest.fixture
def place(scope: Scope) -> Iterator[CapturePlace]:
    """An empty store, with runs kept."""
    with Reverie.open(":memory:", embedder=None) as memory:
        yield CapturePlace(memory, scope, ScreenSettings(), runs=True)


def turn(place: CapturePlace, minute: int, prompt: str, *calls: ToolCall) -> None:
    """A prompt, what the tools did, and the answer."""
    at = NOW + timedelta(minutes=minute)
    capture(HookEvent(HookHost.CLAUDE_CODE, SessionMoment.PROMPT, "E", "s1", "/", prompt=prompt), place, at)
    for number, call in enumerate(calls, 1):
        event = HookEvent(HookHost.CLAUDE_CODE, SessionMoment.TOOL, "E", "s1", "/", tool=call)
        capture(event, place, at + timedelta(seconds=number))
    for _ in range(2):  # a host may say it twice
        event = HookEvent(HookHost.CLAUDE_CODE, SessionMoment.ANSWER, "E", "s1", "/", answer=f"Done with {minute}.")
        capture(event, place, at + timedelta(seconds=30))


def bash(command: str, code: int = 0, **more: str) -> ToolCall:
    """A command and its exit code."""
    return ToolCall("Bash", {"command": command}, {"exit_code": code, "stdout": "x"}, id=f"{command} {code}", **more)


def kept(place: CapturePlace) -> list[RecordedRun]:
    """The runs, oldest first."""
    return place.engine.admin.runs(place.scope)[::-1]


def test_a_turn_with_tools_is_a_run(place: CapturePlace) -> None:
    """Its steps are kinds of calls, without their arguments; the last call says how it ended."""
    edit = ToolCall("Edit", {"file_path": "/src/memory.py", "old_string": "a", "new_string": "b"}, "ok", id="e")
    turn(place, 0, "/deploy staging", bash("git commit -m 'secret plan'"), edit, bash("./deploy.sh --now"))
    turn(place, 1, "Run the tests again.", bash("pytest tests/engine", 1))
    turn(place, 2, "Thanks!")
    first, second = kept(place)
    steps = ("Bash: git commit", "Edit: .py", "Bash: .sh")
    assert (first.skill, first.outcome, first.steps) == ("deploy", "succeeded", steps)
    assert (second.skill, second.outcome, second.steps) == ("turn", "failed", ("Bash: pytest",))
    assert "secret plan" not in first.text


def test_none_is_kept_unless_a_setting_says_so(place: CapturePlace) -> None:
    """By default a turn leaves its tool calls and nothing beside them."""
    quiet = CapturePlace(place.engine, place.scope, ScreenSettings())
    turn(quiet, 0, "/deploy", bash("make deploy"))
    assert kept(quiet) == []
