"""Install into Claude Code: hooks in its settings, and the MCP server among its servers."""

from __future__ import annotations

from reverie.hosts.host import SERVERS, Host, HostEnvironment, HostFile, JsonEntry, Where

_SECONDS = 5
TOOLS = ("PostToolUse", "PostToolUseFailure")
TIMEOUTS = dict.fromkeys(("SessionStart", "UserPromptSubmit", *TOOLS, "Stop", "PreCompact", "SessionEnd"), _SECONDS)
DOING = "^(Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|Task|Agent|KillShell|mcp__.*)$"
"""Tools that change or run something. Others, like Read and Grep, are called most often and start no process."""


def _files(around: HostEnvironment, where: Where) -> tuple[HostFile, ...]:
    hooks = around.hooks("claude-code", TIMEOUTS, matchers=dict.fromkeys(TOOLS, DOING))
    server = JsonEntry(SERVERS, {"type": "stdio", **around.server()})
    if where is Where.PROJECT:
        settings, servers = around.folder / ".claude" / "settings.json", around.folder / ".mcp.json"
    else:
        settings = around.at("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"
        servers = around.at("CLAUDE_CONFIG_DIR", "") / ".claude.json"
    return HostFile(settings, hooks), HostFile(servers, (server,))


HOST = Host(
    name="claude-code",
    title="Claude Code",
    files=_files,
    wheres=(Where.USER, Where.PROJECT),
    after=(
        "start a new session of `claude` and tell it something",
        "see it work: `claude --debug` names each hook; `reverie recall` in the same folder finds what was said",
    ),
)
