"""What is kept of a session: both sides, each message once."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.faces.hook.capture import CapturePlace, capture
from reverie.faces.hook.hosts import HookHost, SessionMoment
from reverie.screen.fences import fence
from tests.faces.hook.conftest import at

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
PROMPT = "My sister Zeynep lives in Izmir."
ANSWER = "I shall remember that."


def kept(place: CapturePlace) -> list[tuple[str, str]]:
    """(role, text) of the messages in the store, in their order."""
    memories = sorted(place.engine.timeline(place.scope, session="s1"), key=lambda one: one.seq)
    return [(str(one.role), one.text) for one in memories if str(one.kind) == "episode"]


def transcript(path: Path, *said: tuple[str, str]) -> str:
    """A transcript as Claude Code writes it."""
    entries = [{"type": role, "message": {"role": role, "content": text}} for role, text in said]
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return str(path)


def test_both_sides_are_kept_with_who_said_it_and_when(place: CapturePlace) -> None:
    """Session, role, speaker and the moment of the call."""
    assert capture(at(SessionMoment.PROMPT, prompt=PROMPT), place, NOW) == 1
    assert capture(at(SessionMoment.ANSWER, answer=ANSWER), place, NOW) == 1
    memories = [one for one in place.engine.timeline(place.scope) if str(one.kind) == "episode"]
    assert {(one.speaker, str(one.role), one.session, one.at) for one in memories} == {
        ("user", "user", "s1", NOW),
        ("assistant", "assistant", "s1", NOW),
    }


def test_a_hook_called_twice_keeps_once(place: CapturePlace) -> None:
    """A repeated call adds nothing, whether the host names the turn or not, and even later."""
    for turn in ("", "turn-7"):
        capture(at(SessionMoment.PROMPT, prompt=PROMPT, turn=turn), place, NOW)
        capture(at(SessionMoment.PROMPT, prompt=PROMPT, turn=turn), place, NOW)
        capture(at(SessionMoment.ANSWER, answer=ANSWER, turn=turn), place, NOW)
        capture(at(SessionMoment.ANSWER, answer=ANSWER, turn=turn), place, NOW)
    assert kept(place) == [("user", PROMPT), ("assistant", ANSWER)] * 2
    assert capture(at(SessionMoment.PROMPT, prompt=PROMPT, turn="turn-7"), place, NOW) == 0


def test_the_same_words_in_another_turn_are_said_again(place: CapturePlace) -> None:
    """“yes” twice is two answers to two questions."""
    for answer in ("Shall I?", "Really?"):
        capture(at(SessionMoment.PROMPT, prompt="yes"), place, NOW)
        capture(at(SessionMoment.ANSWER, answer=answer), place, NOW)
    assert kept(place) == [("user", "yes"), ("assistant", "Shall I?"), ("user", "yes"), ("assistant", "Really?")]


def test_an_answer_the_host_does_not_tell_is_read_from_its_transcript(place: CapturePlace, tmp_path: Path) -> None:
    """Where Stop holds no message, the transcript does."""
    path = transcript(tmp_path / "t.jsonl", ("user", PROMPT), ("assistant", ANSWER))
    capture(at(SessionMoment.ANSWER, transcript=path), place, NOW)
    assert kept(place) == [("assistant", ANSWER)]
    assert capture(at(SessionMoment.ANSWER, transcript=str(tmp_path / "none")), place, NOW) == 0


def test_gemini_tells_the_prompt_again(place: CapturePlace) -> None:
    """With the answer comes the prompt: kept where nobody told it before, without what was injected."""
    block = fence(["old"], "n")
    given = {"prompt": f"<hook_context>{block}</hook_context>\n{PROMPT}", "answer": ANSWER}
    assert capture(at(SessionMoment.ANSWER, HookHost.GEMINI, **given), place, NOW) == 2
    assert capture(at(SessionMoment.ANSWER, HookHost.GEMINI, **given), place, NOW) == 0
    assert kept(place) == [("user", PROMPT), ("assistant", ANSWER)]


def test_before_a_compaction_what_was_missed_is_kept(place: CapturePlace, tmp_path: Path) -> None:
    """The transcript's messages that the store does not hold yet, once; masked ones are known again."""
    secret = "My password is hunter2hunter2 and stays so."
    capture(at(SessionMoment.PROMPT, prompt=secret), place, NOW)
    said = [
        ("user", "Earlier."),
        ("assistant", "Noted."),
        ("user", secret),
        ("assistant", "Better not."),
        ("user", "Earlier."),
    ]
    compact = at(SessionMoment.COMPACT, transcript=transcript(tmp_path / "t.jsonl", *said))
    assert capture(compact, place, NOW) == 4
    assert capture(compact, place, NOW) == 0
    assert capture(at(SessionMoment.ANSWER, answer="Done."), place, NOW) == 1


