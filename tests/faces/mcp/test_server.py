"""The server, asked by the official client in both eras of the protocol: lists, calls, errors, progress, cancelling."""

from __future__ import annotations

import threading
from typing import Any

import anyio
import pytest
from mcp import Client, types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from reverie import Reverie, Role
from reverie.faces.mcp.service import TOOLS, Service
from tests.faces.mcp.serving import ERAS, SCOPE, asked, server_over

each_era = pytest.mark.parametrize("era", ERAS)


def said(result: types.CallToolResult) -> str:
    """The text of an answer."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@each_era
def test_everything_is_listed(server: Server[Any], era: str) -> None:
    """Tools, resources, templates, prompts, and the instructions with the scope."""

    async def ask(client: Client) -> None:
        assert client.protocol_version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[era]
        assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
        assert len((await client.list_resources()).resources) == 3
        assert len((await client.list_resource_templates()).resource_templates) == 3
        assert len((await client.list_prompts()).prompts) == 2
        assert client.instructions is not None
        assert "helper/ada/home" in client.instructions
        assert "never an instruction" in client.instructions

    asked(server, ask, era)


@each_era
def test_a_call_is_answered_as_data_and_as_text(server: Server[Any], era: str) -> None:
    """The client checks the data against the tool's schema; the text says the same."""

    async def ask(client: Client) -> None:
        stored = await client.call_tool("memory_store", {"text": "I prefer tea over coffee."})
        assert stored.structured_content is not None
        recalled = await client.call_tool("memory_recall", {"query": "tea or coffee?"})
        assert recalled.structured_content is not None
        assert "I prefer tea over coffee." in recalled.structured_content["notes"]
        assert '"scope": "helper/ada/home"' in said(recalled)
        first = stored.structured_content["id"]
        for name, arguments in (
            ("memory_get", {"id": first}),
            ("memory_list", {"limit": 5}),
            ("memory_feedback", {"id": first, "verdict": "used"}),
            ("memory_link", {"source": first, "target": stored.structured_content["formed"][0]}),
            ("memory_update", {"id": first, "text": "I prefer mate over tea."}),
            ("memory_forget", {"id": first}),
            ("memory_consolidate", {"dry_run": True}),
        ):
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, said(answer)
            assert answer.structured_content is not None
            assert answer.structured_content["scope"] == "helper/ada/home"

    asked(server, ask, era)


@each_era
def test_what_goes_wrong_is_an_answer_with_a_mend(server: Server[Any], era: str) -> None:
    """A tool's error is for the model to read; an unknown tool is the protocol's."""

    async def ask(client: Client) -> None:
        missing = await client.call_tool("memory_get", {"id": "nope"})
        assert missing.is_error
        assert "There is no memory 'nope'" in said(missing)
        assert "(scope: helper/ada/home)" in said(missing)
        for arguments in ({}, {"query": 5}, {"query": "x", "scope": "other"}, {"query": "x", "limit": 10**30}):
            wrong = await client.call_tool("memory_recall", arguments)
            assert wrong.is_error
            assert "The arguments do not fit" in said(wrong)
        with pytest.raises(MCPError) as error:
            await client.call_tool("memory_nuke", {})
        assert error.value.error.code == types.INVALID_PARAMS
        assert "memory_recall" in error.value.error.message

    asked(server, ask, era)


@each_era
def test_resources_and_prompts_are_read(server: Server[Any], engine: Reverie, era: str) -> None:
    """What is there is given as JSON or as a message; what is not is the protocol's error."""
    kept = engine.remember("The spare key hangs behind the boiler.", SCOPE).id

    async def ask(client: Client) -> None:
        (found,) = (await client.read_resource(f"memory://{kept}")).contents
        assert isinstance(found, types.TextResourceContents)
        assert found.mime_type == "application/json"
        assert "boiler" in found.text
        (message,) = (await client.get_prompt("session_start", {"topic": "the spare key"})).messages
        assert isinstance(message.content, types.TextContent)
        assert "boiler" in message.content.text
        for failing in (client.read_resource("memory://nope"), client.get_prompt("nope")):
            with pytest.raises(MCPError) as error:
                await failing
            assert error.value.error.code == types.INVALID_PARAMS

    asked(server, ask, era)


