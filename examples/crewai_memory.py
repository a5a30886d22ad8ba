"""CrewAI's memory over Reverie. Every field is given and the recall is shallow, so no model is asked.

pip install "path/to/reverie[crewai]"
python examples/crewai_memory.py
"""

from __future__ import annotations

import os

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")

from crewai.llms.base_llm import BaseLLM
from crewai.memory.unified_memory import Memory

from reverie import Reverie, Scope
from reverie.faces.adapters.crewai import ReverieStorage


class Silent(BaseLLM):
    """In the place of a model."""

    def call(self, *args: object, **more: object) -> str:
        """Never asked."""
        raise RuntimeError("no model is needed here")


def main() -> None:
    """Two notes of a crew, one recalled, one forgotten."""
    with Reverie.open(":memory:") as engine:
        storage = ReverieStorage(engine, Scope(agent="crew", user="ada", project="home"))
        memory = Memory(storage=storage, embedder=storage.embedder, llm=Silent(model="silent"))
        for text, scope in [
            ("Ada's sister Zeynep lives in Izmir.", "/people"),
            ("The printer is out of toner again.", "/office"),
        ]:
            memory.remember(text, scope=scope, categories=["note"], importance=0.5, metadata={"source": "talk"})
        (match,) = memory.recall("Where does the sister live?", depth="shallow", limit=1)
        print(f"recalled: {match.record.content} ({match.record.scope})")
        print(f"forgotten in /office: {memory.forget(scope='/office')}, left: {storage.count()}")


if __name__ == "__main__":
    main()
