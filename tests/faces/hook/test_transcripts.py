"""Transcripts in the forms the hosts write them, with everything else they write there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reverie.faces.hook.capture import RecordedMessage, last_answer, read
from reverie.types import Role

AT = "2026-11-22T08:48:28.658Z"


def lines(path: Path, *entries: object) -> Path:
    """A file of JSON lines."""
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return path


def test_claude_code(tmp_path: Path) -> None:
    """Messages of both; no attachments, requests, tool results, side chains or summaries; a turn's last words."""
    path = lines(
        tmp_path / "t.jsonl",
        {"type": "queue-operation", "content": "hello"},
        {"type": "user", "timestamp": AT, "message": {"role": "user", "content": "hello"}},
        {"type": "attachment", "rendered": [{"content": "x"}]},
        {"type": "api-request-blob", "message": {"role": "user", "content": [{"type": "text", "text": "hello"}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "ls"}]}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "files"}]}},
        {"type": "assistant", "isSidechain": True, "message": {"role": "assistant", "content": "aside"}},
        {
            "type": "assistant",
            "timestamp": AT,
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
        },
        {"type": "user", "isMeta": True, "message": {"role": "user", "content": "meta"}},
        {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "summary"}},
    )
    assert read(path) == [RecordedMessage(Role.USER, "hello", AT), RecordedMessage(Role.ASSISTANT, "Done.", AT)]
    assert last_answer(path) == "Done."


def test_codex(tmp_path: Path) -> None:
    """Response items are the messages; events repeat them, and its own summary is no answer."""

    def item(role: str, kind: str, text: str) -> dict[str, object]:
        payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        return {"timestamp": AT, "type": "response_item", "payload": payload}

    path = lines(
        tmp_path / "rollout.jsonl",
        {"type": "session_meta", "payload": {"id": "x"}},
        item("developer", "input_text", "rules"),
        item("user", "input_text", "hello"),
        {"type": "event_msg", "payload": {"type": "user_message", "message": "hello"}},
        item("assistant", "output_text", "Hi."),
        item("assistant", "output_text", "In short: hello.") | {"metadata": {"compaction_output": True}},
    )
    assert [(said.role, said.text) for said in read(path)] == [(Role.USER, "hello"), (Role.ASSISTANT, "Hi.")]


def test_gemini_in_lines_and_as_one_object(tmp_path: Path) -> None:
    """Its newer form has lines, its older one object."""
    messages = [
        {"id": "1", "timestamp": AT, "type": "user", "content": [{"text": "hello"}]},
        {"id": "2", "timestamp": AT, "type": "gemini", "content": "Hi.", "thoughts": []},
    ]
    wanted = [RecordedMessage(Role.USER, "hello", AT), RecordedMessage(Role.ASSISTANT, "Hi.", AT)]
    own = {"$set": {"messages": [{"type": "user", "content": [{"text": "<session_context>x"}]}]}}
    assert read(lines(tmp_path / "a.jsonl", {"sessionId": "s"}, own, *messages)) == wanted
    (tmp_path / "b.json").write_text(json.dumps({"sessionId": "s", "messages": messages}))
    assert read(tmp_path / "b.json") == wanted


def test_no_answer_yet(tmp_path: Path) -> None:
    """Where the person spoke last, the last answer is an old one: none."""
    path = lines(
        tmp_path / "t.jsonl",
        {"type": "assistant", "message": {"role": "assistant", "content": "old"}},
        {"type": "user", "message": {"role": "user", "content": "new"}},
    )
    assert last_answer(path) == ""


@pytest.mark.parametrize(
    "content", [b"", b"\xff\x00", b"[]", b"{", b'{"messages": 3}', b"[1, null]\n{}", b"[" * 99_999]
)
def test_what_is_no_transcript_says_nothing(tmp_path: Path, content: bytes) -> None:
    """No content raises."""
    (tmp_path / "t").write_bytes(content)
    assert read(tmp_path / "t") == []
    assert read(tmp_path / "missing") == []
    assert read(tmp_path) == []
    os.mkfifo(tmp_path / "pipe")  # nobody writes into it: whoever opens it waits
    assert read(tmp_path / "pipe") == []


def test_of_a_long_one_the_end_is_read(tmp_path: Path) -> None:
    """The first line cut through is passed over."""
    entries = [{"type": "user", "message": {"role": "user", "content": f"number {n:04}"}} for n in range(100)]
    found = read(lines(tmp_path / "t.jsonl", *entries), last=300)
    assert [said.text for said in found][-1] == "number 0099"
    assert 1 <= len(found) < 10
