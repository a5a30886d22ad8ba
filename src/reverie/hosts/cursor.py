"""Cursor: hooks in a file of their own, the MCP server among its servers.

It hands what a hook says to its model at the start of a session alone, and does not tell a server which folder it
works for; in a project's own settings the server is therefore told the project.
"""

from __future__ import annotations

from reverie.hosts.host import SERVERS, Host, HostEnvironment, HostFile, JsonEntry, JsonHook, JsonMark, Where
from reverie.hosts.json_edit import JsonDialect

TOOLS = ("postToolUse", "postToolUseFailure")
EVENTS = ("sessionStart", "beforeSubmitPrompt", *TOOLS, "afterAgentResponse", "preCompact", "sessionEnd")
DOING = "Shell|Write|Delete|Task|MCP"
"""Kinds of tools that change or run something: for those that read, which are called most, no process is started."""


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
