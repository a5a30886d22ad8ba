"""Write files atomically: a file appears at its path with its whole content, flushed to disk, or not at all.

The content is written to a file beside the target, flushed, and put in place in one step, so that no reader sees half
of it, even if a process is killed. Two writers of the same file need a lock of their own.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import BinaryIO

from reverie.errors import Conflict, InvalidInput, ReverieError, StoreError, StoreFull, StoreMissing, StoreReadOnly

OWNER_ONLY = 0o600
_FULL = (errno.ENOSPC, errno.EDQUOT)
_LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_LINK = (os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "O_NOFOLLOW") else 0
_DRAFT = re.compile(r"\.(\d+)-\d+\.reverie(?:-journal|-wal|-shm)?")
_NUMBERS = count()
"""Numbers the drafts of this process."""


def replace(path: Path, content: bytes, *, like: os.stat_result | None = None, mode: int = 0o666) -> None:
    """Replace a file's content. Raises OSError, in which case the old content remains.

    ``like``: take over this file's permissions and, if allowed, its owner; without it, use ``mode`` less the umask.
    """
    beside = write_beside(path, content, like=like, mode=mode)
    try:
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def write_beside(path: Path, content: bytes, *, like: os.stat_result | None = None, mode: int = 0o666) -> Path:
    """Write the content to a hidden file beside the path and flush it. Raises OSError, and then leaves no file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.reverie")
    beside.unlink(missing_ok=True)  # left by a killed process with the same number
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode if like is None else OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if like is not None:
                _give(file.fileno(), like)
            os.fsync(file.fileno())
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    return beside


def draft_of(path: Path) -> Path:
    """Return a new hidden path beside ``path`` for a draft, to be named by ``put``; no other call returns the same."""
    drafts = (path.with_name(f".{os.getpid()}-{number}.reverie") for number in _NUMBERS)
    return next(draft for draft in drafts if not is_there(draft))  # a killed process may have left one


def is_left(path: Path) -> bool:
    """Whether a file is a draft, or belongs to a draft, of a process that no longer runs."""
    found = _DRAFT.fullmatch(path.name)
    return found is not None and path.is_file() and not is_alive(int(found[1]))


def is_alive(process: int) -> bool:
    """Whether a process with this number runs on this machine; always False on Windows, where it cannot be checked."""
    if os.name != "posix":  # on Windows, os.kill(pid, 0) ends the process
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def put(draft: Path, path: Path) -> None:
    """Give a complete draft its final name; the draft may also remain under its own name.

    Raises:
        FileExistsError: the path already exists.
        OSError: the draft cannot be linked or renamed.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        create(path).close()
        draft.replace(path)


@contextmanager
def drafted(path: Path, *ends: str) -> Iterator[Path]:
    """Yield a draft path, and ``put`` the draft at ``path`` when the block ends; with its files of these suffixes.

    The draft is removed after any error; only a killed process leaves it behind.

    Raises:
        Conflict: the path already exists.
        StoreMissing: the folder does not exist.
        StoreFull, StoreReadOnly, StoreError: the file cannot be written.
    """
    if is_there(path) or path.is_symlink():
        raise taken(path)
    draft = draft_of(path)
    parts = {end: draft.with_name(draft.name + end) for end in ("", *ends)}
    try:
        yield draft
        for end, part in parts.items():
            if part.exists():
                put(part, path.with_name(path.name + end))
    except FileExistsError:
        raise taken(path) from None
    except FileNotFoundError:
        raise StoreMissing(f"There is no folder {path.parent}.", "Make it first, or check the path.") from None
    except OSError as error:
        raise unwritable(error, path) from error
    finally:
        with suppress(OSError):
            for part in parts.values():
                part.unlink(missing_ok=True)


def open_own(path: Path, flags: int, mode: int = OWNER_ONLY) -> int:
    """Open a file that belongs to this user alone, without following a link or waiting for a pipe.

    Raises:
        OSError: it cannot be opened, or is a link, a pipe, a device, another user's file, or a file with a second hard
            link, which may be somebody's settings.
    """
    handle = open_plain(path, flags, mode)
    why = _not_own(os.fstat(handle))
    if why:
        os.close(handle)
        raise PermissionError(errno.EPERM, why, str(path))
    return handle


def open_plain(path: Path, flags: int, mode: int = OWNER_ONLY) -> int:
    """Open a regular file, whoever owns it, without following a link or waiting for a pipe.

    Raises:
        OSError: it cannot be opened, or is a link, a folder, a pipe or a device.
    """
    try:
        handle = os.open(path, flags | _NO_LINK, mode)
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise OSError(errno.ELOOP, "it is a link, and links are not followed here", str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    return handle


def _not_own(held: os.stat_result) -> str:
    """Return why an open file does not belong to this user alone; "" if it does."""
    if held.st_nlink > 1:
        return "it has a second name elsewhere"
    is_ours = not hasattr(os, "geteuid") or held.st_uid == os.geteuid()
    return "" if is_ours else "it belongs to another user"


def taken(path: Path) -> Conflict:
    """Return the error for a path that already exists."""
    return Conflict(f"There is a file at {path} already.", "Choose another name, or move it away.")


def create(path: Path, *, like: Path | None = None) -> BinaryIO:
    """Create a file for memories, open for writing and readable by its owner only, whatever the umask.

    ``like``: take over the permissions of the file at this path, if it exists.

    Raises:
        FileExistsError: the path already exists.
        OSError: the file cannot be created.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    if like is not None:
        with suppress(FileNotFoundError, PermissionError):  # some file systems know no permissions
            shutil.copymode(like, path)
    return os.fdopen(handle, "wb")


