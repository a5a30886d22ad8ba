import os
import subprocess
from pathlib import Path

import pytest

from reverie.errors import InvalidInput, NotFound
from reverie.vault.files import Edit, Places, carry_out, contents, is_agent, move, notes
from reverie.vault.laws import Laws
from reverie.vault.scaffold import lay_ground
from reverie.vault.vault import Vault
from tests.vault.notes import put, text


def test_an_edit_keeps_permissions_and_leaves_nothing_beside(tmp_path: Path) -> None:
    """One file or many: each stands whole in its place."""
    for count in (1, 40):
        folder = tmp_path / str(count)
        paths = [folder / f"{number}.md" for number in range(count)]
        assert all(carry_out([Edit(path, None, b"old") for path in paths]))
        paths[0].chmod(0o640)
        assert all(carry_out([Edit(path, b"old", b"new") for path in paths]))
        assert {path.read_bytes() for path in paths} == {b"new"}
        assert paths[0].stat().st_mode & 0o777 == 0o640
        assert sorted(folder.iterdir()) == sorted(paths)


@pytest.mark.req("B2")
def test_what_somebody_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    """Neither a changed file, nor one that came or went, nor one behind a link."""
    changed, came, gone, link = (tmp_path / name for name in ("a", "b", "c", "d"))
    changed.write_bytes(b"a person's")
    came.write_bytes(b"a person's")
    link.symlink_to(changed)
    edits = [Edit(changed, b"read", b"x"), Edit(came, None, b"x"), Edit(gone, b"read", b"x")]
    edits += [Edit(link, b"a person's", b"x")]
    assert carry_out(edits) == [False, False, False, False]
    assert changed.read_bytes() == came.read_bytes() == b"a person's"
    assert sorted(tmp_path.iterdir()) == [changed, came, link]


def test_a_move_writes_over_nothing(tmp_path: Path) -> None:
    """A file that was changed stays, and so does one whose new name is taken; a move broken off is finished."""
    one, to = tmp_path / "one", tmp_path / "archive" / "one"
    one.write_bytes(b"x")
    assert not move(one, to, b"y")
    assert move(one, to, b"x")
    assert contents(one) is None
    assert contents(to) == b"x"
    one.write_bytes(b"x")
    assert not move(one, to, b"x")
    one.unlink()
    os.link(to, one)
    assert move(one, to, b"x")
    assert contents(one) is None


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


@pytest.mark.req("B1")
@pytest.mark.parametrize("observations", [(), ("agents/hawk/memory/vault/a.md",), ("shared/observations/a.md",)])
def test_a_vault_is_one_after_git_clone(tmp_path: Path, laws: Laws, observations: tuple[str, ...]) -> None:
    """Git carries no empty folder: what `init` lays in keeps an empty vault one, with the count of what happened."""
    root = tmp_path / "repo"
    vault = Vault(Places(root), laws)
    vault.init(("hawk",))
    lay_ground(vault.places)
    for name in observations:
        (root / name).write_text(text())
    (vault.places.own / "vault.lock").touch()
    (vault.places.own / "link.json").touch()
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "all")):
        subprocess.run((*git, str(root), *words), check=True)
    subprocess.run(("git", "clone", "-q", str(root), str(tmp_path / "clone")), check=True)
    clone = Places(tmp_path / "clone")
    assert Places.above(clone.vault("hawk")).root == clone.root
    assert clone.agents() == ["hawk"]
    assert {path.name for path in clone.own.iterdir()} == {".gitignore", "vault.json"}


@pytest.mark.req("B1")
def test_an_older_vault_is_one_after_git_clone(vault: Vault) -> None:
    """Where nothing was shared yet, a clone lacks the shared folder, and has an agent's memory."""
    put(vault, "hawk/a")
    vault.places.shared.rmdir()
    vault.places.shared.parent.rmdir()
    assert Places.above(vault.places.vault("hawk")).root == vault.places.root
    assert not Places(vault.places.agents_folder).is_vault()


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
