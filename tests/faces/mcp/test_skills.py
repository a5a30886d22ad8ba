"""The tools of skill memory: offered only where a setting says so, and what they return."""

from __future__ import annotations

import pytest
from mcp import Client

from reverie import Reverie
from reverie.errors import InvalidInput
from reverie.faces.mcp import values
from reverie.faces.mcp.server import build_server
from reverie.faces.mcp.service import SKILL_TOOLS, TOOLS, Service
from tests.faces.mcp.serving import asked, service_over

pytestmark = pytest.mark.req("D54")


@pytest.fixture
def skilled(engine: Reverie) -> Service:
    """A service that offers them."""
    return service_over(engine, skills=True)


def test_they_are_listed_where_switched_on(service: Service, skilled: Service) -> None:
    """And unknown elsewhere."""
    assert list(service.tools) == list(TOOLS)
    assert list(skilled.tools) == [*TOOLS, *SKILL_TOOLS]

    async def listed(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert asked(build_server(skilled), listed) == [*TOOLS, *SKILL_TOOLS]
    assert asked(build_server(service), listed) == list(TOOLS)


def test_a_run_is_recorded_and_asked_for(skilled: Service) -> None:
    """Through a client: names come back fenced, with n and the lower bound."""

    async def ask(client: Client) -> None:
        given = {"skill": "deploy", "outcome": "succeeded", "context": "staging", "steps": ["build"], "id": "1"}
        kept = await client.call_tool("memory_run", given)
        assert kept.structured_content is not None
        assert kept.structured_content["new"] is True
        told = await client.call_tool("memory_skills", {})
        assert told.structured_content is not None
        assert "deploy in staging: 1 of 1 worked, at least 22%" in told.structured_content["notes"]
        worked = await client.call_tool("memory_skills", {"worked": "what worked when I deployed?"})
        assert worked.structured_content is not None
        assert "deploy in staging: build" in worked.structured_content["notes"]
        refused = await client.call_tool("memory_run", {"skill": "", "outcome": "failed"})
        assert refused.is_error

    asked(build_server(skilled), ask)
    [event] = [one for one in skilled.means.engine.admin.events(skilled.means.scope) if one.action == "remember"]
    assert event.actor == "mcp:memory_run"


def test_odd_names_are_errors(skilled: Service) -> None:
    """Nothing is stored of them."""
    with pytest.raises(InvalidInput):
        skilled.run(values.Run(skill="a\0b", outcome="failed"))
    assert skilled.skills(values.Skills()).notes == ""
