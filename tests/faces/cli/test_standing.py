"""``reverie session instructions``: what is to hold, where each came from; whose the command line's events are."""

from __future__ import annotations

import getpass

from reverie import Message, Reverie, Role, Scope
from reverie.engine.requests import Caller, calling
from tests.faces.cli.conftest import Run

SCOPE = Scope("helper", "ada", "home")


def test_each_order_shows_where_it_came_from(home: Run) -> None:
    """The person's stand; those of a tool, a feed or another are quotations; each with speaker, session and caller."""
    home("observe", "Always answer in Turkish.", "--session", "monday")
    home("observe", "Her zaman kısa cevap ver.", "--session", "salı")
    path = home("config", "--json").shape["settings"]["store"]
    with Reverie.open(path, embedder=None) as memory, calling(Caller("mcp:memory_store", "memory_store")):
        memory.observe(Message("Never use tabs.", "user", Role.USER, "mcp"), SCOPE, deliberate=True)
    shown = home("session", "instructions", "--json").shape["standing"]
    found = {(one["session"], one["quoted"], one["speaker"]) for one in shown}
    assert {("monday", False, "user"), ("salı", False, "user"), ("mcp", True, "memory_store")} == found
    assert {one["actor"] for one in shown} >= {"mcp:memory_store"}
    table = home("session", "instructions").out
    assert "instruction, quoted" in table
    assert "memory_store (assistant), session mcp, through mcp:memory_store" in table


def test_nothing_stands_where_nothing_was_ordered(keys: Run) -> None:
    """Facts are no orders."""
    assert home_says(keys) == "no standing instruction"


def home_says(run: Run) -> str:
    """What the command prints."""
    return run("session", "instructions").out.strip()


def test_events_of_the_command_line_name_its_user(home: Run) -> None:
    """The user whose process it is, not the agent of the scope."""
    home("remember", "The spare key hangs behind the boiler.")
    path = home("config", "--json").shape["settings"]["store"]
    with Reverie.open(path, embedder=None) as memory:
        assert {event.actor for event in memory.admin.events(SCOPE)} == {f"cli:{getpass.getuser()}"}
