from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import ReverieError, StoreError
from reverie.extras import EXTRAS, how_to_add, is_there, lacking, require
from tests.house.code import ROOT

WITHOUT = """
import importlib, importlib.machinery, json, pkgutil, sys, warnings
from click.testing import CliRunner
warnings.simplefilter("ignore")
AWAY = set(json.loads(sys.argv[1]))
class Here(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in AWAY else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(importlib.machinery.PathFinder)] = Here
import reverie
from reverie.errors import ReverieError
"""
IMPORTS = """
told = {}
for module in pkgutil.walk_packages(reverie.__path__, "reverie.", onerror=lambda name: None):
    try:
        importlib.import_module(module.name)
    except ReverieError as error:
        told[module.name] = ["told", str(error)]
    except BaseException as error:
        told[module.name] = ["raised", repr(error)]
print(json.dumps(told))
"""
COMMANDS = """
from reverie.faces.cli import main
told = []
for settings, command in json.loads(sys.argv[2]):
    found = CliRunner().invoke(main, command, env=settings)
    fault = None if found.exception is None or isinstance(found.exception, SystemExit) else repr(found.exception)
    told.append([found.exit_code, found.output, fault])
print(json.dumps(told))
"""
EVERY_HELP = """
import click
from reverie.faces.cli import main
def walk(command, path):
    found = CliRunner().invoke(main, [*path, "--help"])
    yield " ".join(path), found.exit_code, found.output
    for name, below in getattr(command, "commands", {}).items():
        yield from walk(below, [*path, name])
print(json.dumps(list(walk(main, []))))
"""
AWAY = sorted(
    {module.split(".")[0] for modules in EXTRAS.values() for module in modules}
    | {"anyio", "httptools", "pyarrow", "pydantic", "rich", "starlette", "uvloop"}
)


