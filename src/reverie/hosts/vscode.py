"""Install into VS Code with Copilot: the MCP server among its servers, and in a project also a file of hooks.

VS Code does not tell a server which folder it works for; a project's own settings therefore pass it the project.
"""

from __future__ import annotations

from pathlib import Path

from reverie.hosts.host import NAME, Host, HostEnvironment, HostFile, JsonEntry, JsonHook, JsonMark, Where
from reverie.hosts.json_edit import JsonDialect

EVENTS = ("sessionStart", "userPromptSubmitted", "postToolUse", "postToolUseFailure", "sessionEnd")
_SECONDS = 5


def _files(around: HostEnvironment, where: Where) -> tuple[HostFile, ...]:
    if where is Where.USER:
        return (_servers(_user_folder(around) / "mcp.json", around.server()),)
    command = around.hook_command("vscode")
    hooks = [
        # Copilot's own input does not name the event, so the command does.
        JsonHook(("hooks", event), f"{command} --event {event}", {"timeoutSec": _SECONDS}, "bash", grouped=False)
        for event in EVENTS
    ]
    return (
        HostFile(around.folder / ".github" / "hooks" / "reverie.json", (JsonMark(("version",), 1), *hooks)),
        _servers(around.folder / ".vscode" / "mcp.json", around.server("--project", around.project)),
    )


def _servers(path: Path, server: dict[str, object]) -> HostFile:
    return HostFile(path, (JsonEntry(("servers", NAME), {"type": "stdio", **server}, JsonDialect.COMMENTS),))


def _user_folder(around: HostEnvironment) -> Path:
    if around.system == "darwin":
        return around.home / "Library" / "Application Support" / "Code" / "User"
    if around.system == "win32":
        return around.at("APPDATA", "AppData/Roaming") / "Code" / "User"
    return around.at("XDG_CONFIG_HOME", ".config") / "Code" / "User"


HOST = Host(
    name="vscode",
    title="VS Code",
    files=_files,
    wheres=(Where.PROJECT, Where.USER),
    after=(
        "in VS Code, run `MCP: List Servers`, choose reverie and start it; it asks once whether you trust it",
        "see it work: ask Copilot in agent mode what it remembers",
    ),
)
