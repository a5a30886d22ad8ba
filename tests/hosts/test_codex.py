from pathlib import Path

from reverie.hosts.codex import HOST
from reverie.hosts.host import HostEnvironment, Where


def test_it_has_hooks_and_a_server(around: HostEnvironment) -> None:
    """Hooks in a file of their own, the server in the configuration; for the user and for a project."""
    assert [file.path for file in HOST.files(around, Where.USER)] == [
        around.home / ".codex" / "hooks.json",
        around.home / ".codex" / "config.toml",
    ]
    assert {file.path.parent for file in HOST.files(around, Where.PROJECT)} == {around.folder / ".codex"}


def test_the_server_is_handed_what_codex_keeps_back(around: HostEnvironment) -> None:
    """Variables that say where our files lie are named, so that hook and server see one store."""
    assert "env_vars" not in HOST.files(around, Where.USER)[1].pieces[0].put("")
    named = {**around.environment, "CODEX_HOME": "/conf", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"}
    moved = HostEnvironment(named, around.folder, "p", ("reverie",))
    config = HOST.files(moved, Where.USER)[1]
    assert config.path == Path("/conf/config.toml")
    assert 'env_vars = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"]' in config.pieces[0].put("")
