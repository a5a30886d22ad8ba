from pathlib import Path

from reverie.vault.linking.pairing import tied
from reverie.vault.linking.seeing import SETTLED_NS, seen, seen_shared, stamps
from reverie.vault.linking.ties import Place, Tie
from reverie.vault.vault import Vault
from tests.vault.linking.test_words import NOW, memory
from tests.vault.notes import put, text

NAME = "obs-2026-02-15-001"


def tie_of(vault: Vault, *, settled: bool) -> Tie:
    """The tie of hawk's first file, as if it had been seen long after it was written, or just then."""
    found = seen(vault.places, "hawk", ())
    one = found.files[NAME]
    stamp = dict(stamps(vault.places.vault("hawk")))[NAME]
    from dataclasses import replace

    return tied(replace(one, stamp=stamp) if settled else one, memory(), NOW, shared=False)


def test_a_file_that_did_not_change_is_not_read(vault: Vault) -> None:
    """As far as its time, size and number tell; one that changed a moment ago is read again."""
    path = put(vault, f"hawk/{NAME}")
    assert seen(vault.places, "hawk", [tie_of(vault, settled=True)]).files[NAME].read is None
    assert seen(vault.places, "hawk", [tie_of(vault, settled=False)]).files[NAME].read is not None
    tie = tie_of(vault, settled=True)
    path.write_text(text("Other words."))
    assert seen(vault.places, "hawk", [tie]).files[NAME].read is not None
    assert SETTLED_NS >= 2_000_000_000  # the coarsest clock of a file system that is in use


def test_of_two_of_a_name_the_active_one_is_seen(vault: Vault) -> None:
    """And an archived one alone is seen as that."""
    put(vault, f"hawk/{NAME}", body="active")
    archived = vault.places.archive("hawk") / f"{NAME}.md"
    archived.write_text(text("archived"))
    assert seen(vault.places, "hawk", ()).files[NAME].place is Place.ACTIVE
    (vault.places.vault("hawk") / f"{NAME}.md").unlink()
    assert seen(vault.places, "hawk", ()).files[NAME].place is Place.ARCHIVE


def test_what_cannot_be_read_is_named_and_is_not_gone(vault: Vault) -> None:
    """With its line; a readable namesake in the archive does not stand in for it."""
    path = put(vault, "hawk/broken", content="no head")
    (vault.places.archive("hawk") / "broken.md").write_text(text())
    found = seen(vault.places, "hawk", ())
    assert [(fault.path, fault.line) for fault in found.faults] == [(path, 1)]
    assert (found.broken, found.files) == ({"broken"}, {})


def test_links_and_hidden_files_are_nothing(vault: Vault, tmp_path: Path) -> None:
    """Whatever they lead to; a missing folder is told."""
    (tmp_path / "outside.md").write_text(text("secret"))
    for folder in (vault.places.vault("hawk"), vault.places.shared):
        (folder / "link.md").symlink_to(tmp_path / "outside.md")
        (folder / ".hidden.md").write_text(text())
        (folder / "folder.md").mkdir()
    assert seen(vault.places, "hawk", ()).files == {}
    assert seen_shared(vault.places, ()).files == {}
    assert not seen(vault.places, "hawk", ()).missing
    assert seen(vault.places, "wren", ()).missing
