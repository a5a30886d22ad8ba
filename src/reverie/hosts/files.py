"""Another program's files: in, a path; out, its text; and writing it whole or not at all, through links, as it was.

What may go wrong is told in our own errors: nothing here leaves half a file, or a file with other permissions.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.durable import replace, unreadable, unwritable
from reverie.errors import Conflict, InvalidInput


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a file; ``before`` or ``after`` is None where there is none."""

    path: Path
    before: str | None
    after: str | None

    @property
    def is_none(self) -> bool:
        """Whether nothing changes."""
        return self.before == self.after


def read(path: Path) -> str | None:
    """A file's text; None where there is no file.

    Raises:
        InvalidInput: it is no regular file, or not UTF-8.
        StoreError: it cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InvalidInput(f"{path} is not a file.", "Move what is there out of the way.")
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(error, path) from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{path}, line {line}: not UTF-8.", "Mend it, then run this again.") from None


def write(change: Change, mode: int = 0o666) -> list[Path]:
    """Bring a file from ``before`` to ``after``; the folders that had to be made, outermost first.

    ``mode`` are the permissions of a new file, less what the user's mask takes.

    Raises:
        Conflict: the file says something else by now.
        StoreError: it cannot be written; nothing is changed then.
    """
    target = Path(os.path.realpath(change.path))
    if read(target) != change.before:
        raise Conflict(f"{change.path} was changed by another program meanwhile.", "Run this again.")
    try:
        if change.after is None:
            target.unlink()
            return []
        made = _folders(target.parent)
        replace(target, change.after.encode(), like=target.stat() if target.exists() else None, mode=mode)
    except OSError as error:
        raise unwritable(error, target) from None
    return made


def remove_empty(folders: list[Path]) -> None:
    """Remove folders that hold nothing, innermost first."""
    for folder in reversed(folders):
        with suppress(OSError):  # it holds something by now, or is gone
            folder.rmdir()


def _folders(folder: Path) -> list[Path]:
    missing = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing
