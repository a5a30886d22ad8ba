"""A Pydantic AI agent that remembers an earlier run. The model is played by a function: nothing leaves this machine.

pip install "path/to/reverie[pydantic-ai]"
python examples/pydantic_ai_memory.py
"""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from reverie import Reverie, Scope
from reverie.faces.adapters.pydantic_ai import ReverieMemory


def played(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model that says what it was told beside the question."""
    parts = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    told = [line for part in parts[1:] for line in str(part.content).splitlines() if "Zeynep" in line]
    return ModelResponse(parts=[TextPart(f"I was told: {told[0].partition(': ')[2]}" if told else "Noted.")])


async def main() -> None:
    """Two runs; the second is told what was said in the first."""
    scope = Scope(agent="helper", user="ada", project="home")
    with Reverie.open(":memory:") as engine:
        agent = Agent(FunctionModel(played), capabilities=[ReverieMemory(engine, scope)])
        for said in ("My sister Zeynep lives in Izmir.", "Where does my sister live?"):
            print((await agent.run(said)).output)


if __name__ == "__main__":
    asyncio.run(main())
