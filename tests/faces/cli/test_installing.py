import json
import sys
from pathlib import Path

import pytest

from reverie.faces.cli.exits import DONE, UNCONFIRMED
from reverie.hosts.known import NAMES
from tests.faces.cli.conftest import Run


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's empty folder; the working folder is a repository."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    (folder / ".git").mkdir()
    home = folder.parent / "home"
    home.mkdir()
    return home


def left(home: Path) -> list[str]:
    """Every file in the user's folder and beside it."""
    return sorted(str(path.relative_to(home.parent)) for path in home.parent.rglob("*") if path.is_file())


def test_it_is_shown_first_and_written_only_on_yes(run: Run, home: Path) -> None:
    """A dry run shows the change and is done; where nobody can be asked, no is the answer. Nothing is written."""
    done = run("install", "claude-code", "--dry-run")
    assert done.code == DONE
    assert f"+++ {home / '.claude' / 'settings.json'}" in done.out
    assert f'+store = "{home / ".local" / "share" / "reverie" / "reverie.db"}"' in done.out
    done = run("install", "claude-code")
    assert done.code == UNCONFIRMED
    assert "nothing was changed" in done.err
    assert left(home) == []


@pytest.mark.parametrize("name", NAMES)
def test_installed_it_works_at_once_and_undone_it_is_gone(run: Run, home: Path, name: str) -> None:
    """Settings, store and the host's files are there; a second run changes nothing; undo leaves memories alone."""
    done = run("install", name, "--yes", "--no-model")
    assert done.code == DONE, done.err
    assert "next: " in done.out
    config = home / ".config" / "reverie" / "config.toml"
    assert config.stat().st_mode & 0o077 == 0
    assert run("remember", "The spare key hangs behind the boiler.").code == DONE
    assert "boiler" in run("recall", "spare key").out
    files = left(home)
    again = run("install", name, "--yes").out
    assert "+++" not in again
    assert left(home) == files
    program = str(Path(sys.executable).with_name("reverie"))
    shape = run("install", name, "--json").shape
    assert (shape["done"], [file["changes"] for file in shape["files"]]) == (True, [False] * len(shape["files"]))
    written = [Path(file["path"]).read_text(encoding="utf-8") for file in shape["files"][1:]]
    assert all(program in text for text in written)
    undone = run("install", name, "--undo", "--yes")
    assert undone.code == DONE
    assert "your memories stay" in undone.out
    assert "boiler" in run("recall", "spare key").out
    own = {"home/.config/reverie/config.toml"}
    assert {file for file in left(home) if "/.local/" not in file} == own
    assert not any("/hosts/" in file for file in left(home))


def test_a_store_that_is_gone_is_made_again(run: Run, home: Path) -> None:
    """Run a second time it changes no file, and yet it works afterwards."""
    run("install", "codex", "--yes", "--no-model")
    store = home / ".local" / "share" / "reverie" / "reverie.db"
    for file in store.parent.iterdir():
        file.unlink()
    assert f"made {store}" in run("install", "codex").out
    assert run("stats").code == DONE


def test_where_the_hosts_file_cannot_be_written_nothing_is(run: Run, home: Path) -> None:
    """A host's folder that is a file is told, and Reverie's own settings are as they were: not there."""
    (home / ".codex").touch()
    done = run("install", "codex", "--yes")
    assert done.code != DONE
    assert "cannot be written" in done.err
    assert not (home / ".config" / "reverie" / "config.toml").exists()


def test_the_answer_in_json(run: Run, home: Path) -> None:
    """Asked for JSON it never asks back; the diff of every file is in the answer."""
    done = run("install", "codex", "--json")
    assert done.code == UNCONFIRMED
    assert done.shape["done"] is False
    assert [Path(file["path"]).name for file in done.shape["files"]] == ["config.toml", "hooks.json", "config.toml"]
    assert any("[mcp_servers.reverie]" in line for line in done.shape["files"][2]["diff"])
    assert run("install", "codex", "--yes", "--json").shape["done"] is True