def unwritable(error: OSError, path: Path) -> ReverieError:
    """Return the error that describes why a file could not be written."""
    what = f"{path} cannot be written: {error.strerror or error}."
    if error.errno in _FULL:
        return StoreFull(what, "Free some space, then run this again; what was done stays done.")
    if error.errno in _LOCKED:
        return StoreReadOnly(what, "Check the permissions of the file and its folder.")
    return StoreError(what, "Check the path.")


def unreadable(error: OSError, path: Path) -> StoreError:
    """Return the error for a file or folder that exists and cannot be read."""
    return StoreError(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


def is_there(path: Path) -> bool:
    """Whether a path exists.

    Raises:
        StoreError: the system does not allow the check: another user's folder, too long a name, a link to itself.
        InvalidInput: the path has characters this system does not allow, such as a lone surrogate.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unreadable(error, path) from None
    except ValueError:
        raise InvalidInput(f"{str(path)!r} can be no path.", "Give a path this system can write.") from None
    return True


def state_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder for logs and for the record of trusted projects; None without a home folder."""
    return _state_folder(environment.get("HOME", ""), environment.get("XDG_STATE_HOME", ""))


@lru_cache(8)
def _state_folder(home: str, named: str) -> Path | None:
    """Compute the folder once: each opening asks several times, and parsing the paths is slower than reading them."""
    base = user_folder({"HOME": home, "XDG_STATE_HOME": named}, "XDG_STATE_HOME", ".local/state")
    return base / "reverie" if base else None


def user_folder(environment: Mapping[str, str], variable: str, below: str) -> Path | None:
    """Return a folder of the user's, from its variable or below the home folder.

    A relative path is ignored, as XDG requires: it would point into the current folder.
    """
    named, home = Path(environment.get(variable, "")), Path(environment.get("HOME", ""))
    if named.is_absolute():
        return named
    return home / below if home.is_absolute() else None


def _give(handle: int, known: os.stat_result) -> None:
    """Give an open file the permissions and, if allowed, the owner of the file it replaces."""
    if not hasattr(os, "fchown"):
        return
    if (known.st_uid, known.st_gid) != (os.getuid(), os.getgid()):
        with suppress(PermissionError):  # only root may change the owner; the permissions are still set
            os.fchown(handle, known.st_uid, known.st_gid)
    os.fchmod(handle, stat.S_IMODE(known.st_mode))
