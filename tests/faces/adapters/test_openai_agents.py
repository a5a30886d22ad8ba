from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reverie import Message, Reverie, Role, Scope
from reverie.errors import InvalidInput
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("openai_agents", "openai-agents", "agents.memory")

from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, Usage, function_tool  # noqa: E402 - where it is
from agents.memory import Session, SessionSettings  # noqa: E402 - only where it is installed
from openai.types.responses import (  # noqa: E402 - only where it is installed
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

pytestmark = pytest.mark.filterwarnings(THEIRS)

ITEMS: list[Any] = [
    {"content": "Where is the spare key?", "role": "user"},
    {"role": "assistant", "content": "Behind the boiler."},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"where": "boiler"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "üç anahtar \ud83d\x00"},
    {"role": "user", "content": [{"type": "input_text", "text": "And the other one?"}]},
    {"role": "developer", "content": "Be brief."},
    {"id": "msg_1", "role": "assistant", "type": "message", "status": "completed", "content": []},
    {"role": "user", "content": ""},
]


@pytest.fixture
def session(engine: Reverie, scope: Scope) -> Any:
    """A session on each kind of engine."""
    return adapters.ReverieSession("talk", engine, scope)


def test_it_is_a_session_of_the_sdk(session: Any) -> None:
    """By the SDK's own protocol."""
    assert isinstance(session, Session)
    assert session.session_id == "talk"


def test_items_come_back_in_order_as_they_were(session: Any) -> None:
    """Words, calls, results, lists of parts; the limit takes the last ones."""

    async def live() -> None:
        await session.add_items(ITEMS[:3])
        await session.add_items(ITEMS[3:])
        await session.add_items([])
        assert await session.get_items() == ITEMS
        assert await session.get_items(limit=3) == ITEMS[-3:]
        assert await session.get_items(limit=0) == []
        assert await session.get_items(limit=99) == ITEMS

    asyncio.run(live())


def test_it_lives_as_the_sdks_own_session_does(session: Any) -> None:
    """The same calls on both give the same answers."""
    theirs = SQLiteSession("talk")

    async def live(one: Any) -> list[Any]:
        told = [await one.pop_item(), await one.get_items()]
        await one.add_items(ITEMS[:4])
        told += [await one.pop_item(), await one.pop_item(), await one.get_items(1)]
        await one.add_items(ITEMS[4:6])
        told += [await one.get_items(), await one.get_items(2)]
        await one.clear_session()
        told += [await one.get_items(), await one.pop_item()]
        await one.add_items(ITEMS[:1])
        return [*told, await one.get_items()]

    assert asyncio.run(live(session)) == asyncio.run(live(theirs))


def test_settings_may_limit_what_is_handed_over(engine: Reverie, scope: Scope) -> None:
    """A limit that is asked for goes before the settings' own."""
    session = adapters.ReverieSession("talk", engine, scope, session_settings=SessionSettings(limit=2))

    async def live() -> None:
        await session.add_items(ITEMS)
        assert await session.get_items() == ITEMS[-2:]
        assert await session.get_items(limit=1) == ITEMS[-1:]

    asyncio.run(live())


def test_sessions_and_scopes_are_apart(engine: Reverie, scope: Scope) -> None:
    """Another session or another person's scope has items of its own."""
    one = adapters.ReverieSession("one", engine, scope)
    others = [
        adapters.ReverieSession("two", engine, scope),
        adapters.ReverieSession("one", engine, Scope("a", "b", "c")),
    ]

    async def live() -> None:
        await one.add_items(ITEMS[:2])
        assert [await other.get_items() for other in others] == [[], []]
        await others[0].clear_session()
        assert await one.get_items() == ITEMS[:2]

    asyncio.run(live())


def test_what_was_said_is_memory(engine: Reverie, scope: Scope) -> None:
    """The words are recalled in the scope; what was taken back is not; with ``observe`` memories are formed of them."""
    session = adapters.ReverieSession("talk", engine, scope, observe=True)

    async def live() -> None:
        await session.add_items([{"role": "user", "content": "I prefer green tea."}, ITEMS[2]])
        await session.add_items([{"role": "user", "content": "The boiler is broken."}])
        await session.pop_item()

    asyncio.run(live())
    assert engine.recall("green tea", scope).hits[0].memory.text == "I prefer green tea."
    assert "The boiler is broken." not in [hit.memory.text for hit in engine.recall("boiler", scope).hits]
    assert engine.admin.formed(scope)


def test_what_others_said_in_the_session_belongs_to_it(engine: Reverie, scope: Scope, session: Any) -> None:
    """A conversation captured by another face goes on here."""
    engine.remember(Message("Hello.", speaker="Ada", session="talk"), scope)
    engine.remember(Message("Good morning.", role=Role.ASSISTANT, speaker="helper", session="talk"), scope)
    told = [{"content": "Hello.", "role": "user"}, {"content": "Good morning.", "role": "assistant"}]
    assert asyncio.run(session.get_items()) == told


def test_erasing_is_for_good(engine: Reverie, scope: Scope) -> None:
    """Where asked for, nothing stays of what was taken back."""
    session = adapters.ReverieSession("talk", engine, scope, erase=True)

    async def live() -> None:
        await session.add_items(ITEMS)
        await session.pop_item()
        await session.clear_session()

    asyncio.run(live())
    assert engine.timeline(scope) == []


def test_secrets_are_masked_and_what_is_no_item_is_refused(engine: Reverie, scope: Scope, session: Any) -> None:
    """An item stays an item, or is not kept."""
    secret = "my password is hunter2xyz"

    async def live() -> None:
        call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": secret}
        await session.add_items([{"role": "user", "content": secret}, call])
        said, called = await session.get_items()
        assert "hunter2xyz" not in said["content"] + called["arguments"]
        assert called.keys() == call.keys()
        with pytest.raises(InvalidInput, match="number"):
            await session.add_items([{"type": "function_call_output", "pin": 1234}])
        for bad in ("words", {"role": object()}):
            with pytest.raises(InvalidInput):
                await session.add_items([ITEMS[0], bad])
        assert len(await session.get_items()) == 2

    asyncio.run(live())


class Parrot(Model):
    """Calls a tool once, then says how many items it was handed."""

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **more: Any) -> ModelResponse:
        if not any(isinstance(item, dict) and item.get("type") == "function_call" for item in input):
            output: Any = ResponseFunctionToolCall(arguments="{}", call_id="c1", name="look", type="function_call")
        else:
            text = ResponseOutputText(annotations=[], text=f"{len(input)} items", type="output_text")
            output = ResponseOutputMessage(
                id="m1", content=[text], role="assistant", status="completed", type="message"
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> Any:
        raise NotImplementedError


def test_a_real_run_remembers_the_run_before(session: Any) -> None:
    """Question, call, result and answer of the first run are before the model in the second."""

    @function_tool
    def look() -> str:
        """Look."""
        return "a key"

    agent = Agent(name="helper", model=Parrot(), tools=[look])

    async def live() -> list[str]:
        return [(await Runner.run(agent, text, session=session)).final_output for text in ("Look there.", "Again.")]

    assert asyncio.run(live()) == ["3 items", "5 items"]
