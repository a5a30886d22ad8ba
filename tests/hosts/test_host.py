from pathlib import Path

import pytest

from reverie.errors import InvalidSetting
from reverie.hosts.host import HostEnvironment, Where


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_without_a_home_it_says_so(home: str | None) -> None:
    """A missing HOME is told as what it is, and what to do."""
    around = HostEnvironment({} if home is None else {"HOME": home}, Path("/x"), "x", ("reverie",))
    with pytest.raises(InvalidSetting, match=r"HOME is not set.*Set HOME"):
        _ = around.home


def test_a_variable_names_a_folder(around: HostEnvironment) -> None:
    """A host's own variable wins, unless it is empty or names no whole path."""
    for value, folder in (("/conf", Path("/conf")), ("", around.home / ".x"), ("rel", around.home / ".x")):
        here = HostEnvironment({**around.environment, "X_DIR": value}, around.folder, "x", ("reverie",))
        assert here.at("X_DIR", ".x") == folder


def test_commands_are_whole(around: HostEnvironment) -> None:
    """A hook's command is quoted for a shell, a server's is a list."""
    assert around.hook_command("codex") == "'/my tools/reverie' hook --host codex"
    assert around.server("--project", "p") == {"command": "/my tools/reverie", "args": ["mcp", "--project", "p"]}
    split = HostEnvironment(around.environment, around.folder, "x", ("python", "-c", "main()"))
    assert split.server() == {"command": "python", "args": ["-c", "main()", "mcp"]}
    assert split.hook_command("codex") == "python -c 'main()' hook --host codex"
    assert [piece.keys for piece in around.hooks("codex", {"Stop": 3})] == [("hooks", "Stop")]


def test_a_users_files_are_their_own() -> None:
    """New settings of a user are readable by nobody else; a project's as the user's mask says."""
    assert (Where.USER.mode, Where.PROJECT.mode) == (0o600, 0o666)
