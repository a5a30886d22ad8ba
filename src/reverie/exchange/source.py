"""Where an export lies: in, a path to a file, an archive or an unpacked folder; out, open streams of what to read."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from reverie.durable import is_there
from reverie.errors import InvalidExport, NotFound

_WANTED = re.compile(r"(?:^|/)(?:conversations(?:-\d+)?\.json|[^/]*\.jsonl)$")
"""What is read of an archive or a folder: the conversations (newer exports split them) and JSON lines."""

SIZE_TRUSTED = 1 << 26
RATIO_MAX = 200
"""From so many bytes on, a member that unpacks to so many times its size is a trap: text shrinks to a tenth."""

_MEND = "Give the export's .zip, its conversations.json, or a file of JSON lines."


@dataclass(frozen=True, slots=True)
class Part:
    """One file to read: as it lies, or a member of the archive ``archive``."""

    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        """What it is called where several are read."""
        return self.member or self.path.name

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """The bytes. Raises InvalidExport for a file that cannot be read and an archive that is damaged or locked."""
        try:
            with ExitStack() as stack:
                yield self._opened(stack)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise _damaged(self.path, error) from None
        except OSError as error:
            raise _unreadable(self.path, error) from None

    def _opened(self, stack: ExitStack) -> io.BufferedReader:
        if not self.member:
            return stack.enter_context(self.path.open("rb"))
        archive = stack.enter_context(zipfile.ZipFile(self.path))
        held = archive.getinfo(self.member)
        if held.file_size > SIZE_TRUSTED and held.file_size > RATIO_MAX * max(held.compress_size, 1):
            raise InvalidExport(
                f"{self.member} of {self.path} unpacks to {held.file_size} bytes, {RATIO_MAX} times what it takes.",
                "No conversation does. If you trust it, unpack it by hand.",
            )
        try:
            member = cast("zipfile.ZipExtFile", stack.enter_context(archive.open(self.member)))
        except (NotImplementedError, RuntimeError) as error:  # a compression nobody knows; a password
            raise _damaged(self.path, error) from None
        return io.BufferedReader(member)


def parts(path: Path) -> list[Part]:
    """What is to be read of ``path``, in the order of the names.

    Raises:
        NotFound: there is no such file.
        InvalidExport: it cannot be opened, or holds no conversations.
    """
    if not is_there(path):
        raise NotFound(f"There is no file {path}.", "Check the path.")
    try:
        if path.is_dir():
            found = [Part(file) for file in wanted(path)]
        elif not _is_archive(path):
            return [Part(path)]
        else:
            with zipfile.ZipFile(path) as archive:
                found = [Part(path, name) for name in sorted(archive.namelist()) if _WANTED.search(name)]
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    if not found:
        raise InvalidExport(f"{path} holds no conversations.json and no JSON lines.", _MEND)
    return found


def unread(path: Path) -> list[str]:
    """The names of what else lies in an archive or a folder, and is not read."""
    if path.is_dir():
        read = set(wanted(path))
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file() and f not in read)
    if not _is_archive(path):
        return []
    with zipfile.ZipFile(path) as archive:
        return sorted(name for name in archive.namelist() if not name.endswith("/") and not _WANTED.search(name))


def wanted(folder: Path) -> list[Path]:
    """What is read of a folder, in the order of the names. Links are passed over: they may lead anywhere."""
    files = (f for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
    names = {f.relative_to(folder).as_posix(): f for f in files}
    return [names[name] for name in sorted(names) if _WANTED.search(name)]


def _is_archive(path: Path) -> bool:
    if not path.is_file():
        return False  # a pipe: looking at its first bytes would take them
    with path.open("rb") as stream:
        return stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def _damaged(path: Path, error: Exception) -> InvalidExport:
    return InvalidExport(f"The archive {path} cannot be read: {error}.", "Download it again, or unpack it by hand.")


def _unreadable(path: Path, error: OSError) -> InvalidExport:
    return InvalidExport(f"{path} cannot be read: {error.strerror or error}.", "Check the file and its permissions.")
