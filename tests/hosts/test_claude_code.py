import json
import re
from pathlib import Path

import pytest

from reverie.hosts.claude_code import DOING, HOST
from reverie.hosts.host import HostEnvironment, Where


def test_it_has_hooks_and_a_server(around: HostEnvironment) -> None:
    """Seven events and a server; the user's beside each other, the project's where a team shares them."""
    settings, servers = HOST.files(around, Where.USER)
    assert (settings.path, servers.path) == (around.home / ".claude" / "settings.json", around.home / ".claude.json")
    events = [piece.keys[1] for piece in settings.pieces]
    tools = ["PostToolUse", "PostToolUseFailure"]
    assert events == ["SessionStart", "UserPromptSubmit", *tools, "Stop", "PreCompact", "SessionEnd"]
    text = settings.pieces[2].put("")
    assert json.loads(text)["hooks"]["PostToolUse"][0]["matcher"] == DOING
    assert settings.pieces[2].put(text) == text
    settings, servers = HOST.files(around, Where.PROJECT)
    assert settings.path == around.folder / ".claude" / "settings.json"
    assert servers.path == around.folder / ".mcp.json"


def test_its_own_variable_moves_both(around: HostEnvironment) -> None:
    """Where CLAUDE_CONFIG_DIR is set, Claude Code keeps both files in that folder."""
    moved = HostEnvironment({**around.environment, "CLAUDE_CONFIG_DIR": "/conf"}, around.folder, "p", ("reverie",))
    assert [file.path for file in HOST.files(moved, Where.USER)] == [
        Path("/conf/settings.json"),
        Path("/conf/.claude.json"),
    ]


@pytest.mark.parametrize(
    ("name", "called"),
    [("Bash", True), ("Edit", True), ("mcp__github__x", True), ("BashOutput", False), ("Read", False), ("Grep", False)],
)
def test_reading_tools_start_no_process(name: str, called: bool) -> None:
    """The hook is called for tools that change or run something."""
    assert bool(re.search(DOING, name)) is called
