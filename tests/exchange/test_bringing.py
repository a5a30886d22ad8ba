"""Whatever lies at a path is told by its content."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from reverie.errors import InvalidExport, InvalidInput, NotFound
from reverie.exchange import ALL_KINDS, bring, reader
from reverie.stores.foreign import open_tables
from tests.exchange.foreign.made import CLAUDE_MEM, HISTORY, brought, database

AT = "2026-03-01T08:00:00+00:00"


def test_a_folder_of_chats_is_none_of_notes(tmp_path: Path) -> None:
    """A README beside an unpacked export does not make it a vault."""
    (tmp_path / "README.md").write_text("About this export.", encoding="utf-8")
    (tmp_path / "chat.jsonl").write_text('{"text":"hello"}\n', encoding="utf-8")
    assert [one.text for one in brought(tmp_path)[0]] == ["hello"]
    assert [one.text for one in brought(tmp_path, "basic-memory")[0]] == ["README\nAbout this export."]


def test_every_database_of_a_folder_is_read(tmp_path: Path) -> None:
    """One of another program beside them does no harm."""
    database(tmp_path / "history.db", [HISTORY], ("history", ("1", "m1", None, "tea", "ADD", AT, AT, 0, None, None)))
    database(tmp_path / "claude-mem.db", ["CREATE TABLE songs (id)"])
    assert [one.text for one in brought(tmp_path)[0]] == ["tea"]


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if kind != "document"])
def test_another_kind_than_it_is_brings_nothing(kind: str, tmp_path: Path) -> None:
    """An error, not a store of rubbish."""
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary\n", encoding="utf-8")
    with pytest.raises(InvalidExport):
        brought(path, kind)


def test_a_kind_nobody_knows_and_a_path_where_nothing_is(tmp_path: Path) -> None:
    """Each has its error, before anything is read."""
    with pytest.raises(InvalidInput, match="not known"):
        bring(tmp_path, open_tables, kind="diary")
    with pytest.raises(NotFound):
        bring(tmp_path / "nothing", open_tables)


def test_a_database_asked_for_as_another_is_refused(tmp_path: Path) -> None:
    """mem0's history is none of claude-mem's."""
    path = database(tmp_path / "h", [HISTORY], ("history", ("1", "m1", None, "tea", "ADD", AT, AT, 0, None, None)))
    assert brought(path, "mem0")[0]
    with pytest.raises(InvalidExport):
        brought(path, "claude-mem")
    with pytest.raises(InvalidExport):
        brought(path, "chatgpt")


def test_an_empty_database_holds_no_memory(tmp_path: Path) -> None:
    """Told, rather than passed over in silence."""
    with pytest.raises(InvalidExport, match="No memory"):
        brought(database(tmp_path / "claude-mem.db", CLAUDE_MEM))


def test_links_in_an_unpacked_folder_are_not_followed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """They may lead to anything on the machine."""
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.jsonl"
    secret.write_text('{"text":"4711"}\n', encoding="utf-8")
    (tmp_path / "link.jsonl").symlink_to(secret)
    (tmp_path / "own.jsonl").write_text('{"text":"hello"}\n', encoding="utf-8")
    assert [one.text for one in brought(tmp_path)[0]] == ["hello"]


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what it says of itself, before a byte is unpacked."""
    monkeypatch.setattr(reader, "SIZE_TRUSTED", 1 << 16)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * (1 << 20) + "]")
    with pytest.raises(InvalidExport, match="times what it takes"):
        brought(path)


def test_a_line_that_is_too_long_is_named_and_the_rest_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte is a text; a line without end is none."""
    monkeypatch.setattr(reader, "LINE_MAX", 2_000_000)
    long = json.dumps({"text": "x" * 1_000_000})
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(('{"text":"one"}', long, "y" * 5_000_000, '{"text":"two"}')), encoding="utf-8")
    messages, _, _, skipped = brought(path)
    assert [len(one.text) for one in messages] == [3, 1_000_000, 3]
    assert [(one.where, one.reason) for one in skipped] == [("line 3", "line that is too long")]


def test_a_lossless_export_is_no_conversation(tmp_path: Path) -> None:
    """From a pipe or archive it is refused by name."""
    path = tmp_path / "all.jsonl"
    path.write_text('{"schema":"reverie-journal/1","scope":null}\n', encoding="utf-8")
    with pytest.raises(InvalidExport, match="lossless"):
        brought(path)
