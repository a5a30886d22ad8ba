from pathlib import Path

from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.openclaw_mcp import HOST


def test_it_has_a_server(around: HostEnvironment) -> None:
    """Among its servers in a file of JSON5, for a project of one name: it works for its owner, not for a folder."""
    (file,) = HOST.files(around, Where.USER)
    assert file.path == around.home / ".openclaw" / "openclaw.json"
    text = file.pieces[0].put("{\n  // gateway\n  gateway: {port: 18789},\n}\n")
    assert text.startswith("{\n  // gateway\n  gateway: {port: 18789},\n")
    assert '"args": ["mcp", "--project", "openclaw"]' in text
    assert HOST.wheres == (Where.USER,)


def test_its_own_variables_move_it(around: HostEnvironment) -> None:
    """Its file is where its variables say."""
    for name, value, path in (
        ("OPENCLAW_CONFIG_PATH", "/c/my.json", Path("/c/my.json")),
        ("OPENCLAW_STATE_DIR", "/state", Path("/state/openclaw.json")),
    ):
        moved = HostEnvironment({**around.environment, name: value}, around.folder, "p", ("reverie",))
        assert HOST.files(moved, Where.USER)[0].path == path
