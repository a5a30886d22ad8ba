import json

from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.vscode import HOST


def test_a_project_has_hooks_and_a_server(around: HostEnvironment) -> None:
    """Copilot's hooks name their event, because its input does not; the server is told the project."""
    hooks, servers = HOST.files(around, Where.PROJECT)
    assert hooks.path == around.folder / ".github" / "hooks" / "reverie.json"
    assert servers.path == around.folder / ".vscode" / "mcp.json"
    text = ""
    for piece in hooks.pieces:
        text = piece.put(text)
    first = json.loads(text)["hooks"]["sessionStart"][0]
    assert first["type"] == "command"
    assert first["bash"].endswith(" hook --host vscode --event sessionStart")
    server = json.loads(servers.pieces[0].put(""))["servers"]["reverie"]
    assert (server["type"], server["args"]) == ("stdio", ["mcp", "--project", around.project])


def test_a_user_has_a_server(around: HostEnvironment) -> None:
    """Where VS Code keeps its user's servers, on Linux and on a Mac."""
    (servers,) = HOST.files(around, Where.USER)
    assert servers.path == around.home / ".config" / "Code" / "User" / "mcp.json"
    mac = HostEnvironment(around.environment, around.folder, "p", ("reverie",), "darwin")
    library = around.home / "Library" / "Application Support"
    assert HOST.files(mac, Where.USER)[0].path == library / "Code" / "User" / "mcp.json"
