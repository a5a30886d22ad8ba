"""What was injected is taken out before capture, what was said stays."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.faces.hook.hosts import Host
from reverie.faces.hook.stripping import said_only
from reverie.screen.fences import fence

BLOCK = fence(['Ada said: "2 < 3" & more', "second"], "nonce")
QUESTION = "Where does my sister live?"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        (f"{BLOCK}\n{QUESTION}", Host.CLAUDE_CODE),
        (f"<hook_context>{html.escape(BLOCK)}</hook_context>\n\n{QUESTION}", Host.GEMINI),
        (f"<hook_context>not ours</hook_context>\n{QUESTION}", Host.GEMINI),
        (
            f"<system-reminder>\nUserPromptSubmit hook additional context: {BLOCK}\n</system-reminder>\n{QUESTION}",
            Host.CLAUDE_CODE,
        ),
        (f"UserPromptSubmit hook additional context: {BLOCK}\n\n{QUESTION}", Host.CODEX),
        (f"{QUESTION}\n{BLOCK}", Host.CURSOR),
        (f"{BLOCK}\n{QUESTION}\n{BLOCK}", Host.VSCODE),
    ],
)
def test_only_the_question_is_left(text: str, host: Host) -> None:
    """Our blocks go, escaped or not, with the wrappers hosts put around them."""
    assert said_only(text, host) == QUESTION


@given(st.text())
def test_what_nobody_injected_stays(text: str) -> None:
    """Any other text is left as it was typed."""
    if "<hook_context>" not in text and "<system-reminder>" not in text and "reverie" not in text.lower():
        assert all(said_only(text, host) == text for host in Host)


def test_tags_a_person_writes_stay_with_other_hosts() -> None:
    """Only Gemini CLI has such a wrapper; elsewhere the words are the person's."""
    text = "What does <hook_context>x</hook_context> mean?"
    assert said_only(text, Host.CLAUDE_CODE) == text


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("x" + " " * 200_000 + "y<hook_context>", Host.GEMINI),
        ("<system-reminder>" * 50_000, Host.CLAUDE_CODE),
        ("x" + "\n" * 200_000 + "y [[reverie:begin", Host.CODEX),
        ("x" + "a" * 200_000 + " [[reverie:begin", Host.CODEX),
        ("[[reverie:begin <hook_context>" + " " * 200_000 + "y", Host.GEMINI),
    ],
)
def test_long_runs_cost_no_more_than_reading_them(text: str, host: Host) -> None:
    """Blanks and tags by the hundred thousand, which a pasted file may hold, are gone through once: this ends."""
    assert said_only(text, host) == text


def test_several_reminders_leave_one_line_end_each() -> None:
    """What stands between and around them keeps its words and loses its blanks at the seams."""
    text = "one\n\n<system-reminder>a</system-reminder>\n two <system-reminder>b</system-reminder>"
    assert said_only(text, Host.CLAUDE_CODE) == "one\ntwo"
