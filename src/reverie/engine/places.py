"""Where a store lies: the names by which it is given, and the one file that each of them means."""

from __future__ import annotations

import os
from pathlib import Path

STORE_FILE = "reverie.db"
"""The store in a folder that is given as one."""
IN_MEMORY = ":memory:"
LANCE = "lance:"
"""May stand before a store that is OpenClaw's own table."""


def file_of(store: str | Path) -> Path:
    """The store's file, without links: by any of its names it is the same one."""
    named = str(Path(str(store).removeprefix(LANCE)))
    is_folder = os.path.isdir(named)  # noqa: PTH112 - at each opening, and a Path takes three times as long
    return Path(os.path.realpath(os.path.join(named, STORE_FILE) if is_folder else named))  # noqa: PTH118 - as above
