import json
import zipfile
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.exchange import reader
from reverie.exchange.reader import parts


def test_a_folder_and_an_archive_without_conversations_say_what_was_looked_for(tmp_path: Path) -> None:
    """The reader learns which file is wanted."""
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("user.json", json.dumps({}))
    for place in (path, tmp_path):
        with pytest.raises(InvalidExport, match=r"conversations\.json"):
            parts(place)


def test_parts_come_in_order_of_name(tmp_path: Path) -> None:
    """Split exports are numbered, and the numbers are the order."""
    for number in (2, 0, 1):
        (tmp_path / f"conversations-00{number}.json").write_text("[]", encoding="utf-8")
    assert [part.path.name for part in parts(tmp_path)] == [f"conversations-00{n}.json" for n in range(3)]


def test_a_file_that_vanishes_between_look_and_read_is_an_error_of_ours(tmp_path: Path) -> None:
    """No OSError of the system reaches the caller."""
    path = tmp_path / "a.jsonl"
    path.write_text("{}", encoding="utf-8")
    [part] = parts(path)
    path.unlink()
    with pytest.raises(InvalidExport), part.open():
        pass


def test_what_is_not_read_of_an_archive_or_folder_is_named(tmp_path: Path) -> None:
    """Pictures, accounts, and links that lead elsewhere; of a single file nothing is left."""
    for name in ("conversations.json", "user.json", "image.png"):
        (tmp_path / name).write_text("[]", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for name in ("a/conversations.json", "a/user.json"):
            archive.writestr(name, "[]")
    assert reader.unread(tmp_path / "export.zip") == ["a/user.json"]
    assert reader.unread(tmp_path / "user.json") == []
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "user.json")
    assert reader.unread(tmp_path) == ["export.zip", "image.png", "link.jsonl", "user.json"]
    assert [path.name for path in reader.wanted(tmp_path)] == ["conversations.json"]


@pytest.mark.parametrize(
    ("head", "kind"), [(b"\x1f\x8b\x08", "gzip"), (b"7z\xbc\xaf\x27\x1c", "7-Zip"), (b"Rar!\x1a", "RAR")]
)
def test_another_kind_of_archive_is_named(tmp_path: Path, head: bytes, kind: str) -> None:
    """Instead of a complaint about its bytes; whoever packed an export anew can unpack it."""
    file = tmp_path / "export.zip"
    file.write_bytes(head + b"\0" * 20)
    with pytest.raises(InvalidExport, match=rf"packed with {kind}, which is not read\. Unpack it, or pack it as \.zip"):
        parts(file)


def test_the_page_of_an_export_is_not_its_conversations(tmp_path: Path) -> None:
    """ChatGPT's archive holds the chats as a page too, whose text only a script writes."""
    from reverie.exchange import bring
    from reverie.stores.foreign import open_tables

    page = tmp_path / "chat.html"
    page.write_text("<html><script>var jsonData = [];</script><body><div id='root'></div></body></html>")
    with pytest.raises(InvalidExport, match=r"give the \.zip, or the conversations\.json beside"):
        list(bring(page, open_tables))
