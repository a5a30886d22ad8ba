"""Install into Gemini CLI: hooks and the MCP server in one settings file."""

from __future__ import annotations

from reverie.hosts.host import SERVERS, Host, HostEnvironment, HostFile, JsonEntry, Where
from reverie.hosts.json_edit import JsonDialect

_MILLISECONDS = 5000
TIMEOUTS = dict.fromkeys(
    ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "SessionEnd"), _MILLISECONDS
)

DOING = "^(run_shell_command|write_file|replace|web_fetch|google_web_search|mcp_.*)$"
"""Tools that change or run something. Reading tools are called most often and start no process."""


def _files(around: HostEnvironment, where: Where) -> tuple[HostFile, ...]:
    base = around.folder if where is Where.PROJECT else around.at("GEMINI_CLI_HOME", "")
    hooks = around.hooks("gemini", TIMEOUTS, JsonDialect.COMMENTS, {"AfterTool": DOING})
    server = JsonEntry(SERVERS, around.server(), JsonDialect.COMMENTS)
    return (HostFile(base / ".gemini" / "settings.json", (*hooks, server)),)


HOST = Host(
    name="gemini",
    title="Gemini CLI",
    files=_files,
    wheres=(Where.USER, Where.PROJECT),
    after=(
        "start a new session of `gemini` and tell it something; it runs hooks in folders that you trust",
        "see it work: /hooks lists the hooks, /mcp the server; `reverie recall` in the same folder finds what was said",
    ),
)
