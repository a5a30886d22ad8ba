"""Settings: which source wins, and what an unknown key is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.config import Settings, load_settings
from reverie.errors import InvalidSetting


def test_the_defaults_hold_without_any_file(tmp_path: Path) -> None:
    """An empty folder and an empty environment give the documented defaults."""
    assert load_settings(tmp_path, {}) == Settings()


def test_later_sources_win(tmp_path: Path) -> None:
    """User file < project file < environment < the call."""
    home = tmp_path / "home"
    (home / ".config" / "reverie").mkdir(parents=True)
    (home / ".config" / "reverie" / "config.toml").write_text('agent = "a"\nuser = "a"\nproject = "a"\ntop_k = 1\n')
    (tmp_path / "reverie.toml").write_text('user = "b"\nproject = "b"\ntop_k = 2\n')
    found = load_settings(tmp_path, {"HOME": str(home), "REVERIE_PROJECT": "c", "REVERIE_TOP_K": "3"}, {"top_k": 4})
    assert (found.agent, found.user, found.project, found.top_k) == ("a", "b", "c", 4)


def test_a_project_file_is_found_from_below(tmp_path: Path) -> None:
    """As git finds its folder; and its store lies beside it."""
    (tmp_path / "reverie.toml").write_text('store = "memory.db"\n')
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    assert load_settings(below, {}).store == str(tmp_path / "memory.db")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('projct = "x"', "'project'"),
        ("top_k = 0", "whole number from 1"),
        ('top_k = "many"', "whole number"),
        ("agent = 7", "quotes"),
        ("agent = ", "Mend the line"),
    ],
)
def test_a_wrong_file_says_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    """An unknown key names the nearest known one; a wrong value names what is allowed."""
    (tmp_path / "reverie.toml").write_text(text)
    with pytest.raises(InvalidSetting, match=says):
        load_settings(tmp_path, {})


def test_a_wrong_variable_is_refused(tmp_path: Path) -> None:
    """The environment is checked like a file."""
    with pytest.raises(InvalidSetting, match="environment"):
        load_settings(tmp_path, {"REVERIE_TOP_K": "many"})


def test_the_key_is_never_shown() -> None:
    """Printing the settings does not print the secret."""
    assert "secret" not in repr(Settings(api_key="secret"))
