"""How far a table has come, by the names of its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.stores.lance.table import Version, is_database, is_followed, latest, table_folder
from tests.stores.lance.making import Stock, row


def manifests(folder: Path, *names: str) -> Path:
    """A table with these files as its versions."""
    for name in names:
        path = table_folder(folder) / "_versions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return folder


def test_no_table_has_no_version(tmp_path: Path) -> None:
    """Neither a folder without one, nor one that is not there."""
    assert latest(tmp_path) is None
    assert not is_database(tmp_path / "none")
    assert latest(manifests(tmp_path, "latest_version_hint.json", "d12.manifest")) is None
    assert is_database(tmp_path)


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("1.manifest", "2.manifest", "10.manifest"), 10),
        (("18446744073709551614.manifest", "18446744073709551605.manifest", "latest_version_hint.json"), 10),
    ],
)
def test_both_ways_of_naming_are_read(tmp_path: Path, names: tuple[str, ...], number: int) -> None:
    """By number, and by the largest number less the number."""
    found = latest(manifests(tmp_path, *names))
    assert found is not None
    assert found.number == number
    assert is_followed(tmp_path, found)
    assert is_followed(tmp_path, Version(number - 1, ""))


def test_another_table_of_the_same_number_is_told_apart(tmp_path: Path) -> None:
    """A table made anew in its place, gone back, or gone is not the one that was met."""
    found = latest(manifests(tmp_path, "1.manifest", "2.manifest"))
    assert found is not None
    assert not is_followed(tmp_path, Version(2, "0:0:0:0"))
    assert not is_followed(tmp_path, Version(3, ""))
    (table_folder(tmp_path) / "_versions" / "2.manifest").unlink()
    assert not is_followed(tmp_path, found)
    manifests(tmp_path, "7.manifest")
    assert is_followed(tmp_path, found)  # cleared of old versions since


def test_the_number_is_lancedbs_own(tmp_path: Path) -> None:
    """What is read off the names is what LanceDB answers, after every write."""
    stock = Stock(tmp_path)
    for number in range(3):
        stock.store(row(number))
        found = latest(tmp_path)
        assert found is not None
        assert found.number == stock.table.version
