"""Install into Codex: hooks in a file of their own, and the MCP server as a table of its configuration."""

from __future__ import annotations

from reverie.hosts.host import NAME, Host, HostEnvironment, HostFile, TomlTable, Where

_SECONDS = 3  # Codex's maximum at a session's end; it warns at every start about more
TIMEOUTS = dict.fromkeys(
    ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"), _SECONDS
)
KEPT_BACK = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
"""Variables that decide where Reverie's files lie and that Codex does not pass to its servers."""


def _files(around: HostEnvironment, where: Where) -> tuple[HostFile, ...]:
    folder = around.folder / ".codex" if where is Where.PROJECT else around.at("CODEX_HOME", ".codex")
    server = around.server()
    named = [name for name in KEPT_BACK if name in around.environment]
    if named:
        server["env_vars"] = named
    return (
        HostFile(folder / "hooks.json", around.hooks("codex", TIMEOUTS)),
        HostFile(folder / "config.toml", (TomlTable(("mcp_servers", NAME), server),)),
    )


HOST = Host(
    name="codex",
    title="Codex",
    files=_files,
    wheres=(Where.USER, Where.PROJECT),
    after=(
        "start `codex`; it asks whether to trust the new hooks, and runs none before you say yes (later: /hooks)",
        "then tell it something; `reverie recall` in the same folder finds it",
    ),
)
