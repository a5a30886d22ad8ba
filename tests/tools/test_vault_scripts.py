"""The vault's scripts as files; what they do is in tests/faces/cli/test_vault_alone.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.vault.scaffold import NAMES
from tools.vault_scripts import SCRIPTS, build, write


@pytest.mark.req("B9")
def test_what_is_written_is_what_the_source_makes(tmp_path: Path) -> None:
    """Ready to run, in a folder that is made; what is older is replaced, what is current stays."""
    folder = tmp_path / "dist" / "scripts"
    paths = write(folder)
    assert [path.name for path in paths] == list(SCRIPTS) == list(NAMES)
    paths[0].write_text("# older\n")
    before = paths[1].stat().st_ino
    assert write(folder) == paths
    assert paths[1].stat().st_ino == before
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {
        name: build(name) for name in NAMES
    }
    assert all(path.stat().st_mode & 0o111 for path in paths)
