from pathlib import Path

import pytest

from reverie.config import load_settings
from reverie.config.sections import auto_project


def test_folders_of_one_repository_are_one_project(tmp_path: Path) -> None:
    """Wherever in it one works."""
    (tmp_path / "app" / ".git").mkdir(parents=True)
    below = tmp_path / "app" / "src" / "deep"
    below.mkdir(parents=True)
    assert auto_project(below) == auto_project(tmp_path / "app")
    assert auto_project(below).startswith("app-")


def test_two_folders_of_one_name_share_nothing(tmp_path: Path) -> None:
    """Their paths tell them apart."""
    for place in ("work", "home"):
        (tmp_path / place / "app" / ".git").mkdir(parents=True)
    assert auto_project(tmp_path / "work" / "app") != auto_project(tmp_path / "home" / "app")


@pytest.mark.parametrize("name", ["çalışma", "a b", "x" * 200, "😀"])
def test_any_folder_gives_a_name_a_scope_takes(tmp_path: Path, name: str) -> None:
    """Odd and long ones too, and the root of the disk."""
    (tmp_path / name).mkdir()
    found = load_settings(tmp_path / name, {}, {"project": "auto"}).project
    assert 0 < len(found) <= 200
    assert auto_project(Path("/")).startswith("root-")


def test_only_auto_is_worked_out(tmp_path: Path) -> None:
    """A name of one's own stays."""
    assert load_settings(tmp_path, {}, {"project": "home"}).project == "home"
