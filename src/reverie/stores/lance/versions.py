"""How far a table has come, told by the names of its files: LanceDB need not be loaded to see that it rests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = "memories"
"""The one table that OpenClaw keeps."""
_VERSIONS = "_versions"
_SUFFIX = ".manifest"
_TURNED = 1 << 63
_LARGEST = (1 << 64) - 1


def table_folder(folder: Path) -> Path:
    """Where the table lies in its database."""
    return folder / f"{TABLE}.lance"


def is_database(folder: Path) -> bool:
    """Whether a folder holds the table."""
    return table_folder(folder).is_dir()


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the table: its number, and a stamp that another table's version of that number does not have.

    ``stamp`` "": the number alone is known.
    """

    number: int
    stamp: str


def latest(folder: Path) -> Version | None:
    """The table's last version; None where there is no table, or none whose files are named as known.

    LanceDB names a version's file by its number, or (newer) by the largest number there is less its number, so that the
    last one is listed first.
    """
    try:
        names = [path.name for path in (table_folder(folder) / _VERSIONS).iterdir()]
    except OSError:
        return None
    stems = (name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
    found = [(_number(stem), stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if not found:
        return None
    number, stem = max(found)
    return Version(number, _stamp(folder, stem))


def is_followed(folder: Path, before: Version) -> bool:
    """Whether the table that is there now is the one of that version, or may be: it was cleared of old ones."""
    stamps = [_stamp(folder, stem) for stem in (str(before.number), f"{_LARGEST - before.number:020}")]
    now = latest(folder)
    return now is not None and now.number >= before.number and _agree(stamps, before.stamp)


def _agree(stamps: list[str], before: str) -> bool:
    return not before or all(stamp in ("", before) for stamp in stamps)


def _number(stem: str) -> int:
    number = int(stem)
    return _LARGEST - number if number >= _TURNED else number


def _stamp(folder: Path, stem: str) -> str:
    try:
        stat = (table_folder(folder) / _VERSIONS / f"{stem}{_SUFFIX}").stat()
    except OSError:
        return ""
    return f"{stat.st_dev}:{stat.st_ino}:{stat.st_mtime_ns}:{stat.st_size}"
