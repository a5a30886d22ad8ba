"""Install into Cursor: hooks in a file of their own, and the MCP server among its servers.

Cursor passes a hook's output to its model only at the start of a session, and does not tell an MCP server which folder
it works for; a project's own settings therefore pass the project to the server.
"""

from __future__ import annotations

from reverie.hosts.host import SERVERS, Host, HostEnvironment, HostFile, JsonEntry, JsonHook, JsonMark, Where
from reverie.hosts.json_edit import JsonDialect

TOOLS = ("postToolUse", "postToolUseFailure")
EVENTS = ("sessionStart", "beforeSubmitPrompt", *TOOLS, "afterAgentResponse", "preCompact", "sessionEnd")
DOING = "Shell|Write|Delete|Task|MCP"
"""Kinds of tools that change or run something. Reading tools are called most often and start no process."""


def _files(around: HostEnvironment, where: Where) -> tuple[HostFile, ...]:
    if where is Where.PROJECT:
        folder, server = around.folder / ".cursor", around.server("--project", around.project)
    else:
        folder, server = around.home / ".cursor", around.server()
    command = around.hook_command("cursor")
    hooks = [
        JsonHook(("hooks", event), command, grouped=False, matcher=DOING if event in TOOLS else "") for event in EVENTS
    ]
    return (
        HostFile(folder / "hooks.json", (JsonMark(("version",), 1), *hooks)),
        HostFile(folder / "mcp.json", (JsonEntry(SERVERS, server, JsonDialect.COMMENTS),)),
    )


HOST = Host(
    name="cursor",
    title="Cursor",
    files=_files,
    wheres=(Where.PROJECT, Where.USER),
    after=(
        "restart Cursor, and switch the server `reverie` on under Settings, MCP",
        "see it work: Settings, Hooks lists each call; `reverie recall` in the same folder finds what was said",
    ),
)
