import os
import tomllib
from pathlib import Path

import pytest

from reverie.config import load_settings
from reverie.config.project import project_root
from reverie.errors import InvalidInput, InvalidSetting, StoreError
from reverie.hosts import files, own


def test_settings_that_are_not_there_are_written(tmp_path: Path) -> None:
    """Store and scope are named once for every folder; what was given comes first."""
    around = {"HOME": str(tmp_path), "USER": "ada"}
    change = own.settings(around, tmp_path, {"user": "grace", "embedder": "none"})
    files.write(change)
    settings = load_settings(tmp_path, around)
    assert change.path == tmp_path / ".config" / "reverie" / "config.toml"
    assert settings.store == str(tmp_path / ".local" / "share" / "reverie" / "reverie.db")
    assert (settings.agent, settings.user, settings.embedder) == ("assistant", "grace", "none")
    assert settings.project.startswith(f"{tmp_path.name}-")
    assert own.settings(around, tmp_path, {"user": "other"}).is_none


def test_settings_that_are_there_stay(tmp_path: Path) -> None:
    """What is missing is put before what is there, which wins and keeps its every byte."""
    around = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d")}
    path = tmp_path / "c" / "reverie" / "config.toml"
    path.parent.mkdir(parents=True)
    before = '# mine\nagent = "bot"\n\n[hook]\nbudget_tokens = 300\n'
    path.write_text(before, encoding="utf-8")
    after = own.settings(around, tmp_path, {"store": "here.db"}).after
    assert after is not None
    assert after.endswith(before)
    said = tomllib.loads(after)
    assert (said["agent"], said["hook"]) == ("bot", {"budget_tokens": 300})
    assert said["store"] == str(Path("here.db").resolve())


def test_what_cannot_be_read_or_placed_is_told(tmp_path: Path) -> None:
    """Broken settings are named with their line; without a home there is no place for any."""
    path = tmp_path / ".config" / "reverie" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("a = 1\nb =\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"config\.toml, line 2: Invalid value"):
        own.settings({"HOME": str(tmp_path)}, tmp_path, {})
    with pytest.raises(InvalidSetting, match="HOME is not set"):
        own.settings({}, tmp_path, {})


def test_the_store_is_made_once(tmp_path: Path) -> None:
    """It is made where the settings say, with its folders, and kept where it is."""
    around = {"HOME": str(tmp_path), "REVERIE_STORE": str(tmp_path / "deep" / "er" / "s.db")}
    assert own.make_store(tmp_path, around, {}) == tmp_path / "deep" / "er" / "s.db"
    assert (tmp_path / "deep" / "er").stat().st_mode & 0o077 == 0  # nobody else reads what will be said
    assert own.make_store(tmp_path, around, {}) is None
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be made"):
        own.make_store(tmp_path, around, {"store": str(tmp_path / "file" / "s.db")})


def test_the_root_of_a_project(tmp_path: Path) -> None:
    """The nearest folder with a repository or settings; without any, the folder itself."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert project_root(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    (tmp_path / "a" / "reverie.toml").touch()
    assert project_root(tmp_path / "a" / "b") == tmp_path / "a"
    (tmp_path / "a" / "b" / ".git").mkdir()
    assert project_root(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    named = own.project_name(tmp_path / "a", {}, {})
    assert named.startswith("a-")
    assert own.project_name(tmp_path / "a", {}, {"project": "p"}) == "p"


def test_who_is_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the environment, else by the machine's list; a number without a name is called user."""
    assert own.login({"LOGNAME": "ada", "USER": "eve"}) == "ada"
    assert own.login({"USER": "eve"}) == "eve"
    assert own.login({})
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    assert own.login({}) == "user"