def without(code: str, *arguments: object, folder: Path | None = None) -> Any:
    """Run code in a process in which no package of an extra can be imported; return the JSON it prints."""
    home = {"HOME": str(folder), "PATH": "/usr/bin:/bin"} if folder else None
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + code, json.dumps(AWAY), *map(json.dumps, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=home,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_error_says_what_needs_which_extra_and_what_to_type() -> None:
    """The same two sentences everywhere, for one extra and for two."""
    assert str(lacking("serve", "The dashboard")) == (
        "The dashboard needs the extra serve, which is not installed. "
        "Install Reverie with it: pip install 'path/to/reverie[serve]', the path of your wheel or checkout."
    )
    assert "the extras serve and team, which are not both installed" in str(lacking("serve,team", "It"))
    assert isinstance(lacking("lance", "It", StoreError), StoreError)


@pytest.mark.parametrize(
    ("receipt", "text", "command"),
    [
        (
            "uv-receipt.toml",
            'requirements = [{ name = "reverie", path = "/a/[b].whl" }]',
            "uv tool install 'path/to/reverie[mcp]'",
        ),
        (
            "uv-receipt.toml",
            'requirements = [{ name = "reverie", extras = ["mcp", "sync"], path = "/a.whl" }]',
            "uv tool install 'path/to/reverie[mcp,sync]'",
        ),
        ("pipx_metadata.json", '"package_or_url": "/a b/reverie.whl",', "pipx install --force 'path/to/reverie[mcp]'"),
        (
            "pipx_metadata.json",
            '"package_or_url": "x[y]", "package_or_url": "/reverie.whl[e5,mcp]",',
            "pipx install --force 'path/to/reverie[e5,mcp]'",
        ),
    ],
)
def test_where_uv_or_pipx_installed_it_their_command_is_named(
    receipt: str, text: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the extras that are there already, since either installs only those that it is given."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / receipt).write_text(text)
    assert f"Install Reverie again with it: {command}, the path" in how_to_add("mcp")


def test_an_extra_that_is_there_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of the standard library stand for those of an extra; one that no index has is missed."""
    monkeypatch.setitem(EXTRAS, "there", ("json", "json.tool"))
    monkeypatch.setitem(EXTRAS, "away", ("json", "reverie_no_such.module"))
    require("there", "It")
    assert not is_there("away")
    with pytest.raises(ReverieError, match="the extra away"):
        require("away", "It")


def test_every_extra_of_the_package_is_known() -> None:
    """The table and ``pyproject.toml`` have the same extras, but for those that only develop Reverie."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"bench", "dev", "docs"}


ADAPTERS = ("adk", "agent_framework", "anthropic", "crewai", "langgraph", "llama_index", "pydantic_ai")


def test_every_module_imports_without_extras_or_names_its_extra() -> None:
    """An adapter, the HTTP interface and the MCP server say what they lack; every other module does without."""
    told = without(IMPORTS)
    assert {name: how for name, (kind, how) in told.items() if kind != "told"} == {}
    rooms = {re.sub(r"^reverie\.faces\.(adapters\.\w+|\w+).*", r"\1", name) for name in told}
    adapters = {f"adapters.{name}" for name in ADAPTERS}
    assert rooms == {*adapters, "http", "mcp"}
    for name, (_, said) in told.items():
        room = name.split(".")[2 if "adapters" not in name else 3].replace("_", "-")
        extra = {"http": "serve"}.get(room, room)
        assert f"needs the extra {extra}, which is not installed" in said
        assert how_to_add(extra) in said


def test_every_command_has_its_help_without_extras(tmp_path: Path) -> None:
    """Help of all commands, also of those that need an extra to run."""
    shown = without(EVERY_HELP, folder=tmp_path)
    assert len(shown) > 80
    assert [(name, code) for name, code, _ in shown if code != 0] == []


INIT = ["init", "--agent", "a", "--user", "u", "--project", "p"]
TEAM = {"REVERIE_TEAM_ON": "true"}
CASES: tuple[tuple[str, dict[str, str], list[str]], ...] = (
    ("serve", {}, ["serve", "--port", "0"]),
    ("serve", {}, ["serve", "token", "list"]),
    ("serve", TEAM, ["serve", "--port", "0"]),
    ("proxy", {}, ["proxy", "--upstream", "http://127.0.0.1:9/v1"]),
    ("documents", {}, ["import", "house.pdf"]),
    ("mcp", {}, ["mcp"]),
    ("mcp", {}, ["mcp", "--http"]),
    ("plots", {}, ["stats", "plot", "graph", "Lisbon", "--out", "picture.png"]),
    ("sync", {}, ["sync", "elsewhere"]),
    ("federation", {}, ["project", "bundle", "bundle.json", "--key", "own.key"]),
    ("sqlcipher", {}, ["store", "encrypt"]),
    ("sqlcipher", {}, ["stats", "--store", "sqlcipher:other.db"]),
    ("lance", {}, ["stats", "--store", "lance:table"]),
    ("postgres", {}, ["stats", "--store", "postgresql://nowhere/none"]),
    ("e5", {}, ["recall", "key", "--embedder", "e5"]),
    ("e5", {}, ["recall", "key", "--embedder", "e5:onnx"]),  # the weights are missed first; then tests/models
    ("fastembed", {}, ["recall", "key", "--embedder", "fastembed:none"]),
    ("sentence-transformers", {}, ["recall", "key", "--embedder", "sentence-transformers:none"]),
)


def test_every_command_that_needs_an_extra_names_it(tmp_path: Path) -> None:
    """One error with the extra's name and what to type, in every command; never a traceback."""
    before = [INIT, ["sync", "--new-key"], ["remember", "The key hangs behind the boiler."]]
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "house.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "table" / "memories.lance").mkdir(parents=True)
    calls = [*([{}, command] for command in before), *([settings, command] for _, settings, command in CASES)]
    told = without(COMMANDS, calls, folder=tmp_path)
    assert [code for code, _, _ in told[: len(before)]] == [0, 0, 0], told[: len(before)]
    for (extra, _, command), (code, said, fault) in zip(CASES, told[len(before) :], strict=True):
        assert fault is None, (command, fault)
        assert code not in (0, 2), (command, said)
        assert re.search(rf"needs the extras? {extra}", said), (command, said)
        assert "Install Reverie with it: pip install 'path/to/reverie[" in said, (command, said)
