from datetime import UTC, datetime
from pathlib import Path

from reverie.vault.linking.links import FilePlace, Tie
from reverie.vault.linking.scan import seen, seen_shared, tied
from reverie.vault.vault import Vault
from tests.vault.linking.test_words import NOW, memory
from tests.vault.notes import put, text

NAME = "obs-2026-02-15-001"


LATER = datetime(9000, 1, 1, tzinfo=UTC)
"""Long after any file of a test was written."""


def tie_of(vault: Vault, when: datetime) -> Tie:
    """The tie of hawk's first file, as it was seen then."""
    return tied(seen(vault.places, "hawk", (), when).files[NAME], memory(), NOW, shared=False)


def test_a_file_that_did_not_change_is_not_read(vault: Vault) -> None:
    """As far as its time, size and number tell; one that changed a moment ago is read again."""
    path = put(vault, f"hawk/{NAME}")
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert seen(vault.places, "hawk", [tie_of(vault, LATER)], LATER).files[NAME].read is None
    assert seen(vault.places, "hawk", [tie_of(vault, written)], LATER).files[NAME].read is not None
    tie = tie_of(vault, LATER)
    path.write_text(text("Other words."))
    assert seen(vault.places, "hawk", [tie], LATER).files[NAME].read is not None


def test_of_two_of_a_name_the_active_one_is_seen(vault: Vault) -> None:
    """And an archived one alone is seen as that."""
    put(vault, f"hawk/{NAME}", body="active")
    archived = vault.places.archive("hawk") / f"{NAME}.md"
    archived.write_text(text("archived"))
    assert seen(vault.places, "hawk", (), LATER).files[NAME].place is FilePlace.ACTIVE
    (vault.places.vault("hawk") / f"{NAME}.md").unlink()
    assert seen(vault.places, "hawk", (), LATER).files[NAME].place is FilePlace.ARCHIVE


def test_what_cannot_be_read_is_named_and_is_not_gone(vault: Vault) -> None:
    """With its line; a readable namesake in the archive does not stand in for it."""
    path = put(vault, "hawk/broken", content="no head")
    (vault.places.archive("hawk") / "broken.md").write_text(text())
    found = seen(vault.places, "hawk", (), LATER)
    assert [(fault.path, fault.line) for fault in found.faults] == [(path, 1)]
    assert (found.broken, found.files) == ({"broken"}, {})


def test_links_and_hidden_files_are_nothing(vault: Vault, tmp_path: Path) -> None:
    """Whatever they lead to; a missing folder is told."""
    (tmp_path / "outside.md").write_text(text("secret"))
    for folder in (vault.places.vault("hawk"), vault.places.shared):
        (folder / "link.md").symlink_to(tmp_path / "outside.md")
        (folder / ".hidden.md").write_text(text())
        (folder / "folder.md").mkdir()
    assert seen(vault.places, "hawk", (), LATER).files == {}
    assert seen_shared(vault.places, (), LATER).files == {}
    assert not seen(vault.places, "hawk", (), LATER).missing
    assert seen(vault.places, "wren", (), LATER).missing
