"""An agent of Microsoft's Agent Framework that remembers an earlier session. The model is played by a class.

pip install "path/to/reverie[agent-framework]"
python examples/agent_framework_memory.py
"""

from __future__ import annotations

import asyncio
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from reverie import Reverie, Scope
from reverie.faces.adapters.agent_framework import ReverieProvider


class Played(BaseChatClient):
    """A model that says what it was told beside the question."""

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        lines = [line for message in messages[:-1] for line in message.text.splitlines() if "Zeynep" in line]

        async def answer() -> ChatResponse:
            return ChatResponse(
                messages=[Message("assistant", [f"I was told: {lines[0].partition(': ')[2]}" if lines else "Noted."])]
            )

        return answer()


async def main() -> None:
    """Two sessions; the second is told what was said in the first."""
    scope = Scope(agent="helper", user="ada", project="home")
    with Reverie.open(":memory:") as engine:
        agent = Agent(client=Played(), context_providers=[ReverieProvider(engine, scope)])
        for said in ("My sister Zeynep lives in Izmir.", "Where does my sister live?"):
            print((await agent.run(said, session=agent.create_session())).text)


if __name__ == "__main__":
    asyncio.run(main())
