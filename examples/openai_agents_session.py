"""An agent of the OpenAI Agents SDK whose conversation Reverie keeps. The model is played by a class.

pip install "path/to/reverie[openai-agents]"
python examples/openai_agents_session.py
"""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from reverie import Reverie, Scope
from reverie.faces.adapters.openai_agents import ReverieSession


class Played(Model):
    """A model that tells how much of the conversation it was handed."""

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **more: Any) -> ModelResponse:
        """One answer."""
        first = input[0]["content"]
        said = ResponseOutputText(type="output_text", annotations=[], text=f"{len(input)} so far; first: {first}")
        message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[said])
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> Any:
        """Not played."""
        raise NotImplementedError


async def main() -> None:
    """Two runs in one session; afterwards the words are memory like all others."""
    set_tracing_disabled(True)
    agent = Agent(name="helper", model=Played())
    scope = Scope(agent="helper", user="ada", project="home")
    with Reverie.open(":memory:") as engine:
        session = ReverieSession("talk", engine, scope)
        for said in ("My sister Zeynep lives in Izmir.", "What did I say first?"):
            print((await Runner.run(agent, said, session=session)).final_output)
        print(f"recalled: {engine.recall('Where does my sister live?', scope).hits[0].memory.text}")


if __name__ == "__main__":
    asyncio.run(main())
