"""Install into OpenClaw without the plugin: the MCP server among its servers, with one fixed project name."""

from __future__ import annotations

from reverie.hosts.host import NAME, Host, HostEnvironment, HostFile, JsonEntry, Where
from reverie.hosts.json_edit import JsonDialect
from reverie.hosts.openclaw import PROJECT, settings_path


def _files(around: HostEnvironment, _where: Where) -> tuple[HostFile, ...]:
    server = around.server("--project", PROJECT)
    return (HostFile(settings_path(around), (JsonEntry(("mcp", "servers", NAME), server, JsonDialect.FIVE),)),)


HOST = Host(
    name="openclaw-mcp",
    title="OpenClaw's MCP server",
    files=_files,
    wheres=(Where.USER,),
    after=(
        "restart the gateway, then `openclaw mcp probe reverie` lists the tools",
        f"see it work: `reverie recall --project {PROJECT}` finds what it was told to remember",
    ),
)
