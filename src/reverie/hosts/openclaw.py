"""OpenClaw: the MCP server among its servers. It works for its owner, not for a folder, so its project has one name."""

from __future__ import annotations

from pathlib import Path

from reverie.hosts.host import Host, HostFile, Surroundings, Where
from reverie.hosts.json_tree import Dialect
from reverie.hosts.pieces import NAME, JsonEntry

PROJECT = "openclaw"


def _files(around: Surroundings, _where: Where) -> tuple[HostFile, ...]:
    named = around.environment.get("OPENCLAW_CONFIG_PATH", "")
    path = Path(named) if named else around.at("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json"
    server = around.server("--project", PROJECT)
    return (HostFile(path, (JsonEntry(("mcp", "servers", NAME), server, Dialect.FIVE),)),)


HOST = Host(
    name="openclaw",
    title="OpenClaw",
    files=_files,
    wheres=(Where.USER,),
    after=(
        "restart the gateway, then `openclaw mcp probe reverie` lists the tools",
        f"see it work: `reverie recall --project {PROJECT}` finds what it was told to remember",
    ),
)
