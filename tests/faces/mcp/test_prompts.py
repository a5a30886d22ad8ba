"""The prompts bring what is remembered to a session's start, and what was noted to its end."""

from __future__ import annotations

import pytest
from mcp import types

from reverie import Reverie
from reverie.errors import NotFound
from reverie.faces.mcp import values
from reverie.faces.mcp.server import PROMPTS, REFLECTION, START, rendered, text
from reverie.faces.mcp.service import Service
from reverie.screen.fences import strip_fences
from tests.faces.mcp.serving import SCOPE


def said(service: Service, name: str, **arguments: str) -> str:
    """The one message of a prompt."""
    (message,) = rendered(service, name, arguments).messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text


def test_a_session_starts_with_what_bears_on_its_topic(service: Service, engine: Reverie) -> None:
    """Fenced; the instructions around it hold no word of it."""
    assert "(nothing yet)" in said(service, START)
    engine.observe("I prefer tea over coffee.", SCOPE, deliberate=True)
    told = said(service, START, topic="tea or coffee?")
    ids = [line.split()[1] for line in told.splitlines() if line.startswith("- ")]
    assert len(ids) == len(set(ids)) > 0
    assert "I prefer tea over coffee." in told
    assert "coffee" not in strip_fences(told)
    assert "helper/ada/home" in told
    assert "coffee" in said(service, START, topic="  ")


def test_a_session_ends_with_a_look_at_what_was_noted(service: Service, engine: Reverie) -> None:
    """What was stored over this server today, so that it is not stored twice; other sessions' is not."""
    engine.remember("Said elsewhere.", SCOPE)
    assert "(nothing yet)" in said(service, REFLECTION)
    service.store(values.Store(text="We decided to ship on Friday."))
    told = said(service, REFLECTION)
    assert "ship on Friday" in told
    assert "elsewhere" not in told
    assert "ship on Friday" not in strip_fences(told)


def test_the_tools_a_prompt_names_exist() -> None:
    """A model is not sent for what is not there."""
    from reverie.faces.mcp.service import TOOLS

    words = " ".join(text(prompt.name) for prompt in PROMPTS).replace(".", " ").replace(",", " ").replace(";", " ")
    named = {word for word in words.split() if word.startswith("memory_")}
    assert named
    assert named <= set(TOOLS)


def test_an_unknown_prompt_says_which_there_are(service: Service) -> None:
    """By name."""
    with pytest.raises(NotFound) as error:
        rendered(service, "nope", {})
    assert START in error.value.mend
