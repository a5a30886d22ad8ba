"""The steps of `make newcomer`: each names a command that exists and a page that tells it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.newcomer.__main__ import Missing, judged
from tools.newcomer.journeys import FIRST, JOURNEYS, Step, untold

GUIDE = "docs/how-to/back-up.md"
STEPS = [(role, step) for role, steps in JOURNEYS.items() for step in steps]


@pytest.mark.parametrize(
    "step", [step for _, step in STEPS], ids=[f"{role}: {step.command[:40]}" for role, step in STEPS]
)
def test_a_step_exists_and_is_told(step: Step) -> None:
    """Commands and options are those of the command line, and the page that a newcomer reads names them."""
    assert untold(step) == ""


@pytest.mark.parametrize(
    ("command", "told", "wrong"),
    [
        ("reverie remembr x", "", "there is no command `reverie remembr`"),
        ("reverie backup --kept 7", "", "`reverie backup` does not know --kept"),
        ("reverie setup chats --yes", "", "does not tell `reverie setup chats`"),
        ("curl -s x", "no such words", "does not tell `no such words`"),
    ],
)
def test_what_is_wrong_with_a_step_is_said(command: str, told: str, wrong: str) -> None:
    """A command or an option that does not exist, and a page that does not tell the step."""
    assert wrong in untold(Step(command, GUIDE, told))


def test_a_sentence_is_recalled_after_three_commands() -> None:
    """Install, set up, ask the agent: what counts for the figure."""
    assert len([step for step in JOURNEYS["agent"] if step.figure == FIRST]) == 3


@pytest.mark.parametrize(
    ("prints", "code", "step", "wrong"),
    [
        ("print('kept')", 0, Step("", GUIDE, shows="kept"), ""),
        ("print('lost')", 0, Step("", GUIDE, shows="kept"), "not shown"),
        ("print('lost')", 0, Step("", GUIDE, lacks="lost"), "is shown"),
        ("raise SystemExit(2)", 2, Step("", GUIDE, code=2), "does not say what to do"),
        ("import sys; print('mend: do this', file=sys.stderr); raise SystemExit(2)", 2, Step("", GUIDE, code=2), ""),
        ("raise SystemExit(2)", 2, Step("", GUIDE), "exit code 2 instead of 0"),
        ("raise ValueError", 1, Step("", GUIDE, code=1, shows="Error"), "a traceback"),
    ],
)
def test_a_step_that_does_not_do_what_is_said_is_missing(
    tmp_path: Path, prints: str, code: int, step: Step, wrong: str
) -> None:
    """What is shown, what is not, exit codes, errors without a mend, and tracebacks are judged."""
    done = subprocess.run([sys.executable, "-c", prints], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    if wrong:
        with pytest.raises(Missing, match=wrong):
            judged(step, done.returncode, done.stdout + done.stderr)
    else:
        assert judged(step, done.returncode, done.stdout + done.stderr)