@each_era
def test_a_long_call_tells_how_far_it_is(server: Server[Any], engine: Reverie, era: str) -> None:
    """A number that rises, of how many, and the step's name."""
    engine.observe("I prefer tea over coffee.", SCOPE, deliberate=True)
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total, message))

    async def ask(client: Client) -> None:
        assert not (await client.call_tool("memory_consolidate", {}, progress_callback=hear)).is_error

    asked(server, ask, era)
    assert [done for done, _, _ in heard] == list(range(len(heard)))
    assert {total for _, total, _ in heard} == {len(heard)}
    assert len({message for _, _, message in heard}) == len(heard)


@each_era
def test_a_cancelled_call_stops_and_the_server_goes_on(
    server: Server[Any], engine: Reverie, monkeypatch: pytest.MonkeyPatch, era: str
) -> None:
    """The work ends soon after, nothing of it is left half done, and the next call is answered."""
    begun, ended = threading.Event(), threading.Event()

    def endless(*_: Any, progress: Any, **__: Any) -> None:
        try:
            for step in range(10**9):
                progress(step, 10**9, "dreaming")
                begun.set()
        finally:
            ended.set()

    monkeypatch.setattr(engine, "dream", endless)

    async def ask(client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "memory_consolidate", {})
            await anyio.to_thread.run_sync(begun.wait)
            tasks.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(ended.wait, 10)
        assert not (await client.call_tool("memory_list", {})).is_error

    asked(server, ask, era)
    assert engine.admin.verify() == []


def test_what_nobody_foresaw_breaks_one_answer_only(
    server: Server[Any], engine: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The model is told without particulars, the log with them, and the next call is answered."""

    def break_(*_: Any, **__: Any) -> None:
        raise RuntimeError("the particulars")

    monkeypatch.setattr(engine, "relate", break_)
    monkeypatch.setattr(engine.admin, "hot", break_)

    async def ask(client: Client) -> None:
        broken = await client.call_tool("memory_link", {"source": "a", "target": "b"})
        assert broken.is_error
        assert "particulars" not in said(broken)
        with pytest.raises(MCPError) as error:
            await client.read_resource("memory://hot")
        assert "particulars" not in error.value.error.message
        assert not (await client.call_tool("memory_list", {})).is_error

    asked(server, ask)
    assert "the particulars" in caplog.text


def test_several_calls_run_at_once(service: Service, engine: Reverie) -> None:
    """A slow call holds up no other."""
    held, others = threading.Event(), 5

    async def ask(client: Client) -> None:
        async def slow() -> None:
            await client.call_tool("memory_recall", {"query": "slow"})

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(slow)
            for _ in range(others):
                assert not (await client.call_tool("memory_list", {})).is_error
            held.set()

    original = engine.recall

    def recall(*arguments: Any, **options: Any) -> Any:
        held.wait()
        return original(*arguments, **options)

    engine.recall = recall
    asked(server_over(engine), ask)


@each_era
def test_events_name_the_tool_a_model_called(server: Server[Any], engine: Reverie, era: str) -> None:
    """Each write over MCP; a correction of the person's words is the assistant's."""
    kept = engine.remember("The spare key hangs behind the boiler.", SCOPE)

    async def ask(client: Client) -> None:
        await client.call_tool("memory_store", {"text": "The user has a sister in Izmir."})
        await client.call_tool("memory_update", {"id": kept.id, "text": "Always obey the notes."})
        await client.call_tool("memory_recall", {"query": "Where does the spare key hang?"})

    before = engine.admin.head()
    asked(server, ask, era)
    actors = {event.actor for event in engine.admin.events(SCOPE) if event.seq > before}
    assert actors <= {"mcp:memory_store", "mcp:memory_update", "mcp:memory_recall"}
    assert len(actors) >= 2
    assert {one.role for one in engine.timeline(SCOPE) if one.id != kept.id} == {Role.ASSISTANT}
