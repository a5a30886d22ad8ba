import errno
import os
import stat
from pathlib import Path

import pytest

from reverie.errors import Conflict, InvalidInput, StoreError, StoreFull, StoreReadOnly
from reverie.hosts import files
from reverie.hosts.files import FileChange


def test_a_file_is_written_and_keeps_its_permissions(tmp_path: Path) -> None:
    """The new text stands in the old one's place with its permissions, and nothing is left beside it."""
    file = tmp_path / "a.json"
    file.write_text("old\r\n", encoding="utf-8", newline="")
    file.chmod(0o640)
    assert files.read(file) == "old\r\n"
    assert files.write(FileChange(file, "old\r\n", "new ü\r\n")) == []
    assert file.read_bytes() == "new ü\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_folders_are_made_and_told(tmp_path: Path) -> None:
    """A new file gets its folders and the permissions asked for; empty folders go again, full ones stay."""
    file = tmp_path / "a" / "b" / "c.json"
    made = files.write(FileChange(file, None, "{}"), mode=0o600)
    assert made == [tmp_path / "a", tmp_path / "a" / "b"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert files.write(FileChange(file, "{}", None)) == []
    (tmp_path / "a" / "other").touch()
    files.remove_empty(made)
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "other"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What is linked to is written, wherever it lies; also where it is not there yet."""
    target, link = tmp_path / "dotfiles" / "a.json", tmp_path / "a.json"
    target.parent.mkdir()
    link.symlink_to(target)
    files.write(FileChange(link, None, "1"))
    files.write(FileChange(link, "1", "2"))
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "2"


def test_what_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Another program's newer text wins."""
    file = tmp_path / "a.json"
    file.write_text("theirs", encoding="utf-8")
    with pytest.raises(Conflict, match="meanwhile"):
        files.write(FileChange(file, "before", "ours"))
    assert file.read_text(encoding="utf-8") == "theirs"


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """A folder, and bytes that are not UTF-8, are named as what they are; where nothing is, there is no text."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidInput, match="is not a file"):
        files.read(tmp_path / "folder")
    (tmp_path / "a").write_bytes(b"ok\n\xff\n")
    with pytest.raises(InvalidInput, match="line 2: not UTF-8"):
        files.read(tmp_path / "a")
    assert files.read(tmp_path / "none") is None
    assert files.read(tmp_path / "a" / "below") is None


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, StoreFull), (errno.EROFS, StoreReadOnly), (errno.EACCES, StoreReadOnly), (errno.EIO, StoreError)],
)
def test_a_failed_write_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[StoreError]
) -> None:
    """Whatever the system refuses is told as our error; the old text stands and nothing lies beside it."""
    file = tmp_path / "a.json"
    file.write_text("old", encoding="utf-8")

    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(kind, match="cannot be written"):
        files.write(FileChange(file, "old", "new"))
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_in_the_place_of_a_folder_is_an_error_of_ours(tmp_path: Path) -> None:
    """A path that leads through a file cannot be written, and says so."""
    (tmp_path / "a").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        files.write(FileChange(tmp_path / "a" / "b.json", None, "x"))


def test_links_in_a_circle_are_an_error_of_ours(tmp_path: Path) -> None:
    """A link that leads back to itself cannot be read, and says so."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreError, match="cannot be read"):
        files.read(tmp_path / "a")
