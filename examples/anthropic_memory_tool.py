"""Anthropic's memory tool over Reverie, run by Anthropic's own client against a model played by a function.

    pip install "path/to/reverie[anthropic]"
    python examples/anthropic_memory_tool.py

With a key of your own, leave ``http_client`` out and the same loop talks to the real model.
"""

from __future__ import annotations

import json
from itertools import count

import httpx2
from anthropic import Anthropic

from reverie import Reverie, Scope
from reverie.faces.adapters.anthropic import ReverieMemoryTool

STEPS = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/people.md", "file_text": "Ada's sister Zeynep lives in Izmir.\n"},
    {"command": "insert", "path": "/memories/people.md", "insert_line": 1, "insert_text": "They talk on Sundays."},
    {"command": "view", "path": "/memories/people.md"},
]
TURNS = count()


def played(request: httpx2.Request) -> httpx2.Response:
    """The model: one step of its plan for each result it has been given, then a word."""
    asked = json.loads(request.content)
    step = next(TURNS)
    if step:
        print(asked["messages"][-1]["content"][0]["content"], end="\n\n")
    if step < len(STEPS):
        content = [{"type": "tool_use", "id": f"call-{step}", "name": "memory", "input": STEPS[step]}]
    else:
        content = [{"type": "text", "text": "I made a note of it."}]
    answer = {"id": f"m-{step}", "type": "message", "role": "assistant", "model": "played", "content": content}
    reason = "tool_use" if step < len(STEPS) else "end_turn"
    return httpx2.Response(200, json=answer | {"stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 1}})


def main() -> None:
    """The model writes its notes; the program finds them again by what they say."""
    client = Anthropic(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(played)))
    with Reverie.open(":memory:") as engine:
        tool = ReverieMemoryTool(engine, Scope(agent="helper", user="ada", project="home"))
        said = {"role": "user", "content": "My sister Zeynep lives in Izmir."}
        last = client.beta.messages.tool_runner(
            model="played", max_tokens=100, messages=[said], tools=[tool]
        ).until_done()
        print(last.content[0].text)
        hit = engine.recall("Where does the sister live?", tool.files.scope).hits[0]
        print(f"found again in {hit.memory.session}")


if __name__ == "__main__":
    main()
