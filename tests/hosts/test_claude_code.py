from pathlib import Path

from reverie.hosts.claude_code import HOST
from reverie.hosts.host import Surroundings, Where


def test_it_has_hooks_and_a_server(around: Surroundings) -> None:
    """Five events and a server; the user's beside each other, the project's where a team shares them."""
    settings, servers = HOST.files(around, Where.USER)
    assert (settings.path, servers.path) == (around.home / ".claude" / "settings.json", around.home / ".claude.json")
    events = [piece.keys[1] for piece in settings.pieces]
    assert events == ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"]
    settings, servers = HOST.files(around, Where.PROJECT)
    assert settings.path == around.folder / ".claude" / "settings.json"
    assert servers.path == around.folder / ".mcp.json"


def test_its_own_variable_moves_both(around: Surroundings) -> None:
    """Where CLAUDE_CONFIG_DIR is set, Claude Code keeps both files in that folder."""
    moved = Surroundings({**around.environment, "CLAUDE_CONFIG_DIR": "/conf"}, around.folder, "p", ("reverie",))
    assert [file.path for file in HOST.files(moved, Where.USER)] == [
        Path("/conf/settings.json"),
        Path("/conf/.claude.json"),
    ]
