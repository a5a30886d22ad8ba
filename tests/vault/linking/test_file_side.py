from dataclasses import replace
from pathlib import Path

from reverie.vault.files import Edit
from reverie.vault.linking.executor import FileStep, Move, carried_out, clear
from reverie.vault.linking.links import FilePlace
from reverie.vault.linking.scan import tied
from reverie.vault.vault import Vault
from tests.vault.linking.test_pairing import file, known
from tests.vault.linking.test_words import NOW

TIE = tied(file("a", "one"), known("m1", "one"), NOW, shared=False)


def test_a_file_is_edited_and_then_moved(tmp_path: Path) -> None:
    """In one step, or not at all where somebody changed it."""
    path, to = tmp_path / "a.md", tmp_path / "archive" / "a.md"
    path.write_bytes(b"old")
    step = FileStep(TIE, replace(TIE, place=FilePlace.GONE), Edit(path, b"old", b"new"), Move(path, to, b"new"))
    assert carried_out([step, FileStep(TIE)]) == [True, True]
    assert (path.exists(), to.read_bytes()) == (False, b"new")
    path.write_bytes(b"somebody's")
    assert carried_out([step]) == [False]
    assert path.read_bytes() == b"somebody's"


def test_a_move_never_goes_over_another_file(tmp_path: Path) -> None:
    """It says that it is blocked."""
    path, to = tmp_path / "a.md", tmp_path / "b.md"
    path.write_bytes(b"one")
    to.write_bytes(b"two")
    move = Move(path, to, b"one")
    assert move.blocked
    assert carried_out([FileStep(TIE, move=move)]) == [False]
    assert (path.read_bytes(), to.read_bytes()) == (b"one", b"two")


def test_only_what_was_read_is_deleted(tmp_path: Path) -> None:
    """Not what somebody wrote since; what is gone already stays so."""
    path = tmp_path / "a.md"
    path.write_bytes(b"new")
    step = FileStep(None, TIE, delete=Move(path, path, b"old"))
    assert carried_out([step]) == [False]
    path.write_bytes(b"old")
    assert carried_out([step]) == [True]
    assert not path.exists()


def test_leftovers_are_cleared_in_every_folder(vault: Vault) -> None:
    """Of the link, the shared folder, the agent's vault and archive."""
    folders = [vault.places.own, vault.places.shared, vault.places.vault("owl"), vault.places.archive("owl")]
    for folder in folders:
        folder.mkdir(exist_ok=True)
        (folder / ".x.md.77.reverie").write_text("half")
        (folder / ".x.md").write_text("a person's")
    clear(vault.places, "owl")
    assert all(sorted(path.name for path in folder.iterdir()) == [".x.md"] for folder in folders)
