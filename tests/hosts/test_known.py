import shlex
import tomllib

import pytest

from reverie.faces.hook.hosts import HookHost
from reverie.hosts import json_edit, toml_edit
from reverie.hosts.host import HostEnvironment, JsonHook, Where
from reverie.hosts.json_edit import JsonDialect, parse
from reverie.hosts.known import NAMES, host


@pytest.mark.parametrize("name", NAMES)
def test_every_host_says_where_and_what(around: HostEnvironment, name: str) -> None:
    """Each has the name it is called by, files of the user's or the project's own, and words on what to do next."""
    chosen = host(name)
    assert chosen.name == name
    assert chosen.after
    for where in chosen.wheres:
        files = chosen.files(around, where)
        base = around.folder if where is Where.PROJECT else around.home
        assert all(base in file.path.parents for file in files)
        for file in files:
            text = ""
            for piece in file.pieces:
                text = piece.put(text)
            said = tomllib.loads(text) if file.path.suffix == ".toml" else parse(text).value
            assert "/my tools/reverie" in str(said)


@pytest.mark.parametrize("name", NAMES)
def test_every_hook_is_one_word_list_for_a_shell(around: HostEnvironment, name: str) -> None:
    """A path with a blank in it is quoted, and the host is named; the hook understands a host of that name."""
    chosen = host(name)
    pieces = [piece for where in chosen.wheres for file in chosen.files(around, where) for piece in file.pieces]
    for piece in pieces:
        if isinstance(piece, JsonHook):
            assert shlex.split(piece.command)[:4] == ["/my tools/reverie", "hook", "--host", name]
            assert name in tuple(HookHost)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "openclaw"])
def test_every_host_starts_the_server(around: HostEnvironment, name: str) -> None:
    """Each can start the MCP server, wherever it keeps its servers; OpenClaw's plugin asks another one."""
    chosen = host(name)
    for where in chosen.wheres:
        servers = []
        for file in chosen.files(around, where):
            for piece in file.pieces:
                text = piece.put("")
                find = toml_edit.find if file.path.suffix == ".toml" else _json
                servers.append(find(text, piece.keys))
        started = [server for server in servers if isinstance(server, dict) and "args" in server]
        assert [(server["command"], server["args"][0]) for server in started] == [("/my tools/reverie", "mcp")]


def _json(text: str, keys: json_edit.Keys) -> object:
    node = json_edit.find(text, JsonDialect.FIVE, keys)
    return node.value if node else None
