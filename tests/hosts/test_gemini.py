from pathlib import Path

from reverie.hosts.gemini import HOST
from reverie.hosts.host import HostEnvironment, Where


def test_hooks_and_server_share_a_file(around: HostEnvironment) -> None:
    """Gemini CLI's own names of the events, its timeouts in milliseconds, its comments kept."""
    (file,) = HOST.files(around, Where.USER)
    assert file.path == around.home / ".gemini" / "settings.json"
    text = "{\n  // mine\n}"
    for piece in file.pieces:
        text = piece.put(text)
    assert "// mine" in text
    assert '"timeout": 5000' in text
    assert [piece.keys[-1] for piece in file.pieces][1:4] == ["BeforeAgent", "AfterTool", "AfterAgent"]
    assert file.pieces[-1].keys == ("mcpServers", "reverie")


def test_its_own_variable_moves_it(around: HostEnvironment) -> None:
    """Where GEMINI_CLI_HOME is set, Gemini CLI takes that for its home; a project has its own folder."""
    moved = HostEnvironment({**around.environment, "GEMINI_CLI_HOME": "/conf"}, around.folder, "p", ("reverie",))
    assert HOST.files(moved, Where.USER)[0].path == Path("/conf/.gemini/settings.json")
    assert HOST.files(moved, Where.PROJECT)[0].path == around.folder / ".gemini" / "settings.json"
