"""`reverie mcp` from the command line: what it refuses before anything is served."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from reverie import Reverie, Scope
from reverie.config import Settings
from reverie.errors import ReverieError
from reverie.extras import EXTRAS
from reverie.faces.cli.app import main
from tests.faces.mcp.process import SETTINGS
from tests.trusting import trusting

SCOPE = 'agent = "helper"\nuser = "ada"\nproject = "home"\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with settings, and a user without any."""
    (tmp_path / "reverie.toml").write_text(SETTINGS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    trusting(tmp_path)
    monkeypatch.delenv("REVERIE_MCP_TOKEN", raising=False)
    return tmp_path


def test_http_needs_a_token(home: Path) -> None:
    """The error says how to set one; a token in the file that is too short is none."""
    for token in ("", "short"):
        (home / "reverie.toml").write_text(f'{SETTINGS}[mcp]\ntoken = "{token}"\n', "utf-8")
        trusting(home)
        result = CliRunner().invoke(main, ["mcp", "--http"])
        assert result.exit_code == 2
        assert "REVERIE_MCP_TOKEN" in result.output


def test_a_cloned_folder_names_no_endpoint(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client starts the server wherever it works: a folder's file sends no word of a memory anywhere."""
    away = '"openai:m@http://elsewhere.example"'
    (home / "reverie.toml").write_text(f"{SCOPE}embedder = {away}\n[llm]\nspec = {away}\n", "utf-8")
    store = home / "own.db"
    Reverie.open(store, embedder=None).close()
    served: list[Settings] = []

    def caught(_memory: Reverie, _scope: Scope, settings: Settings) -> None:
        served.append(settings)
        raise ReverieError("Enough.", "Nothing to mend.")

    monkeypatch.setattr("reverie.faces.cli.connect._server", caught)
    scope = ("--agent=helper", "--user=ada", "--project=home")
    assert CliRunner().invoke(main, ["mcp", f"--store={store}", *scope]).exit_code == 1
    assert [(one.embedder, one.llm.spec) for one in served] == [(Settings().embedder, Settings().llm.spec)]


def test_an_address_is_for_http(home: Path) -> None:
    """Over the standard streams there is none."""
    result = CliRunner().invoke(main, ["mcp", "--port", "1"])
    assert result.exit_code == 2
    assert "--http" in result.output


def test_a_scope_is_needed(home: Path) -> None:
    """A server without one would let the model choose."""
    (home / "reverie.toml").write_text('agent = "helper"\n', "utf-8")
    result = CliRunner().invoke(main, ["mcp"])
    assert result.exit_code == 2
    assert "reverie init" in result.output


def test_without_the_library_it_says_what_to_install(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra by its name."""
    monkeypatch.setitem(EXTRAS, "mcp", ("reverie_no_such",))
    result = CliRunner().invoke(main, ["mcp"])
    assert result.exit_code == 1
    assert "reverie[mcp]" in result.output
