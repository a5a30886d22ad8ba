"""A Google ADK agent that remembers an earlier session. The model is played by a class: nothing leaves this machine.

pip install "path/to/reverie[adk]"
python examples/adk_memory.py
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from reverie import Reverie
from reverie.faces.adapters.adk import ReverieMemoryService

WHO = {"app_name": "helper", "user_id": "ada"}


class Played(BaseLlm):
    """A model that says whether Izmir stands in what it was handed."""

    async def generate_content_async(self, request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        """One answer."""
        knows = "Izmir" in str(request.contents)
        text = "She lives in Izmir." if knows else "I do not know yet."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def talk(runner: Runner, sessions: InMemorySessionService, name: str, said: str) -> None:
    """One session with one message, taken into memory when it ends."""
    await sessions.create_session(**WHO, session_id=name)
    message = types.Content(role="user", parts=[types.Part(text=said)])
    async for event in runner.run_async(user_id="ada", session_id=name, new_message=message):
        print(f"{said} -> {event.content.parts[0].text}")
    session = await sessions.get_session(**WHO, session_id=name)
    await runner.memory_service.add_session_to_memory(session)


async def main() -> None:
    """Three sessions: the last knows what was said in the second."""
    with Reverie.open(":memory:") as engine:
        agent = LlmAgent(name="helper_agent", model=Played(model="played"), tools=[PreloadMemoryTool()])
        sessions = InMemorySessionService()
        memory = ReverieMemoryService(engine, project="home")
        runner = Runner(app_name="helper", agent=agent, session_service=sessions, memory_service=memory)
        await talk(runner, sessions, "one", "Where does my sister live?")
        await talk(runner, sessions, "two", "My sister Zeynep moved to Izmir.")
        await talk(runner, sessions, "three", "Where does my sister live now?")


if __name__ == "__main__":
    asyncio.run(main())
