import json

from reverie.hosts.cursor import HOST
from reverie.hosts.host import HostEnvironment, Where


def test_a_project_is_named_to_the_server(around: HostEnvironment) -> None:
    """Cursor does not tell a server its folder, so a project's settings name the project; a user's cannot."""
    for where, base, arguments in (
        (Where.PROJECT, around.folder, ["mcp", "--project", around.project]),
        (Where.USER, around.home, ["mcp"]),
    ):
        hooks, servers = HOST.files(around, where)
        assert (hooks.path, servers.path) == (base / ".cursor" / "hooks.json", base / ".cursor" / "mcp.json")
        said = json.loads(servers.pieces[0].put(""))
        assert said["mcpServers"]["reverie"]["args"] == arguments


def test_hooks_are_in_cursors_form(around: HostEnvironment) -> None:
    """A version, and each event with a plain list of commands."""
    text = ""
    for piece in HOST.files(around, Where.PROJECT)[0].pieces:
        text = piece.put(text)
    said = json.loads(text)
    assert said["version"] == 1
    assert said["hooks"]["sessionStart"] == [{"command": "'/my tools/reverie' hook --host cursor"}]
    assert HOST.wheres[0] is Where.PROJECT
