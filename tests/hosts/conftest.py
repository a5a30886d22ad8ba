"""What the tests of the installers ask for: surroundings without anything of the machine's."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.hosts.host import HostEnvironment


@pytest.fixture
def around(tmp_path: Path) -> HostEnvironment:
    """A home, a repository in it, and a program whose path needs quotes."""
    folder = tmp_path / "home" / "house"
    folder.mkdir(parents=True)
    environment = {"HOME": str(tmp_path / "home")}
    return HostEnvironment(environment, folder, "house-12345678", ("/my tools/reverie",))
