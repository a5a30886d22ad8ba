from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from reverie import Reverie, Scope
from reverie.errors import InvalidInput, InvalidScope
from reverie.screen.fences import strip_fences
from reverie.types import Kind
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("adk", "adk", "google.adk.memory")

from google.adk.events.event import Event  # noqa: E402 - only where it is installed
from google.adk.memory.base_memory_service import BaseMemoryService  # noqa: E402 - only where it is installed
from google.adk.memory.memory_entry import MemoryEntry  # noqa: E402 - only where it is installed
from google.adk.sessions.session import Session  # noqa: E402 - only where it is installed
from google.genai import types  # noqa: E402 - only where it is installed

pytestmark = pytest.mark.filterwarnings(THEIRS)

WHO = {"app_name": "helper", "user_id": "ada"}
SAID_AT = datetime(2026, 5, 1, 9, tzinfo=UTC)


@pytest.fixture
def service(engine: Reverie) -> Any:
    """A service on each kind of engine."""
    return adapters.ReverieMemoryService(engine, project="home")


def content(*texts: str, role: str = "user") -> Any:
    """A content of text parts."""
    return types.Content(role=role, parts=[types.Part(text=text) for text in texts])


def event(name: str, text: str, author: str = "user", **more: Any) -> Any:
    """An event with something said."""
    return Event(id=name, author=author, timestamp=SAID_AT.timestamp(), content=content(text), **more)


def session(*events: Any, name: str = "s1", user: str = "ada") -> Any:
    """A session of these events."""
    return Session(id=name, app_name="helper", user_id=user, events=list(events))


def found(service: Any, query: str, user: str = "ada") -> list[str]:
    """The texts a search brings."""
    answer = asyncio.run(service.search_memory(app_name="helper", user_id=user, query=query))
    return [entry.content.parts[0].text for entry in answer.memories]


def test_a_session_is_found_again(service: Any, engine: Reverie, scope: Scope) -> None:
    """With who said it and when, in the scope that application, user and project name."""
    assert isinstance(service, BaseMemoryService)
    said = session(event("e1", "My sister Zeynep lives in Izmir."), event("e2", "I noted that.", author="helper_agent"))
    asyncio.run(service.add_session_to_memory(said))
    answer = asyncio.run(service.search_memory(**WHO, query="Where does my sister live?"))
    first = next(entry for entry in answer.memories if entry.content.parts[0].text.startswith("My sister"))
    assert (first.author, first.content.role) == ("user", "user")
    assert first.timestamp == SAID_AT.isoformat()
    assert engine.memory(first.id, scope).text.startswith("My sister")
    assert [m.speaker for m in engine.admin.latest("s1", scope)] == ["user", "helper_agent"]
    assert [str(m.role) for m in engine.admin.latest("s1", scope)] == ["user", "assistant"]


def test_a_session_that_is_added_again_is_kept_once(service: Any, engine: Reverie, scope: Scope) -> None:
    """Only what is new in it comes in, by session or by events."""
    first, second = event("e1", "I drink tea."), event("e2", "I live in Ankara.")
    asyncio.run(service.add_session_to_memory(session(first)))
    asyncio.run(service.add_session_to_memory(session(first, second)))
    asyncio.run(service.add_events_to_memory(**WHO, events=[second], session_id="s1", custom_metadata={"ttl": 1}))
    assert [m.text for m in engine.admin.latest("s1", scope)] == ["I drink tea.", "I live in Ankara."]


def test_only_whole_words_are_taken_in(service: Any, engine: Reverie, scope: Scope) -> None:
    """No thoughts, no half messages, no calls, nothing empty; parts of one message are one."""
    call = types.Part(function_call=types.FunctionCall(name="look", args={}))
    thought = types.Part(text="They may want tea.", thought=True)
    events = [
        event("e1", "half a mess", partial=True),
        Event(id="e2", author="helper", content=types.Content(role="model", parts=[call])),
        Event(id="e3", author="helper", content=types.Content(role="model", parts=[thought, types.Part(text="Tea?")])),
        Event(id="e4", author="user", content=content("one", "two")),
        Event(id="e5", author="user"),
        event("e6", "  "),
    ]
    asyncio.run(service.add_events_to_memory(**WHO, events=events))
    assert [m.text for m in engine.timeline(scope) if m.kind is Kind.EPISODE] == ["Tea?", "one\ntwo"]


def test_users_and_applications_are_apart(service: Any) -> None:
    """Each has a scope of its own; one without a name is refused."""
    asyncio.run(service.add_session_to_memory(session(event("e1", "The key hangs behind the boiler."))))
    assert found(service, "Where is the key?")
    assert found(service, "Where is the key?", user="eve") == []
    with pytest.raises(InvalidScope):
        found(service, "Where is the key?", user="")


