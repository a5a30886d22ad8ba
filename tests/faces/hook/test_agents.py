"""Sub-agents are told apart: nobody said their words, and what they did is theirs. As the real programs report them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.faces.hook import client
from reverie.faces.hook.answers import Recalling
from reverie.faces.hook.capture import CapturePlace, capture
from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.hosts import HookEvent, HookHost, SessionMoment, understand
from reverie.faces.hook.transcripts import is_agents

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
DATA = Path(__file__).with_name("data")
"""Sessions of the real programs in which the agent hands work to a sub-agent: every call of their hooks (``calls``),
and the sub-agents' own transcripts, trimmed to what was said."""
AGENTS = [DATA / "claude-code-2.1.330-agent.jsonl", DATA / "codex-0.169.0-agent.jsonl"]
FACT = "My sister Zeynep lives in Izmir."


def recorded(host: str) -> list[HookEvent]:
    """The calls of a host's session, as the warm process understands them."""
    lines = (DATA / "agents-calls.jsonl").read_text(encoding="utf-8").splitlines()
    found = [one["call"] for one in map(json.loads, lines) if one["host"] == host]
    said = [json.dumps(call).encode() for call in found]
    return [understand(HookCall(client.version(), f"{n}-1", "/", {}, body, host)) for n, body in enumerate(said, 1)]


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_only_the_person_and_their_agent_are_quoted(host: str, place: CapturePlace) -> None:
    """Not what the agent asked of its sub-agent, nor what that reported; and nothing is formed from either."""
    calls = recorded(host)
    assert any(call.agent for call in calls)
    for call in calls:
        capture(call, place, NOW)
    memories = place.engine.timeline(place.scope)
    said = [one.text for one in memories if one.role in ("user", "assistant")]
    assert said[0] == "Please delegate this to a helper: the colour of tea."
    assert set(said[1:]) == {"Main answer: noted."}
    asked = [one for one in memories if "SUBPROMPT" in one.text or "blue cups" in one.text]
    assert {(str(one.role), str(one.kind)) for one in asked} <= {("tool", "episode")}  # the call that began it


def test_what_a_sub_agent_did_lies_in_a_session_of_its_own(place: CapturePlace) -> None:
    """So that the session's tool calls are those of its agent alone."""
    for call in recorded("claude-code"):
        capture(call, place, NOW)
    done = {one.session: one.text for one in place.engine.timeline(place.scope) if str(one.role) == "tool"}
    main, sub = (next(of for of in done if (" agent " in of) is is_sub) for is_sub in (False, True))
    assert sub == f"{main.removesuffix(' tools')} agent a3289ba8bf1fbcaf0 tools"
    assert done[sub].startswith("Bash: echo sub > sub.txt → ok")
    assert done[main].startswith("Agent: look for tea → ")


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.name)
def test_a_sub_agents_transcript_is_nobodys(path: Path, place: CapturePlace) -> None:
    """Even if a host's call does not say whose it is."""
    assert is_agents(path)
    event = HookEvent(
        HookHost.CODEX, SessionMoment.COMPACT, "E", "s1", "/", prompt=FACT, answer=FACT, transcript=str(path)
    )
    assert capture(event, place, NOW) == 0
    assert place.engine.timeline(place.scope) == []


@pytest.mark.parametrize("name", ["claude-code-2.1.330", "codex-0.169.0", "gemini-cli-0.61.0"])
def test_a_sessions_own_transcript_is_its_own(name: str, tmp_path: Path) -> None:
    """As is one that cannot be read."""
    assert not is_agents(DATA / f"{name}.jsonl")
    assert not is_agents(tmp_path / "none.jsonl")
    (tmp_path / "odd.jsonl").write_bytes(b'["kind"]\n\xff')
    assert not is_agents(tmp_path / "odd.jsonl")


def test_a_gemini_sub_agents_transcript_says_so(tmp_path: Path) -> None:
    """In its first line."""
    (tmp_path / "a.jsonl").write_text('{"sessionId": "a", "kind": "subagent"}\n{"id": "m"}\n')
    assert is_agents(tmp_path / "a.jsonl")


def test_what_a_sub_agent_was_given_its_agent_still_is(scope: Scope) -> None:
    """Each has a context of its own; and a sub-agent's compaction is not the session's."""
    with Reverie.open(":memory:", embedder=None) as engine:
        engine.remember(FACT, scope)
        recalling = Recalling()
        asked = {"prompt": "Where does my sister Zeynep live?", "hook_event_name": "UserPromptSubmit"}
        for agent in ({"agent_id": "a1", "agent_type": "Explore"}, {}):
            body = json.dumps({"session_id": "s1", **asked, **agent}).encode()
            context = recalling.context(engine, scope, understand(HookCall("", "1-1", "/", {}, body)), 300)
            context.delivered()
            assert FACT in context.block
        event = understand(HookCall("", "1-1", "/", {}, b'{"hook_event_name": "PreCompact", "agent_id": "a1"}'))
        assert event.session != "default"
