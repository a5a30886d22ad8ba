"""The spool: calls that are not done yet, each a private file under its stamp. What lies here survives the process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
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

    def waiting(self, known: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, bytes]]:
        """Stamps and calls that are not ``known``; what a process that died left half written goes.

        What cannot be read is passed over: one file must not keep back the others.
        """
        try:
            names = sorted(path.name for path in self._folder.iterdir())
        except OSError:
            return
        for name in names:
            with suppress(OSError):
                if not known(name) and self._is_due(self._folder / name):
                    yield name, (self._folder / name).read_bytes()

    def _is_due(self, path: Path) -> bool:
        """Whether it is a call that is still to be kept; leavings are removed."""
        is_part = path.name.startswith(".")
        if time.time() - path.stat().st_mtime > (PART_OLD_S if is_part else KEPT_S):
            path.unlink()
            return False
        return not is_part
