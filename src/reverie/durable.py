"""Atomic, durable file writes, and safe opening of files.

New content is written to a temporary file in the same folder, synced to disk and renamed in one step, so that nobody
ever reads half of it, even if the process is killed. Two writers of one file must use a lock of their own.
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
_NO_LINK = (os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "O_NOFOLLOW") else getattr(os, "O_BINARY", 0)
_DRAFT = re.compile(r"\.(\d+)-\d+\.reverie(?:-journal|-wal|-shm|-head)?")
_NUMBERS = count()
"""Numbers the drafts (temporary files) of this process."""


def replace(path: Path, content: bytes, *, like: os.stat_result | None = None, mode: int = 0o666) -> None:
    """Replace a file's content atomically. Raises OSError, in which case the old content remains.

    ``like``: take permissions and, where allowed, the owner from this status; without it ``mode``, less the umask.
    """
    beside = write_beside(path, content, like=like, mode=mode)
    try:
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def write_beside(path: Path, content: bytes, *, like: os.stat_result | None = None, mode: int = 0o666) -> Path:
    """Write content, synced, to a hidden file beside ``path``; return its path. Raises OSError and leaves no file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.reverie")
    beside.unlink(missing_ok=True)  # left by a killed process that had the same process id
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
    """Return an unused path for a draft, a hidden temporary file beside ``path``, to be ``put`` there when complete."""
    drafts = (path.with_name(f".{os.getpid()}-{number}.reverie") for number in _NUMBERS)
    return next(draft for draft in drafts if not is_there(draft))  # a killed process of the same id may have left one


def is_left(path: Path) -> bool:
    """Whether a file is a draft, or a SQLite companion file of one, whose process no longer runs."""
    found = _DRAFT.fullmatch(path.name)
    return found is not None and path.is_file() and not is_alive(int(found[1]))


def is_alive(process: int) -> bool:
    """Whether a process of this id runs on this machine; always False on Windows, where asking would end it."""
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def put(draft: Path, path: Path) -> None:
    """Move a complete draft to its final path; the draft's own name may remain as a second link.

    Raises:
        FileExistsError: there is something at the path.
        OSError: it cannot be done.
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
    """Yield a draft path to write to; on success, move the draft to ``path``, with companion files named by ``ends``.

    The draft is removed after any error; only a killed process can leave it.

    Raises:
        Conflict: there is something at the path.
        StoreMissing: the path's folder does not exist.
        StoreFull, StoreReadOnly, StoreError: it cannot be written.
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


@contextmanager
def new_draft(path: Path) -> Iterator[Path]:
    """Yield a new empty file beside ``path``; it and its SQLite companion files are removed at the end.

    Raises:
        StoreFull, StoreReadOnly, StoreError: it cannot be written.
    """
    draft = draft_of(path)
    try:
        create(draft).close()
        yield draft
    except OSError as error:
        raise unwritable(error, path) from error
    finally:
        for end in ("", "-wal", "-shm", "-journal", "-head"):
            with suppress(OSError):
                draft.with_name(draft.name + end).unlink(missing_ok=True)


def open_own(path: Path, flags: int, mode: int = OWNER_ONLY) -> int:
    """Open a file that belongs to this user, without following a symbolic link and without blocking on a pipe.

    Raises:
        OSError: it cannot be opened, or is a link, a folder, a pipe, a device, another user's file, or a file with a
            second hard link, which may be somebody's settings.
    """
    handle = open_plain(path, flags, mode)
    why = _not_own(os.fstat(handle))
    if why:
        os.close(handle)
        raise PermissionError(errno.EPERM, why, str(path))
    return handle


def open_plain(path: Path, flags: int, mode: int = OWNER_ONLY) -> int:
    """Open a regular file of any owner, without following a symbolic link and without blocking on a pipe.

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


HANDED_OVER = (Path("/run/secrets"), Path("/run/credentials"))
"""Folders in which a container's engine, Kubernetes or systemd hands secrets to a service."""


