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
    named = Path(str(store).removeprefix(LANCE))
    return Path(os.path.realpath(named / STORE_FILE if named.is_dir() else named))
