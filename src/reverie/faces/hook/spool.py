"""The spool: calls that are not done yet, each a private file under its stamp. What lies here survives the process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

PART_OLD_S = 60.0
"""A part of a file older than this was left by a process that died."""
KEPT_S = 30 * 86400.0
"""What could not be kept for so long never will be."""


class Spool:
    """The calls in ``folder``, oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, stamp: str, frame: bytes) -> None:
        """Keep a call until it is done. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._folder / f".{stamp}.in"
        part.unlink(missing_ok=True)
        part.touch(0o600)
        part.write_bytes(frame)
        part.rename(self._folder / stamp)

    def done(self, stamp: str) -> None:
        """The call needs no keeping any more."""
        (self._folder / stamp).unlink(missing_ok=True)

    def waiting(self) -> Iterator[tuple[str, bytes]]:
        """Stamps and calls; what a process that died left half written goes."""
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.iterdir()):
            try:
                age_s = time.time() - path.stat().st_mtime
                if age_s > (PART_OLD_S if path.name.startswith(".") else KEPT_S):
                    path.unlink()
                elif not path.name.startswith("."):
                    yield path.name, path.read_bytes()
            except FileNotFoundError:
                continue
