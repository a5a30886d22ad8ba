"""What hosts say, each in its own words, and what they read."""

from __future__ import annotations

import json

import pytest

from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.hosts import HookHost, NotUnderstood, SessionMoment, answer, hears, understand


def call(said: object, host: str = "", event: str = "") -> HookCall:
    """A call with this JSON."""
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    return HookCall("v", "1-1", "/a folder", {}, body, host, event)


@pytest.mark.parametrize(
    ("said", "host", "moment"),
    [
        ({"hook_event_name": "SessionStart", "session_id": "s"}, HookHost.CLAUDE_CODE, SessionMoment.START),
        (
            {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "p"},
            HookHost.CLAUDE_CODE,
            SessionMoment.PROMPT,
        ),
        ({"hook_event_name": "UserPromptSubmit", "turn_id": "t", "prompt": "p"}, HookHost.CODEX, SessionMoment.PROMPT),
        (
            {"hook_event_name": "Stop", "transcript_path": "/h/.codex/sessions/rollout-1.jsonl"},
            HookHost.CODEX,
            SessionMoment.ANSWER,
        ),
        ({"hook_event_name": "PreCompact"}, HookHost.CLAUDE_CODE, SessionMoment.COMPACT),
        ({"hook_event_name": "BeforeAgent", "prompt": "p"}, HookHost.GEMINI, SessionMoment.PROMPT),
        ({"hook_event_name": "AfterAgent", "prompt_response": "a"}, HookHost.GEMINI, SessionMoment.ANSWER),
        ({"hook_event_name": "PreCompress"}, HookHost.GEMINI, SessionMoment.COMPACT),
        (
            {"hook_event_name": "SessionEnd", "transcript_path": "/h/.gemini/chats/x.jsonl"},
            HookHost.GEMINI,
            SessionMoment.END,
        ),
        ({"hook_event_name": "sessionStart", "conversation_id": "c"}, HookHost.CURSOR, SessionMoment.START),
        ({"hook_event_name": "beforeSubmitPrompt", "prompt": "p"}, HookHost.CURSOR, SessionMoment.PROMPT),
        ({"hook_event_name": "afterAgentResponse", "text": "a"}, HookHost.CURSOR, SessionMoment.ANSWER),
        ({"hookEventName": "SessionStart", "sessionId": "s"}, HookHost.VSCODE, SessionMoment.START),
        (
            {"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash"},
            HookHost.CLAUDE_CODE,
            SessionMoment.TOOL,
        ),
        ({"hook_event_name": "PostToolUseFailure", "session_id": "s"}, HookHost.CLAUDE_CODE, SessionMoment.TOOL),
        ({"hook_event_name": "PostToolUse", "turn_id": "t", "tool_name": "Bash"}, HookHost.CODEX, SessionMoment.TOOL),
        ({"hook_event_name": "AfterTool", "tool_name": "write_file"}, HookHost.GEMINI, SessionMoment.TOOL),
        ({"hook_event_name": "postToolUse", "conversation_id": "c"}, HookHost.CURSOR, SessionMoment.TOOL),
        ({"hook_event_name": "afterShellExecution", "command": "ls"}, HookHost.CURSOR, SessionMoment.TOOL),
        ({"hookEventName": "PostToolUse", "sessionId": "s"}, HookHost.VSCODE, SessionMoment.TOOL),
        ({"hook_event_name": "PreToolUse", "session_id": "s"}, HookHost.CLAUDE_CODE, SessionMoment.OTHER),
    ],
)
def test_each_host_is_understood(said: dict[str, str], host: HookHost, moment: SessionMoment) -> None:
    """Who calls and when, told by the names and fields of each."""
    found = understand(call(said))
    assert (found.host, found.moment) == (host, moment)


def test_the_fields_are_found_by_any_of_their_names() -> None:
    """Sessions, folders, prompts and answers bear different names."""
    gemini = understand(call({"hook_event_name": "AfterAgent", "prompt": "p", "prompt_response": "a", "cwd": "/x"}))
    assert (gemini.prompt, gemini.answer, gemini.folder, gemini.session) == ("p", "a", "/x", "default")
    cursor = understand(
        call({"hook_event_name": "stop", "conversation_id": "c", "generation_id": "g", "workspace_roots": ["/r", "/s"]})
    )
    assert (cursor.session, cursor.turn, cursor.folder) == ("c", "g", "/r")
    assert understand(call({"hook_event_name": "Stop"})).folder == "/a folder"


def test_the_command_line_says_what_the_json_does_not() -> None:
    """--host and --event win over guessing."""
    found = understand(call({"session_id": "s"}, host="vscode", event="SessionStart"))
    assert (found.host, found.moment, found.event) == (HookHost.VSCODE, SessionMoment.START, "SessionStart")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b"{}", b'{"hook_event_name": 3}', b"[" * 200_000, b"\xff"])
def test_what_is_no_call_is_refused_in_one_way(body: bytes) -> None:
    """Any nonsense is NotUnderstood."""
    with pytest.raises(NotUnderstood):
        understand(call(body))


def test_each_host_is_answered_in_its_own_shape() -> None:
    """Claude Code's shape for most, Cursor's own; silence where there is nothing to say or nobody reads it."""
    claude = understand(call({"hook_event_name": "UserPromptSubmit", "prompt": "p"}))
    assert json.loads(answer(claude, "notes")) == {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "notes"}
    }
    cursor = understand(call({"hook_event_name": "sessionStart", "conversation_id": "c"}))
    assert json.loads(answer(cursor, "notes")) == {"additional_context": "notes"}
    asking = understand(call({"hook_event_name": "beforeSubmitPrompt", "prompt": "p"}))
    assert answer(asking, "notes") == answer(claude, "") == b""
    assert (hears(claude), hears(cursor), hears(asking)) == (True, True, False)


def test_a_lone_surrogate_goes_out_as_json_can_carry_it() -> None:
    """A text that UTF-8 has no form for is written with escapes."""
    claude = understand(call({"hook_event_name": "SessionStart"}))
    assert b"\\ud83d" in answer(claude, "\ud83d")
