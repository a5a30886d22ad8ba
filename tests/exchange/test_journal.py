"""The lines of a lossless export."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import InvalidExport, NotFound
from reverie.events import Action, Event
from reverie.exchange import journal
from reverie.exchange.journal import End, JournalHead, JournalLine, end_line, event_line, head_line, is_journal, read
from reverie.types import Scope

SCOPE = Scope("a", "u", "p")
HASH = "0f" * 32
EVENT = Event(1, SCOPE, datetime(2026, 3, 1, tzinfo=UTC), "a", Action.RECALL, "", None, b"salt", HASH, HASH, HASH)
END = End(1, 1, HASH, "")


def written(path: Path, *lines: bytes) -> Path:
    """A file of these lines."""
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.parametrize(
    "raw", [b'{"memories":["m1"]}', '{"memories":["\ud83d\ude00"]}'.encode("utf-8", "surrogatepass")]
)
def test_what_was_written_is_read(raw: bytes, tmp_path: Path) -> None:
    """Byte for byte, surrogates too."""
    path = written(tmp_path / "j", head_line(SCOPE), event_line(EVENT, raw), end_line(END))
    assert path.read_bytes().decode("utf-8")
    assert list(read(path)) == [JournalHead(SCOPE), JournalLine(EVENT, raw, "line 2"), END]
    assert is_journal(path)


def test_a_tombstone_has_neither_salt_nor_payload(tmp_path: Path) -> None:
    """Its digest stays."""
    erased = Event(1, SCOPE, EVENT.at, "a", Action.REMEMBER, "", None, None, HASH, HASH, HASH)
    path = written(tmp_path / "j", head_line(None), event_line(erased, None), end_line(END))
    assert list(read(path)) == [JournalHead(None), JournalLine(erased, None, "line 2"), END]


def changed(**fields: object) -> bytes:
    """The event's line with other fields."""
    return json.dumps(json.loads(event_line(EVENT, b"{}")) | fields).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        changed(seq="1"),
        changed(seq=True),
        changed(seq=2**70),
        changed(scope=["a", "u"]),
        changed(scope=["a", "u", ""]),
        changed(at="2026-03-01T00:00:00+03:00"),
        changed(at=5),
        changed(action="explode"),
        changed(why=None),
        changed(hash="xyz"),
        changed(salt="zz"),
        b'{"base64":"*"}\n',
        b"[1,2]\n",
        b"\xff\xfe\n",
        b"[" * 200_000 + b"\n",
        b'{"seq":' + b"9" * 5000 + b"}\n",
        b"\n",
    ],
)
def test_a_broken_line_is_an_error_that_names_it(line: bytes, tmp_path: Path) -> None:
    """Whatever is wrong with it, no other exception gets out."""
    with pytest.raises(InvalidExport, match="line 2"):
        list(read(written(tmp_path / "j", head_line(None), line, end_line(END))))


def test_a_line_without_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded."""
    monkeypatch.setattr(journal, "LINE_MAX", 1000)
    with pytest.raises(InvalidExport, match="longer than 1000 bytes"):
        list(read(written(tmp_path / "j", head_line(None), b"x" * 5000)))


def test_a_file_that_ends_too_early_is_told(tmp_path: Path) -> None:
    """Without its last line, or with events missing before it."""
    with pytest.raises(InvalidExport, match="last line is missing"):
        list(read(written(tmp_path / "j", head_line(None), event_line(EVENT, b"{}"))))
    with pytest.raises(InvalidExport, match="1 events were written, 0 are there"):
        list(read(written(tmp_path / "j", head_line(None), end_line(END))))


def test_a_newer_schema_is_told(tmp_path: Path) -> None:
    """The mend is an update."""
    path = written(tmp_path / "j", b'{"schema":"reverie-journal/3","scope":null}\n')
    assert is_journal(path)
    with pytest.raises(InvalidExport, match="newer than reverie-journal/2"):
        list(read(path))


def test_what_is_none_is_told_apart(tmp_path: Path) -> None:
    """A plain export, a folder, nothing at all."""
    assert not is_journal(written(tmp_path / "plain", b'{"schema":"reverie/1"}\n'))
    assert not is_journal(written(tmp_path / "list", b"[]\n"))
    assert not is_journal(tmp_path)
    assert not is_journal(tmp_path / "nothing")
    with pytest.raises(NotFound):
        list(read(tmp_path / "nothing"))
    with pytest.raises(InvalidExport, match="no first line"):
        list(read(tmp_path / "plain"))
