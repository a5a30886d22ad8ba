import os
from errno import EACCES, EIO, ENOSPC, EPERM
from pathlib import Path

import pytest

from reverie.durable import create, draft_of, is_there, put, replace, unreadable, unwritable, write_beside
from reverie.errors import InvalidInput, ReverieError, StoreError, StoreFull, StoreReadOnly


def test_a_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    """A new one has the mode asked for, a later one what the old one had; nothing is left beside."""
    file = tmp_path / "a.json"
    replace(file, b"1", mode=0o600)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    replace(file, b"2", like=file.stat())
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"2", 0o640)
    assert list(tmp_path.iterdir()) == [file]


def test_what_a_killed_writer_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """A process of the same number writes over what the other one left beside."""
    file = tmp_path / "a"
    left = write_beside(file, b"half")
    replace(file, b"whole")
    assert file.read_bytes() == b"whole"
    assert not left.exists()


def test_a_replacement_that_fails_leaves_what_was(tmp_path: Path) -> None:
    """A folder in the place of the file is not written over, and the new content is taken away again."""
    file = tmp_path / "a"
    file.mkdir()
    with pytest.raises(OSError, match=os.strerror(21)):
        replace(file, b"new")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(("number", "kind"), [(EACCES, StoreReadOnly), (ENOSPC, StoreFull), (EIO, StoreError)])
def test_what_cannot_be_written_is_told_by_its_kind(number: int, kind: type[ReverieError]) -> None:
    """With the path, and what to do."""
    error = unwritable(OSError(number, os.strerror(number)), Path("a.md"))
    assert type(error) is kind
    assert "a.md" in error.message
    assert error.mend


def test_what_cannot_be_read_is_told() -> None:
    """With the path, the system's reason, and what to do."""
    error = unreadable(OSError(EACCES, os.strerror(EACCES)), Path("a.md"))
    assert error.message == "a.md cannot be read: Permission denied."
    assert error.mend


def test_a_file_of_memories_is_its_owners_alone(tmp_path: Path) -> None:
    """Whatever the mask; it takes the permissions of the file it is to replace, and never one that is there."""
    (tmp_path / "old").write_bytes(b"")
    (tmp_path / "old").chmod(0o664)
    before = os.umask(0)
    try:
        for name, like in (("new", None), ("first", "missing"), ("next", "old")):
            with create(tmp_path / name, like=like and tmp_path / like) as file:
                file.write(b"1")
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("new", "first", "next")]
    assert modes == [0o600, 0o600, 0o664]
    with pytest.raises(FileExistsError):
        create(tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == b"1"


def test_what_cannot_be_looked_at_is_neither_there_nor_not(tmp_path: Path) -> None:
    """A link to itself stands for a locked folder, which root may enter."""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to("loop")
    assert is_there(tmp_path / "file")
    assert not is_there(tmp_path / "none")
    assert not is_there(tmp_path / "file" / "below")
    with pytest.raises(StoreError, match="loop cannot be read"):
        is_there(tmp_path / "loop")
    for name in ("\ud800", "a\0b"):
        with pytest.raises(InvalidInput):
            is_there(tmp_path / name)


@pytest.mark.parametrize("links", [True, False])
def test_a_draft_is_put_where_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """With hard links and on a file system without; what somebody else put there meanwhile stays."""

    def none(*_: object) -> None:
        raise OSError(EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", none)
    whole, other = tmp_path / "whole", tmp_path / "other"
    other.write_text("another's")
    for target in (whole, other):
        draft = draft_of(target)
        assert draft != draft_of(target)
        draft.write_text("ours")
        if target is whole:
            put(draft, target)
        else:
            with pytest.raises(FileExistsError):
                put(draft, target)
    assert (whole.read_text(), other.read_text()) == ("ours", "another's")