def open_handed_over(path: Path) -> int | None:
    """Open a secret that was handed to this service for reading; None if the path names none.

    It is one if it lies below a folder of ``HANDED_OVER``, also behind links that stay there, on a mount that cannot be
    written. Owner and mode are then those of the machine that made the mount, and nobody in the service can change it.

    Raises:
        OSError: it may not be read, or is a folder, a pipe or a device.
    """
    real = Path(os.path.realpath(path))
    if os.name != "posix" or not any(real.is_relative_to(folder) for folder in HANDED_OVER):
        return None
    handle = open_plain(real, os.O_RDONLY)
    if os.fstatvfs(handle).f_flag & os.ST_RDONLY:
        return handle
    os.close(handle)
    return None


def _not_own(held: os.stat_result) -> str:
    """Return why an open file is not this user's alone; "" if it is."""
    if held.st_nlink > 1:
        return "it has a second name elsewhere"
    is_ours = not hasattr(os, "geteuid") or held.st_uid == os.geteuid()
    return "" if is_ours else "it belongs to another user"


def require_private(path: Path) -> None:
    """Raise InvalidInput for a file that others may read or write: it may have come with a folder, from anybody."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(
            f"{path} can be read or written by others, as a file that came with the folder.",
            f"If it is yours: chmod 600 {path}. Otherwise delete it: what it says is somebody else's.",
        )


def taken(path: Path) -> Conflict:
    """Make the error for a path where there is something already."""
    return Conflict(f"There is a file at {path} already.", "Choose another name, or move it away.")


def create(path: Path, *, like: Path | None = None) -> BinaryIO:
    """Create a file that only its owner can read, and open it for writing.

    ``like``: copy the permissions of this file instead, if it exists.

    Raises:
        FileExistsError: there is something at the path.
        OSError: it cannot be made.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    if like is not None:
        with suppress(FileNotFoundError, PermissionError):  # some file systems have no permissions
            shutil.copymode(like, path)
    return os.fdopen(handle, "wb")


def unwritable(error: OSError, path: Path) -> ReverieError:
    """Make the error for a file that could not be written: StoreFull, StoreReadOnly or StoreError."""
    what = f"{path} cannot be written: {error.strerror or error}."
    if error.errno in _FULL:
        return StoreFull(what, "Free some space, then run this again; what was done stays done.")
    if error.errno in _LOCKED:
        return StoreReadOnly(what, "Check the permissions of the file and its folder.")
    return StoreError(what, "Check the path.")


def unreadable(error: OSError, path: Path) -> StoreError:
    """Make the error for a file or folder that exists and cannot be read."""
    return StoreError(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


def is_there(path: Path) -> bool:
    """Whether there is anything at a path.

    Raises:
        StoreError: the system does not say: another user's folder, a name too long, a link to itself.
        InvalidInput: the path holds a character that this system does not allow, as a lone surrogate.
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
    """Return the folder of logs and of the list of trusted stores; None without a home folder."""
    return _state_folder(home_folder(environment), environment.get("XDG_STATE_HOME", ""))


@lru_cache(8)
def _state_folder(home: str, named: str) -> Path | None:
    """Compute ``state_folder``; cached, because opening a store calls it several times."""
    base = user_folder({"HOME": home, "XDG_STATE_HOME": named}, "XDG_STATE_HOME", ".local/state")
    return base / "reverie" if base else None


def home_folder(environment: Mapping[str, str]) -> str:
    """Return the user's home folder, by HOME or, as on Windows, USERPROFILE; empty if neither is set."""
    return environment.get("HOME") or environment.get("USERPROFILE", "")


def user_folder(environment: Mapping[str, str], variable: str, below: str) -> Path | None:
    """Return a user folder: the value of an environment variable, else a folder below the home; None without a home.

    Relative paths are ignored, as XDG demands: they would depend on the current folder.
    """
    named, home = Path(environment.get(variable, "")), Path(home_folder(environment))
    if named.is_absolute():
        return named
    return home / below if home.is_absolute() else None


def _give(handle: int, known: os.stat_result) -> None:
    """Give an open file the permissions and, where allowed, the owner of the file it is to replace."""
    if not hasattr(os, "fchown"):
        return
    if (known.st_uid, known.st_gid) != (os.getuid(), os.getgid()):
        with suppress(PermissionError):  # only root may change the owner; the permissions are set in any case
            os.fchown(handle, known.st_uid, known.st_gid)
    os.fchmod(handle, stat.S_IMODE(known.st_mode))
