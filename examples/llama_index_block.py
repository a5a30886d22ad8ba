"""LlamaIndex's memory with a long-term block kept by Reverie. No model is asked.

pip install "path/to/reverie[llama-index]"
python examples/llama_index_block.py
"""

from __future__ import annotations

import asyncio

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from reverie import Reverie, Scope
from reverie.faces.adapters.llama_index import ReverieMemoryBlock

SAID = [
    "My sister Zeynep lives in Izmir.",
    "The printer is out of toner again.",
    "I will paint the garden fence on Sunday.",
    "Where does my sister live?",
]


async def main() -> None:
    """Short-term memory holds little; what it lets go of comes back where it answers."""
    with Reverie.open(":memory:") as engine:
        block = ReverieMemoryBlock(engine=engine, scope=Scope(agent="helper", user="ada", project="home"))
        memory = Memory.from_defaults(
            session_id="talk", token_limit=60, chat_history_token_ratio=0.5, token_flush_size=10, memory_blocks=[block]
        )
        for text in SAID:
            await memory.aput(ChatMessage(role="user", content=text))
        for message in await memory.aget():
            print(f"{message.role.value}: {message.content}")


if __name__ == "__main__":
    asyncio.run(main())
