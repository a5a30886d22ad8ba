"""The prompts: what a person hands to a model at a session's start and end, with what is remembered, fenced."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mcp import types

from reverie.errors import NotFound
from reverie.faces.mcp import values
from reverie.faces.mcp.service import Service

_DATA = Path(__file__).with_name("data")
START = "session_start"
REFLECTION = "session_reflection"
PROMPTS = (
    types.Prompt(
        name=START,
        description="Begin with what is remembered.",
        arguments=[types.PromptArgument(name="topic", description="What the session is about.", required=False)],
    ),
    types.Prompt(name=REFLECTION, description="Look back and keep what will matter later."),
)


@cache
def text(name: str) -> str:
    """A text for a model, from ``data/NAME.txt``; lines that begin with "# " are its header."""
    lines = (_DATA / f"{name}.txt").read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("# ")).strip()


def rendered(service: Service, name: str, arguments: dict[str, str]) -> types.GetPromptResult:
    """The messages of a prompt. Raises NotFound for one that is not there."""
    if name == START:
        return _result(name, service, service.beginning(arguments.get("topic", "")).notes)
    if name == REFLECTION:
        return _result(name, service, service.list(values.Listing(limit=100, session=service.session)).notes)
    known = ", ".join(prompt.name for prompt in PROMPTS)
    raise NotFound(f"There is no prompt {name[:100]!r}.", f"There are {known}.")


def _result(name: str, service: Service, notes: str) -> types.GetPromptResult:
    filled = text(name).replace("{scope}", service.scope).replace("{notes}", notes or "(nothing yet)")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=filled))
    return types.GetPromptResult(messages=[message])
