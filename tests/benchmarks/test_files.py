"""Files are read whatever their packing, and known by what is in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.files import kind, of_kind, records
from reverie.errors import InvalidExport
from tests.benchmarks import toy


@pytest.mark.parametrize("name", ["l.jsonl", "l.jsonl.gz", "l"])
def test_packing_does_not_depend_on_the_name(tmp_path: Path, name: str) -> None:
    """Plain and gzipped lines give the same records."""
    assert list(records(toy.write_lines(tmp_path / name, toy.locomo()))) == list(toy.locomo())


def test_gzip_is_known_without_its_ending(tmp_path: Path) -> None:
    """The first bytes tell."""
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(b'{"a": 1}\n\n{"a": 2}'))
    assert [record["a"] for record in records(path)] == [1, 2]


def test_one_array_is_as_good_as_lines(tmp_path: Path) -> None:
    """The authors' own files are arrays."""
    path = tmp_path / "l.json"
    path.write_text("\ufeff \n" + json.dumps(list(toy.locomo())))
    assert list(records(path)) == list(toy.locomo())


def test_each_file_is_known_by_its_keys(tmp_path: Path) -> None:
    """All five kinds are told apart; anything else is none of them."""
    folder = toy.write_all(tmp_path)
    (folder / "README.md").unlink()
    found = [kind(path) for path in sorted(folder.iterdir())]
    assert found == ["locomo", "longmemeval-sessions", "longmemeval-questions", "beam", "xquad"]
    assert kind(toy.write_lines(folder / "z", [{"other": 1}])) is None
    assert kind(toy.write_lines(folder / "empty", [])) is None


@pytest.mark.parametrize("content", [b"not json", b"[1, 2]", b"\x1f\x8bbroken", b"\xff\xfe", b'{"a": '])
def test_what_is_not_json_is_refused(tmp_path: Path, content: bytes) -> None:
    """The error says which file."""
    path = tmp_path / "odd.bin"
    path.write_bytes(content)
    with pytest.raises(InvalidExport, match="odd"):
        list(records(path))


def test_a_missing_file_or_kind_is_refused(tmp_path: Path) -> None:
    """The error says what was looked for."""
    with pytest.raises(InvalidExport, match="nowhere"):
        list(records(tmp_path / "nowhere"))
    with pytest.raises(InvalidExport, match="beam"):
        of_kind([toy.write_lines(tmp_path / "l", toy.locomo())], "beam")
