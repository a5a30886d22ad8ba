"""Who calls the engine: in, what a face knows of its caller; out, the actor of every event, and whose words a text is.

A face says who calls around each call it makes for somebody:

    with calling(Caller("token laptop")):
        engine.remember("The spare key hangs behind the boiler.", scope)

Where nobody says, a program holds the engine itself, and the agent of the scope is the actor. A caller that is a
model's tool is never the person: what it keeps is the assistant's, with the tool as its speaker, whatever it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from reverie.types import Memory, Message, Role, Scope


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for something to be written.

    Attributes:
        name: as the events name it: what was authenticated, never what a request says of itself.
        tool: the tool through which a model writes; empty for a person, a host's hook or a program.
    """

    name: str
    tool: str = ""


_CALLER: ContextVar[Caller | None] = ContextVar("reverie_caller", default=None)


@contextmanager
def calling(caller: Caller | None) -> Iterator[None]:
    """Within the block this caller is who writes; None: the scope's agent."""
    token = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(token)


def actor(scope: Scope) -> str:
    """Who an event is written for."""
    caller = _CALLER.get()
    return scope.agent if caller is None else caller.name


def by_tool() -> str:
    """The name of the tool that writes; empty where no tool does."""
    caller = _CALLER.get()
    return "" if caller is None else caller.tool


def attributed(message: Message) -> Message:
    """The message with who really said it: of a tool, the assistant."""
    tool = by_tool()
    return replace(message, speaker=tool, role=Role.ASSISTANT) if tool else message


def written_by(memory: Memory) -> Memory:
    """A memory that a call made of its own words, a note or a correction: of a tool, the assistant's."""
    tool = by_tool()
    if not tool:
        return memory
    standing = replace(memory.standing, data_source="assistant_message")
    return replace(memory, speaker=tool, role=Role.ASSISTANT, standing=standing)
