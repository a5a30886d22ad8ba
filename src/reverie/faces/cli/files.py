"""Files a command writes: in, the system's error; out, ours."""

from __future__ import annotations

import errno
from pathlib import Path

from reverie.errors import ReverieError, StoreError, StoreFull, StoreReadOnly

_FULL = (errno.ENOSPC, errno.EDQUOT)


def file_error(error: OSError, path: Path) -> ReverieError:
    """The error of ours for a file or folder that could not be written."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreFull(f"{path} cannot be written: {reason}.", "Free some space, then try again.")
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return StoreReadOnly(f"{path} cannot be written: {reason}.", "Check the permissions of the file and folder.")
    return StoreError(f"{path} cannot be written: {reason}.", "Check the path.")