def test_a_projects_settings_are_its_own(run: Run, home: Path, folder: Path) -> None:
    """With --scope project the files lie in the repository's root; the command that undoes it is told in full."""
    done = run("install", "claude-code", "--scope", "project", "--yes")
    assert "undo: reverie install claude-code --scope project --undo" in done.out
    assert (folder / ".mcp.json").is_file()
    assert not (home / ".claude.json").exists()
    run("install", "claude-code", "--scope", "project", "--undo", "--yes")
    assert not (folder / ".mcp.json").exists()


def test_a_person_at_a_terminal_is_asked(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yes writes, anything else does not."""
    monkeypatch.setattr("reverie.faces.cli.invocation.is_terminal", lambda _: True)
    assert run("install", "gemini", input="n\n").code == UNCONFIRMED
    assert left(home) == []
    assert run("install", "gemini", input="y\n").code == DONE
    assert (home / ".gemini" / "settings.json").is_file()


def test_what_cannot_be_is_told(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken file, a scope the host has not, and a missing HOME: each named, and nothing is written."""
    done = run("install", "openclaw", "--scope", "project", "--yes")
    assert done.code != DONE
    assert "OpenClaw has no settings for a project" in done.err
    (home / ".claude.json").write_text('{\n  "a": \n}', encoding="utf-8")
    done = run("install", "claude-code", "--yes")
    assert done.code != DONE
    assert f"{home / '.claude.json'}, line 3" in done.err
    (home / ".claude.json").unlink()
    assert left(home) == []
    monkeypatch.delenv("HOME")
    done = run("install", "claude-code", "--yes")
    assert done.code != DONE
    assert "HOME is not set" in done.err


def test_a_long_line_of_anothers_is_cut_in_the_diff(run: Run, home: Path) -> None:
    """Settings on a single line are shown by their beginning, not whole."""
    (home / ".claude.json").write_text(json.dumps({"key": "k" * 5000}), encoding="utf-8")
    done = run("install", "claude-code", "--dry-run")
    assert max(map(len, done.out.splitlines())) <= 200


@pytest.fixture
def agent_zero(tmp_path: Path) -> Path:
    """A folder that holds an Agent Zero of 0.9.8, as far as the installer looks."""
    root = tmp_path / "agent zero"
    for name in ("agent.py", *(f"python/helpers/{one}.py" for one in ("extension", "memory", "subagents"))):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")
    return root


def test_agent_zero_is_installed_into_the_folder_that_is_named(run: Run, home: Path, agent_zero: Path) -> None:
    """Shown, written on yes, undone; no settings and no store of ours are made for it."""
    before = sorted(agent_zero.rglob("*"))
    done = run("install", "agent-zero", str(agent_zero), "--dry-run")
    assert done.code == DONE
    assert "+class MemoryEnhancement(Extension):" in done.out
    assert sorted(agent_zero.rglob("*")) == before
    assert run("install", "agent-zero", str(agent_zero)).code == UNCONFIRMED
    done = run("install", "agent-zero", str(agent_zero), "--yes")
    assert done.code == DONE, done.err
    assert "next: put the package where Agent Zero runs" in done.out
    assert f"undo: reverie install agent-zero '{agent_zero}' --undo" in done.out
    assert "mcp" not in done.out
    shape = run("install", "agent-zero", str(agent_zero), "--json").shape
    assert (shape["done"], [file["changes"] for file in shape["files"]]) == (True, [False] * 3)
    assert [name for name in left(home) if "config.toml" in name or name.endswith(".db")] == []
    assert run("install", "agent-zero", str(agent_zero), "--undo", "--yes").code == DONE
    assert sorted(agent_zero.rglob("*")) == before


def test_a_path_is_asked_for_where_there_must_be_one_and_only_there(run: Run, home: Path, tmp_path: Path) -> None:
    """Each message says what to do."""
    done = run("install", "agent-zero")
    assert "reverie install agent-zero PATH" in done.err
    done = run("install", "agent-zero", str(tmp_path), "--yes")
    assert "no Agent Zero" in done.err
    done = run("install", "codex", str(tmp_path), "--yes")
    assert "Codex takes no PATH" in done.err
    assert left(home) == []
