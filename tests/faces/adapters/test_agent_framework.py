"""Microsoft's Agent Framework with its real agent over a played model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from reverie import Reverie, Scope
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("agent_framework", "agent-framework", "agent_framework")

from agent_framework import (  # noqa: E402 - only where it is installed
    Agent,
    BaseChatClient,
    ChatResponse,
    Message,
)

pytestmark = pytest.mark.filterwarnings(THEIRS)

FACT = "My sister Elif moved to Ankara in May."
QUESTION = "Where does my sister Elif live now?"
ANSWER = "She lives there now."


class Played(BaseChatClient):  # type: ignore[misc]  # the package is skipped by our type check
    """A model that answers the same each time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[Any]] = []

    def _inner_get_response(
        self, *, messages: Sequence[Any], stream: bool, options: Mapping[str, Any], **more: Any
    ) -> Any:
        self.asked.append(list(messages))

        async def answer() -> Any:
            return ChatResponse(messages=[Message("assistant", [ANSWER])])

        return answer()


def agent(played: Played, engine: Reverie, scope: Any) -> Any:
    """An agent with a memory."""
    return Agent(client=played, context_providers=[adapters.ReverieProvider(engine, scope)])


def told(played: Played) -> str:
    """All that the model was sent last."""
    return "\n".join(message.text for message in played.asked[-1])


def kept(engine: Reverie, scope: Scope) -> list[tuple[str, str]]:
    """What is kept word for word."""
    return sorted((str(one.role), one.text) for one in engine.timeline(scope) if str(one.kind) == "episode")


def test_what_was_said_in_one_session_is_told_in_another(engine: Reverie, scope: Scope) -> None:
    """Fenced; only what was said is kept, also when the same is said again."""
    played = Played()

    async def talk() -> None:
        made = agent(played, engine, scope)
        assert (await made.run(FACT, session=made.create_session())).text == ANSWER
        session = made.create_session()
        await made.run(QUESTION, session=session)
        assert told(played).count(FACT) == 1
        assert "[[reverie:begin" in told(played)
        await made.run("Thanks.", session=session)
        await made.run("Thanks.", session=session)

    asyncio.run(talk())
    said = [FACT, QUESTION, "Thanks.", "Thanks."]
    assert kept(engine, scope) == sorted([("assistant", ANSWER)] * 4 + [("user", text) for text in said])


def test_the_scope_may_depend_on_the_session(engine: Reverie, scope: Scope) -> None:
    """Nothing of one user reaches another."""
    engine.remember(FACT, scope)
    played = Played()

    async def talk(user: str) -> None:
        made = agent(played, engine, lambda session: Scope("helper", session.state["user"], "home"))
        session = made.create_session()
        session.state["user"] = user
        await made.run(QUESTION, session=session)

    asyncio.run(talk("bob"))
    assert FACT not in told(played)
    asyncio.run(talk("ada"))
    assert FACT in told(played)
