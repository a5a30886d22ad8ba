import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.hosts.files import ChangeNote, NoteBook, digest, way_back, with_folders

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\u2028", "d"]), max_size=8).map("".join)


def note(before: str | None, after: str, path: Path = Path("/x/a.json")) -> ChangeNote:
    """A note on a file that was changed so."""
    back = () if before is None else way_back(before, after)
    return ChangeNote(path, digest(after), before is None, (), back, (("hooks", "Stop"),), ((("a",), {"b": [1]}),))


@given(TEXTS, TEXTS)
def test_the_way_back_leads_back(before: str, after: str) -> None:
    """From any text to any other, byte for byte; and only from that very text."""
    kept = note(before, after)
    assert kept.restored(after) == before
    assert kept.untouched(after)
    assert not kept.untouched(after + " ")
    assert not kept.untouched(None)


def test_a_file_of_our_own_leads_back_to_none() -> None:
    """A file that was made is restored by being gone."""
    assert note(None, "x").restored("x") is None


def test_lines_that_stay_are_not_noted() -> None:
    """A note holds what changed, so a key elsewhere in the file is in it nowhere."""
    assert "secret" not in str(way_back('{\n"key": "secret"\n}\n', '{\n"key": "secret",\n"ours": 1\n}\n')[1:])


def test_notes_are_kept_and_found_again(tmp_path: Path) -> None:
    """Written and read they are the same; none left, the file is gone."""
    book = NoteBook.at({}, tmp_path, "codex", None)
    kept = [with_folders(note("a\n", "b\n"), [tmp_path / "made"]), note(None, "x", Path("/x/b"))]
    assert book.read() == {}
    book.write([])
    book.write(kept)
    assert list(book.read().values()) == kept
    assert stat.S_IMODE(book.path.stat().st_mode) == 0o600
    book.write([])
    assert not book.path.exists()
    assert not book.path.parent.exists()


def test_a_folder_whose_name_is_no_utf8_has_notes_too(tmp_path: Path) -> None:
    """As the system gives it to us, so that `doctor` can be run there; other names have the notes that they had."""
    odd, plain = (NoteBook.at({}, tmp_path, "cursor", Path(name)).path.name for name in ("/d\udcff", "/İş"))
    assert odd != plain
    assert plain == f"cursor-{digest('/İş')[:8]}.json"


def test_each_project_has_notes_of_its_own(tmp_path: Path) -> None:
    """User and project settings, and two projects, never share a file; XDG_STATE_HOME is where they lie."""
    books = [
        NoteBook.at({"XDG_STATE_HOME": str(tmp_path)}, Path("/h"), "codex", f) for f in (None, Path("/a"), Path("/b"))
    ]
    assert len({book.path for book in books}) == 3
    assert all(tmp_path in book.path.parents for book in books)
    assert NoteBook.at({"XDG_STATE_HOME": "relative"}, Path("/h"), "codex", None).path == Path(
        "/h/.local/state/reverie/hosts/codex.json"
    )


@pytest.mark.parametrize("text", ["{", "[]", '{"files": [{}]}', json.dumps({"files": [{"path": "/a", "digest": 1}]})])
def test_damaged_notes_are_named(tmp_path: Path, text: str) -> None:
    """The message names the file and what to do about it."""
    book = NoteBook(tmp_path / "codex.json")
    book.path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"codex\.json is damaged\. Remove it"):
        book.read()
