from pathlib import Path

import pytest

from reverie.errors import InvalidInput, NotFound
from reverie.vault.places import Places, is_agent, notes
from reverie.vault.vault import Vault
from tests.vault.notes import put


@pytest.mark.req("B1")
def test_the_folders_are_the_documents(vault: Vault) -> None:
    """Vault and archive for each agent, one folder for all."""
    found = {path.relative_to(vault.places.root).as_posix() for path in vault.places.root.rglob("*") if path.is_dir()}
    assert {"agents/hawk/memory/vault", "agents/hawk/memory/archive", "shared/observations"} <= found
    assert vault.places.agents() == ["hawk", "owl"]


@pytest.mark.parametrize("name", ["..", "a/b", "", ".hidden", "a b", "a\x00", "C:", "x" * 65, "é", "-x", "a\n"])
def test_no_text_becomes_a_path(vault: Vault, name: str) -> None:
    """What could lead elsewhere is no agent's name."""
    assert not is_agent(name)
    with pytest.raises(InvalidInput):
        vault.places.vault(name)


def test_a_vault_is_found_from_below(vault: Vault, tmp_path: Path) -> None:
    """From its own folders, and from nowhere else."""
    assert Places.above(vault.places.vault("hawk")).root == vault.places.root
    with pytest.raises(NotFound):
        Places.above(tmp_path)


def test_links_and_hidden_files_are_no_notes(vault: Vault, tmp_path: Path) -> None:
    """A name that leads out of the vault is not read."""
    put(vault, "hawk/mine")
    folder = vault.places.vault("hawk")
    (tmp_path / "secret.md").write_text("x")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / ".hidden.md").write_text("x")
    (folder / "other.txt").write_text("x")
    assert [name for name, _ in notes(folder)] == ["mine"]
    assert list(notes(folder / "absent")) == []