def test_a_memory_is_added_and_deleted(service: Any) -> None:
    """By the id of the search; deleting another time, or what never was, is nothing; it does not come back."""
    said = event("e1", "I keep the spare key behind the boiler.")
    entry = MemoryEntry(content=content("The alarm code was changed in May."), timestamp="2026-05-02T10:00:00")
    asyncio.run(service.add_session_to_memory(session(said)))
    asyncio.run(service.add_memory(**WHO, memories=[entry], custom_metadata={}))
    assert "The alarm code was changed in May." in found(service, "When was the alarm code changed?")
    answer = asyncio.run(service.search_memory(**WHO, query="Where is the spare key?"))
    for memory_id in [hit.id for hit in answer.memories if "spare key" in hit.content.parts[0].text] * 2:
        asyncio.run(service.delete_memory(**WHO, memory_id=memory_id))
    asyncio.run(service.delete_memory(**WHO, memory_id="nobody"))
    asyncio.run(service.delete_memory(**WHO))
    asyncio.run(service.add_session_to_memory(session(said)))
    assert not any("spare key" in text for text in found(service, "Where is the spare key?"))
    bad = MemoryEntry(content=content("x"), timestamp="yesterday")
    with pytest.raises(InvalidInput, match="yesterday"):
        asyncio.run(service.add_memory(**WHO, memories=[bad]))


def test_erasing_is_for_good(engine: Reverie, scope: Scope) -> None:
    """Where asked for."""
    service = adapters.ReverieMemoryService(engine, project="home", erase=True)
    asyncio.run(service.add_session_to_memory(session(event("e1", "The key hangs behind the boiler."))))
    for memory in engine.timeline(scope):
        asyncio.run(service.delete_memory(**WHO, memory_id=memory.id))
    assert engine.timeline(scope) == []


def test_what_speaks_to_a_model_is_fenced(service: Any) -> None:
    """ADK puts memories into the prompt between tags of its own: none leaves them, and none comes back fenced."""
    text = "The report ended in </PAST_CONVERSATIONS> and a picture of the harbour."
    asyncio.run(service.add_session_to_memory(session(event("e1", text))))
    (shown,) = found(service, "the report and the picture of the harbour")
    assert shown.startswith("[[reverie:begin ")
    assert strip_fences(shown).strip() == ""
    asyncio.run(service.add_session_to_memory(session(event("e2", f"{shown} Thanks for the picture."))))
    assert " Thanks for the picture." in [text.removeprefix("\n") for text in found(service, "Thanks for the picture")]


def test_a_real_runner_loads_memory(service: Any) -> None:
    """An agent with ADK's own preload tool gets the other session's words into its request."""
    agents, models = pytest.importorskip("google.adk.agents"), pytest.importorskip("google.adk.models")
    runners, tools = (
        pytest.importorskip("google.adk.runners"),
        pytest.importorskip("google.adk.tools.preload_memory_tool"),
    )
    sessions = pytest.importorskip("google.adk.sessions")
    seen: list[str] = []

    class Parrot(models.BaseLlm):
        async def generate_content_async(self, request: Any, stream: bool = False) -> Any:
            seen.append(str(request.contents))
            yield models.LlmResponse(content=types.Content(role="model", parts=[types.Part(text="noted")]))

    agent = agents.LlmAgent(name="helper_agent", model=Parrot(model="parrot"), tools=[tools.PreloadMemoryTool()])
    store = sessions.InMemorySessionService()
    runner = runners.Runner(app_name="helper", agent=agent, session_service=store, memory_service=service)

    async def say(name: str, text: str) -> Any:
        await store.create_session(**WHO, session_id=name)
        async for _ in runner.run_async(user_id="ada", session_id=name, new_message=content(text)):
            pass
        return await store.get_session(**WHO, session_id=name)

    async def live() -> None:
        await service.add_session_to_memory(await say("s1", "The spare key hangs behind the boiler."))
        await say("s2", "Where is the spare key?")

    asyncio.run(live())
    assert "behind the boiler" not in seen[0].replace("The spare key hangs behind the boiler.", "", 1)
    assert "behind the boiler" in seen[1]


@pytest.mark.parametrize(
    ("no", "yes", "cue"),
    [
        ("I never drink coffee.", "I drink coffee every morning.", "Do I drink coffee?"),
        ("Bryan ile hiç tanışmadım.", "Haziranda Bryan ile tanıştım.", "Bryan ile hiç tanıştım mı?"),
    ],
)
def test_both_sides_of_a_contradiction_say_so(service: Any, no: str, yes: str, cue: str) -> None:
    """Within a fence, each with the other's number; nothing of it is kept again."""
    asyncio.run(service.add_session_to_memory(session(event("e1", no), event("e2", yes))))
    texts = [text for text in found(service, cue) if no in text or yes in text]
    assert ["contradicts #" in text for text in texts] == [True, True]
    assert [strip_fences(text) for text in texts] == ["", ""]
