"""An archive costs no more than a stated factor of its own size, whatever is in it and whatever its headers say."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.exchange import reading, source

ROW = json.dumps({"text": "The key is under the mat.", "speaker": "Ada"}) + "\n"
MEGABYTE = 1 << 20


def _packed(path: Path, members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _one_big(path: Path) -> Path:
    return _packed(path, {"conversations.json": b"[" + b" " * (64 * MEGABYTE) + b"]"})


def _many_small(path: Path) -> Path:
    """Each below any limit of its own."""
    return _packed(path, {f"{number}.jsonl": b"\n" * 100_000 for number in range(700)})


def _beside_a_message(path: Path) -> Path:
    return _packed(path, {"a.jsonl": ROW.encode(), "b.jsonl": b" " * (64 * MEGABYTE)})


def _changed(path: Path, change: Callable[[zipfile.ZipFile], None]) -> Path:
    """An archive with what ``change`` makes of its directory: the headers of the members stay as they were."""
    with zipfile.ZipFile(path, "a") as archive:
        change(archive)
        archive._didModify = True  # type: ignore[attr-defined] # so that the directory is written anew
    return path


def _overlapping(path: Path) -> Path:
    """Many entries of the directory for the same packed bytes, which are kept once."""

    def again(archive: zipfile.ZipFile) -> None:
        [held] = archive.infolist()
        for number in range(1000):
            other = zipfile.ZipInfo(f"{number}.jsonl")
            for name in ("compress_type", "CRC", "compress_size", "file_size", "header_offset", "external_attr"):
                setattr(other, name, getattr(held, name))
            archive.filelist.append(other)

    return _changed(_packed(path, {"a.jsonl": b" " * (4 * MEGABYTE)}), again)


TRAPS = [_one_big, _many_small, _beside_a_message, _overlapping]


@pytest.mark.parametrize("made", TRAPS, ids=lambda made: made.__name__.strip("_"))
def test_what_unpacks_to_more_than_the_factor_is_refused_before_a_byte_is_unpacked(
    tmp_path: Path, made: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over all members together; the error says how to go on."""
    path = made(tmp_path / "export.zip")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a member was opened")

    monkeypatch.setattr(zipfile.ZipFile, "open", never)
    with pytest.raises(InvalidExport) as told:
        list(reading.read(path))
    assert "unpack it by hand and import the folder" in told.value.mend


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str)
def test_a_header_that_lies_buys_nothing(tmp_path: Path, how: int) -> None:
    """A member that says it is small is unpacked no further than it says, in memory too."""

    def lie(archive: zipfile.ZipFile) -> None:
        archive.infolist()[0].file_size = 1000

    path = _changed(_packed(tmp_path / "export.zip", {"a.jsonl": b" " * (64 * MEGABYTE)}, how), lie)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidExport):
            list(reading.read(path))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 8 * MEGABYTE


def test_thousands_of_members_are_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory of an archive is read so often, however many members it has."""
    opened: list[int] = []
    inner = zipfile.ZipFile._RealGetContents  # type: ignore[attr-defined] # what reads the directory
    monkeypatch.setattr(zipfile.ZipFile, "_RealGetContents", lambda self: (opened.append(1), inner(self))[1])
    counts = []
    for size in (10, 3000):
        row = ROW.encode()
        path = _packed(tmp_path / f"{size}.zip", {f"{number:05}.jsonl": row for number in range(size)})
        opened.clear()
        assert len(list(reading.read(path))) == size
        counts.append(len(opened))
    assert counts[0] == counts[1] <= 4


def test_an_archive_in_an_archive_is_not_opened(tmp_path: Path) -> None:
    """Under its own name it is passed over and named; under the name of a conversation it is no JSON."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * (16 * MEGABYTE) + b"]")
    left: list[str] = []
    path = _packed(tmp_path / "export.zip", {"inner.zip": inner.getvalue(), "a.jsonl": ROW.encode()})
    assert len(list(reading.read(path, report=lambda item: left.append(item.where)))) == 1
    assert left == ["inner.zip"]
    path = _packed(tmp_path / "disguised.zip", {"conversations.json": inner.getvalue()})
    with pytest.raises(InvalidExport):
        list(reading.read(path))


def test_two_members_of_one_name_are_both_read(tmp_path: Path) -> None:
    """Nothing is lost, and nothing is read twice."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jsonl", ROW)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.jsonl", ROW.replace("mat", "stone"))
    assert [message.text for message in reading.read(path)] == [
        "The key is under the mat.",
        "The key is under the stone.",
    ]


@pytest.mark.parametrize("cut", [0, 1, 10, 22])
def test_a_broken_directory_is_an_error_of_ours(tmp_path: Path, cut: int) -> None:
    """Cut short, or with a number in it that leads nowhere."""
    path = _packed(tmp_path / "export.zip", {"a.jsonl": ROW.encode()})
    whole = path.read_bytes()
    broken = whole[: len(whole) - cut] if cut else whole[:-6] + struct.pack("<L", 0xFFFFFFF0) + whole[-2:]
    path.write_bytes(broken)
    with pytest.raises(InvalidExport):
        list(reading.read(path))


def test_a_real_export_is_far_from_the_limit(tmp_path: Path) -> None:
    """Small ones are never measured; large ones shrink to a tenth or so."""
    rows = "".join(
        json.dumps({"text": f"Note {n} of {n * 7919 % 10007}.", "speaker": "Ada"}) + "\n" for n in range(150_000)
    )
    path = _packed(tmp_path / "export.zip", {"a.jsonl": rows.encode()})
    assert len(rows) > source.SIZE_TRUSTED
    assert len(rows) < source.RATIO_MAX / 3 * path.stat().st_size
    assert sum(1 for _ in reading.read(path)) == 150_000
