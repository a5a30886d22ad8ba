"""Where an export lies: in, a path to a file, an archive or an unpacked folder; out, open streams of what to read.

An archive costs no more than its own size times ``RATIO_MAX``, over all its members together, whatever its headers say:
what is unpacked of a member ends where its header said it would, and the headers' sum is looked at first. Archives
inside an archive are not opened.
"""

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

SIZE_TRUSTED = 1 << 22
RATIO_MAX = 50
"""From so many bytes on, an archive that unpacks to so many times its size is a trap: talk shrinks to a tenth."""

_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How chat exports are packed. The others unpack a few bytes to gigabytes in one step, before anyone can look."""

_MEND = "Give the export's .zip, its conversations.json, or a file of JSON lines."


@dataclass(frozen=True, slots=True)
class Part:
    """One file to read: as it lies, or a member of the archive ``archive``."""

    path: Path
    member: zipfile.ZipInfo | None = None

    @property
    def name(self) -> str:
        """What it is called where several are read."""
        return self.path.name if self.member is None else self.member.filename

    @contextmanager
    def open(self, archive: zipfile.ZipFile | None = None) -> Iterator[io.BufferedReader]:
        """The bytes; of a member, out of its archive, which is open.

        Raises:
            InvalidExport: the file cannot be read; the archive is damaged or locked.
        """
        try:
            with ExitStack() as stack:
                yield self._opened(stack, archive)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise _damaged(self.path, error) from None
        except OSError as error:
            raise _unreadable(self.path, error) from None

    def _opened(self, stack: ExitStack, archive: zipfile.ZipFile | None) -> io.BufferedReader:
        if self.member is None or archive is None:
            return stack.enter_context(self.path.open("rb"))
        if self.member.compress_type not in _KNOWN:
            raise _damaged(self.path, f"{self.member.filename} is packed in a way that chat exports are not")
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
            found = _members(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    if not found:
        raise InvalidExport(f"{path} holds no conversations.json and no JSON lines.", _MEND)
    return found


@contextmanager
def archive_of(found: list[Part]) -> Iterator[zipfile.ZipFile | None]:
    """The archive that parts are members of, open; None where they are files. Raises InvalidExport."""
    if not found or found[0].member is None:
        yield None
        return
    with _archive(found[0].path) as archive:
        yield archive


def _members(path: Path) -> list[Part]:
    """What is to be read of an archive. Raises InvalidExport for one that is a trap."""
    with _archive(path) as archive:
        held = [member for member in archive.infolist() if _WANTED.search(member.filename)]
    size, whole = path.stat().st_size, sum(member.file_size for member in held)
    if whole > max(SIZE_TRUSTED, RATIO_MAX * size):
        raise InvalidExport(
            f"{path} unpacks to {whole} bytes, more than {RATIO_MAX} times its size ({size}).",
            "No export does. If you trust it, unpack it by hand and import the folder.",
        )
    if sum(member.compress_size for member in held) > size:
        raise _damaged(path, "its members overlap")
    return [Part(path, member) for member in sorted(held, key=lambda member: (member.filename, member.header_offset))]


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive, open to be read. Raises InvalidExport."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise _damaged(path, error) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    with archive:
        yield archive


def unread(path: Path) -> list[str]:
    """The names of what else lies in an archive or a folder, and is not read."""
    if path.is_dir():
        read = set(wanted(path))
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file() and f not in read)
    if not _is_archive(path):
        return []
    with _archive(path) as archive:
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


def _damaged(path: Path, error: Exception | str) -> InvalidExport:
    return InvalidExport(
        f"The archive {path} cannot be read: {error}.", "Download it again, or unpack it by hand and import the folder."
    )


def _unreadable(path: Path, error: OSError) -> InvalidExport:
    return InvalidExport(f"{path} cannot be read: {error.strerror or error}.", "Check the file and its permissions.")