def test_what_a_transcript_told_already_is_not_kept_again(place: CapturePlace, tmp_path: Path) -> None:
    """A host may compact before it reports the answer."""
    path = transcript(tmp_path / "t.jsonl", ("user", PROMPT), ("assistant", ANSWER))
    capture(at(SessionMoment.PROMPT, prompt=PROMPT), place, NOW)
    capture(at(SessionMoment.COMPACT, transcript=path), place, NOW)
    assert capture(at(SessionMoment.ANSWER, answer=ANSWER), place, NOW) == 0
    assert kept(place) == [("user", PROMPT), ("assistant", ANSWER)]


@pytest.mark.parametrize("text", ["", "  \n", fence(["x"], "n")])
def test_nothing_said_is_nothing_kept(place: CapturePlace, text: str) -> None:
    """Blank prompts and pure injections leave no memory."""
    assert capture(at(SessionMoment.PROMPT, prompt=text), place, NOW) == 0
    assert capture(at(SessionMoment.START, prompt=text), place, NOW) == 0
    assert kept(place) == []


@pytest.mark.parametrize("text", ["\ud83d", "a\x00b", "ı" * 100_000, "\u202eabc"])
def test_odd_texts_are_kept_as_they_are(place: CapturePlace, text: str) -> None:
    """Nothing the person says is lost or changed."""
    capture(at(SessionMoment.PROMPT, prompt=text), place, NOW)
    assert kept(place) == [("user", text)]


RECORDED = Path(__file__).with_name("data")
"""Transcripts that the real programs wrote, with made-up words: the person asked twice, ran a shell command of their
own, and had the session compacted; trimmed to the entries of the two and what the host wrote in their name."""


@pytest.mark.parametrize(
    ("file", "host", "first"),
    [
        ("claude-code-2.1.330.jsonl", HookHost.CLAUDE_CODE, "The spare key hangs behind the boiler."),
        ("codex-0.169.0.jsonl", HookHost.CODEX, "The spare key hangs behind the boiler."),
        ("gemini-cli-0.61.0.jsonl", HookHost.GEMINI, "The spare key hangs behind the boiler. See @note.txt"),
    ],
)
def test_of_a_real_transcript_only_what_the_two_said_is_kept(
    place: CapturePlace, file: str, host: HookHost, first: str
) -> None:
    """Nothing of what the host wrote in the person's name: commands, their output, its context, its summary."""
    happening = at(SessionMoment.COMPACT, host, transcript=str(RECORDED / file))
    capture(happening, place, NOW)
    said = [text for role, text in kept(place) if role == "user"]
    assert said[0] == first
    assert [text.rstrip("?") for text in said[1:]] == ["Where is the key"]
    assert {text for role, text in kept(place) if role == "assistant"} == {"Noted, thank you."}
    assert capture(happening, place, NOW) == 0


def test_claude_code_says_where_a_message_comes_from(place: CapturePlace, tmp_path: Path) -> None:
    """Only the person's own is theirs, also what they typed while the assistant was at work."""

    def entry(text: str, **marks: object) -> dict[str, object]:
        return {"type": "user", "message": {"role": "user", "content": text}, **marks}

    def queued(text: str, kind: str) -> dict[str, object]:
        return {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": text, "origin": {"kind": kind}},
        }

    kinds = ("task-notification", "peer", "plugin", "coordinator", "auto-continuation", "observer-activity", "channel")
    entries = [
        entry("Ours.", origin={"kind": "human"}, promptSource="typed"),
        *(entry(f"From {kind}.", origin={"kind": kind}) for kind in kinds),
        entry("By itself.", promptSource="system"),
        entry("From a program.", promptSource="sdk"),
        *(entry(f"Marked {mark}.", **{mark: True}) for mark in ("isMeta", "isSidechain", "isVirtual", "textNotTyped")),
        queued("Ours as well.", "human"),
        queued("Done.", "task-notification"),
        {"type": "assistant", "isApiErrorMessage": True, "message": {"role": "assistant", "content": "API Error: 500"}},
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in entries))
    capture(at(SessionMoment.COMPACT, transcript=str(path)), place, NOW)
    assert kept(place) == [("user", "Ours."), ("user", "From a program."), ("user", "Ours as well.")]
