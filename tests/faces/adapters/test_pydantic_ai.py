"""Pydantic AI's real agent over a played model: what the model is told, and what is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reverie import Reverie, Scope
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("pydantic_ai", "pydantic-ai", "pydantic_ai")

from pydantic_ai import Agent  # noqa: E402 - only where it is installed
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart  # noqa: E402 - only where it is installed
from pydantic_ai.models.function import FunctionModel  # noqa: E402 - only where it is installed

pytestmark = pytest.mark.filterwarnings(THEIRS)

FACT = "My sister Elif moved to Ankara in May."
QUESTION = "Where does my sister Elif live now?"
ANSWER = "She lives there now."


class Played:
    """A model that answers the same each time, after a call of a tool if it is to make one."""

    def __init__(self, *, call: bool = False) -> None:
        self.asked: list[list[Any]] = []
        self.call = call

    def __call__(self, messages: list[Any], info: Any) -> Any:
        self.asked.append(list(messages))
        if self.call and len(self.asked) == 1:
            return ModelResponse(parts=[TextPart("Let me look."), ToolCallPart("look", {})])
        return ModelResponse(parts=[TextPart(ANSWER)])


def agent(played: Played, engine: Reverie, scope: Any) -> Any:
    """An agent with a memory and a tool."""
    made = Agent(FunctionModel(played), capabilities=[adapters.ReverieMemory(engine, scope)])
    made.tool_plain(lambda: "sunny", name="look")
    return made


def prompt(messages: list[Any]) -> str:
    """All that the user's part of the messages says."""
    parts = [part for message in messages for part in message.parts if part.part_kind == "user-prompt"]
    return "\n".join(str(part.content) for part in parts)


def kept(engine: Reverie, scope: Scope) -> list[tuple[str, str]]:
    """What is kept word for word."""
    return sorted((str(one.role), one.text) for one in engine.timeline(scope) if str(one.kind) == "episode")


def test_what_was_said_in_one_run_is_told_in_another(engine: Reverie, scope: Scope) -> None:
    """Fenced, once, also when a tool is called; only what was said is kept."""
    asyncio.run(agent(Played(), engine, scope).run(FACT))
    played = Played(call=True)
    result = asyncio.run(agent(played, engine, scope).run(QUESTION))
    assert result.output == ANSWER
    assert len(played.asked) == 2
    assert prompt(played.asked[1]).count(FACT) == 1
    assert "[[reverie:begin" in prompt(played.asked[0])
    assert played.asked[1][: len(played.asked[0])] == played.asked[0]
    assert kept(engine, scope) == sorted(
        [("user", FACT), ("assistant", ANSWER), ("user", QUESTION), ("assistant", ANSWER)]
    )


def test_a_conversation_begins_with_the_same_messages(engine: Reverie, scope: Scope) -> None:
    """With the history of the run before, so that a prompt cache holds; nothing is told twice."""
    engine.remember(FACT, scope)
    played = Played()
    made = agent(played, engine, scope)
    first = asyncio.run(made.run(QUESTION))
    asyncio.run(made.run("And when did Elif move?", message_history=first.all_messages()))
    before, after = played.asked
    assert prompt(before).count(FACT) == 1
    assert after[: len(before)] == before
    assert prompt(after).count(FACT) == 1


def test_the_scope_may_depend_on_the_run(engine: Reverie, scope: Scope) -> None:
    """Nothing of one user reaches another."""
    engine.remember(FACT, scope)
    played = Played()
    made = agent(played, engine, lambda run: Scope("helper", run.deps, "home"))
    asyncio.run(made.run(QUESTION, deps="bob"))
    assert FACT not in prompt(played.asked[0])
    asyncio.run(made.run(QUESTION, deps="ada"))
    assert FACT in prompt(played.asked[1])
