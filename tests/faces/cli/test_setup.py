import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.config import load
from reverie.errors import InvalidScope
from reverie.faces.cli.setup import set_up
from reverie.types import Scope
from tests.faces.cli.conftest import Run
from tests.stores.lance.making import Stock, row

SCOPE = ("--agent", "helper", "--user", "ada", "--project", "home")


def test_init_makes_a_store_and_a_file_that_later_commands_find(run: Run, folder: Path) -> None:
    """The file holds the scope; the store's path is relative, so that the folder can be moved."""
    assert run("init", *SCOPE).code == 0
    written = tomllib.loads((folder / "reverie.toml").read_text(encoding="utf-8"))
    assert written == {"agent": "helper", "user": "ada", "project": "home", "store": "reverie.db"}
    assert (folder / "reverie.db").is_file()
    assert load().trusted
    moved = folder.rename(folder.with_name("moved"))
    assert load(moved, {}, agreed=True).settings.store == str(moved / "reverie.db")


def test_init_goes_where_it_is_told(run: Run, folder: Path) -> None:
    """Into a folder that is not there yet, with a store elsewhere, without a model."""
    done = run("init", "new/place", *SCOPE, "--store", "other.db", "--no-model", "--json")
    assert done.shape["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    written = tomllib.loads((folder / "new/place/reverie.toml").read_text(encoding="utf-8"))
    assert written["store"] == str(folder / "other.db")
    assert written["embedder"] == "none"
    assert (folder / "other.db").is_file()


def test_init_twice_is_a_conflict(home: Run, folder: Path) -> None:
    """A scope is not changed by accident."""
    before = (folder / "reverie.toml").read_bytes()
    assert home("init", "--user", "grace").code == 4
    assert (folder / "reverie.toml").read_bytes() == before


def test_init_in_a_folder_one_may_not_write(run: Run, folder: Path) -> None:
    """A clear error instead of a traceback."""
    (folder / "file").write_text("in the way", encoding="utf-8")
    assert run("init", "file/below", *SCOPE).code == 10


@settings(max_examples=25)  # each makes a store
@given(st.text(min_size=1, max_size=30))
def test_any_scope_comes_back_out_of_the_file(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    """Quotes, backslashes, control characters and every script."""
    try:
        scope = Scope(name, name, name)
    except InvalidScope:
        return
    folder = tmp_path_factory.mktemp("scope")
    set_up(folder, scope, folder / "reverie.db")
    found = load(folder).settings
    assert (found.agent, found.user, found.project) == (name, name, name)


def test_config_names_its_files_and_hides_the_key(home: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret is not printed by a command people paste into bug reports."""
    monkeypatch.setenv("REVERIE_API_KEY", "hush")
    shown = home("config", "--json")
    assert shown.shape["files"] == [str(folder / "reverie.toml")]
    assert shown.shape["settings"]["api_key"] == "set"
    assert "hush" not in shown.out + home("config").out


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_completion_script_calls_us(run: Run, shell: str) -> None:
    """It asks the command itself, so it knows every option (bash: only where bash is)."""
    done = run("config", "completion", shell)
    assert done.code == 0
    assert "_REVERIE_COMPLETE" in done.out


def test_completion_knows_the_commands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the script asks for, answered."""
    monkeypatch.setenv("_REVERIE_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", "reverie re")
    monkeypatch.setenv("COMP_CWORD", "1")
    shown = run().out
    assert all(name in shown for name in ("remember", "recall", "restore"))


@pytest.mark.parametrize("words", ["reverie pin ", "reverie dream --dry-run li"])
def test_completion_of_what_would_be_refused_is_silent(run: Run, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Who has only begun to type gets no error into the line."""
    monkeypatch.setenv("_REVERIE_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    shown = run()
    assert (shown.code, shown.err) == (0, "")


def test_init_works_on_openclaws_table_where_there_is_one(run: Run, folder: Path) -> None:
    """Its rows are in the scope that was named, for every later command; without a table there is none to work on."""
    missing = run("init", *SCOPE, "--store", f"lance:{folder / 'lancedb'}")
    assert (missing.code, (folder / "reverie.toml").exists()) == (11, False)
    stock = Stock(folder / "lancedb")
    stock.store(row(1, "I like tea", agentId="helper"))
    assert run("init", *SCOPE, "--store", f"lance:{folder / 'lancedb'}", "--no-model").code == 0
    assert run("recall", "tea", "--json").shape["hits"][0]["memory"]["text"] == "I like tea"
    stock.store(row(2, "Deploys go out on Tuesdays", agentId="coder"))
    told = run("recall", "deploys", "--agent", "coder", "--json").shape["hits"]
    assert told[0]["memory"]["text"] == "Deploys go out on Tuesdays"


def test_init_with_a_recipe_that_is_none_writes_nothing(run: Run, folder: Path) -> None:
    """The file would stop every later command."""
    assert run("init", *SCOPE, "--recipe", "bogus").code == 2
    assert not (folder / "reverie.toml").exists()


def git(*words: str, at: Path) -> None:
    """Git itself, with nobody's settings."""
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(at)}
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@b.example", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=at, env={**os.environ, **nobody}, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_repositorys_folders_are_shown_joined_and_parted(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As git lays them down: a worktree shares, a clone asks once, and what was joined is taken back."""
    for name in ("app", "far"):
        (folder / name).mkdir()
    app = folder / "app"
    git("init", at=app)
    git("remote", "add", "origin", "git@host.example:ada/app.git", at=app)
    git("commit", "--allow-empty", "-m", "begin", at=app)
    git("worktree", "add", str(folder / "feature"), at=app)
    git("clone", str(app), "copy", at=folder / "far")
    git("remote", "set-url", "origin", "https://host.example/ada/app", at=folder / "far" / "copy")
    monkeypatch.setenv("REVERIE_PROJECT", "auto")
    monkeypatch.chdir(app)
    mine = run("project", "--json").shape
    assert [claim.partition(":")[0] for claim in mine["claims"]] == ["remote", "root"]
    monkeypatch.chdir(folder / "feature")
    assert run("project", "--json").shape["project"] == mine["project"]
    monkeypatch.chdir(folder / "far" / "copy")
    met = run("project")
    assert f"`reverie project join {mine['project']}`" in met.err
    assert f"might be: {mine['project']}" in met.out
    assert run("project").err == ""
    assert f"shared with: {app}" in run("project", "join", mine["project"]).out
    assert run("project", "undo", "--json").shape["joined"] is False
    assert run("project", "part").code == 3
