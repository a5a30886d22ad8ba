"""The MCP server, seen with the host itself: each starts it and hears from it."""

from __future__ import annotations

from tests.hosts.real.model import Model
from tests.hosts.real.programs import Desk, Program
from tests.hosts.real.test_journey import QUESTION, asked


def test_the_host_reaches_the_server(program: Program, desk: Desk, model: Model) -> None:
    """After install the host has the server among its own, and has heard from it where it says so."""
    desk.reverie("install", program.name, "--yes")
    if program.name == "gemini":  # what the server says of itself stands in the model's request
        assert "tool server 'reverie'" in asked(program, desk, model, QUESTION)
        return
    listed = program.run(desk, "mcp", "list")
    line = next(line for line in listed.splitlines() if line.startswith("reverie"))
    assert ("Connected" if program.name == "claude-code" else "enabled") in line
