"""Which files of a folder the user has trusted: settings (``reverie.toml``), stores and vault links.

Consents lie in the user's state folder and hold for one content at one path. Whoever can write into the folder can
change neither the copy already read nor the consents.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from reverie.config.sections import PROJECT_FILE
from reverie.durable import OWNER_ONLY, open_own, replace, state_folder, unwritable
from reverie.errors import InvalidSetting, ReverieError
from reverie.locking import locked

MAX_BYTES = 64 * 1024
"""Largest ``reverie.toml`` that is read."""
_OTHERS, _GROUP = 0o002, 0o020


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A folder's ``reverie.toml``: its path without links, and its content in bytes."""

    path: Path
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the content; the user's consent is bound to it."""
        return sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Sought:
    """The nearest settings file that may be read, and those skipped, each with the reason."""

    file: FolderFile | None
    ignored: tuple[str, ...] = ()


def seek(folder: Path) -> Sought:
    """Find the nearest ``reverie.toml`` in ``folder`` or above it that only the user can have written; skip others."""
    ignored: list[str] = []
    folder = folder.resolve()
    for place in (folder, *folder.parents):
        path = place / PROJECT_FILE
        if not os.path.lexists(path):
            continue
        try:
            return Sought(FolderFile(path, _content(path)), tuple(ignored))
        except OSError as error:
            ignored.append(f"{path} is ignored: {error.strerror}.")
    return Sought(None, tuple(ignored))


def _content(path: Path) -> bytes:
    """Return the content of a file that only the user can have written. Raises OSError."""
    with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
        if _others_write(os.fstat(file.fileno())):
            raise OSError(0, "others may write it; `chmod go-w` takes that from them", str(path))
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(0, f"it is larger than {MAX_BYTES // 1024} KiB", str(path))
    return content


def _others_write(held: os.stat_result) -> bool:
    """Whether anyone else may write a file; a group of the user's name without other members is the user alone."""
    if os.name != "posix":
        return False
    if not held.st_mode & _GROUP:
        return bool(held.st_mode & _OTHERS)
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(held.st_uid).pw_name, grp.getgrgid(held.st_gid)
    except KeyError:
        return True
    is_private = group.gr_name == user and set(group.gr_mem) <= {user}
    return not is_private or bool(held.st_mode & _OTHERS)


class TrustKind(StrEnum):
    """What can be trusted: a settings file, a store, or a vault's link."""

    SETTINGS = "settings"
    STORE = "store"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Agreed:
    """One consent to what lies at a path, valid while its ``mark`` is unchanged; ``text`` is the content agreed to."""

    kind: TrustKind
    path: str
    mark: str
    text: str = ""


class Trust:
    """The user's consents, kept in the state folder: one file for each path, written atomically."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._state = state_folder(os.environ if environment is None else environment)
        self._folder = None if self._state is None else self._state / "trust"

    def known(self, kind: TrustKind, path: Path) -> Agreed | None:
        """Return the last consent for a path; None if there is none or it cannot be read."""
        if self._folder is None:
            return None
        found = _read(self._record(kind, str(path)))
        return found if found is not None and (found.kind, found.path) == (kind, str(path)) else None

    def holds(self, kind: TrustKind, path: Path, mark: str) -> bool:
        """Whether the user has agreed to exactly this mark at this path."""
        agreements = self.known(kind, path)
        return agreements is not None and bool(mark) and agreements.mark == mark

    def agree(self, agreed: Agreed) -> None:
        """Write down a consent.

        Raises:
            InvalidSetting: there is no state folder.
            StoreError: the consent cannot be written.
        """
        if self._folder is None:
            raise InvalidSetting("HOME is not set, so there is no place for what you trust.", "Set HOME.")
        text = json.dumps(asdict(agreed))  # ASCII, whatever the path holds
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._writing():
                replace(self._record(agreed.kind, agreed.path), text.encode("ascii"), mode=OWNER_ONLY)
        except OSError as error:
            raise unwritable(error, self._folder) from None

    def revoke(self, path: Path) -> tuple[Agreed, ...]:
        """Revoke every consent for a path or below it, and return them. Raises StoreError."""
        gone = [one for one in self.listed() if Path(one.path).is_relative_to(path)]
        if gone and self._folder is not None:
            try:
                with self._writing():
                    for one in gone:
                        self._record(one.kind, one.path).unlink(missing_ok=True)
                self._forget(one.path for one in gone if one.kind is TrustKind.STORE)
            except OSError as error:
                raise unwritable(error, self._folder) from None
        return tuple(gone)

    def listed(self) -> list[Agreed]:
        """Return every consent, sorted by path."""
        if self._folder is None:
            return []
        found = (_read(record) for record in self._folder.glob("*.json"))
        return sorted((one for one in found if one is not None), key=lambda one: (one.path, one.kind))

    def trusts(self, file: FolderFile) -> bool:
        """Whether the user has agreed to this content of a folder's file."""
        return self.holds(TrustKind.SETTINGS, file.path, file.digest)

    def trust(self, file: FolderFile) -> None:
        """Write down the user's consent to this content of a folder's file. Raises InvalidSetting, StoreError."""
        self.agree(Agreed(TrustKind.SETTINGS, str(file.path), file.digest, file.content.decode("utf-8", "replace")))

    def owns(self, store: Path) -> bool:
        """Whether this user made or agreed to the store at a path: the same file with the same journal.

        A backup that this user made of it and put in its place counts too.
        """
        from reverie.stores.sqlite import agreements  # not loaded for settings alone

        agreed, mark = self.known(TrustKind.STORE, store), _identity(store)
        if agreed is None or not mark:
            return False
        if agreed.mark == mark:
            return agreements.is_still(store, self._state)
        if not agreements.is_backup(store, self._state):
            return False
        with suppress(ReverieError):  # if it cannot be written down, it is checked again
            self.own(store)
        return True

    def own(self, store: Path) -> None:
        """Write down that this user owns the store at a path. Raises InvalidSetting, StoreError."""
        from reverie.stores.sqlite import agreements

        self.agree(Agreed(TrustKind.STORE, str(store), _identity(store)))
        try:
            agreements.agree(store, self._state)
        except OSError as error:
            raise unwritable(error, store) from None

    def _forget(self, stores: Iterable[str]) -> None:
        """Remove what is noted of stores. Raises OSError."""
        from reverie.stores.sqlite import agreements

        for store in stores:
            agreements.forget(Path(store), self._state)

    def _writing(self) -> AbstractContextManager[None]:
        assert self._folder is not None
        return locked(self._folder / "lock", mode=OWNER_ONLY)

    def _record(self, kind: TrustKind, path: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{sha256(os.fsencode(f'{kind}:{path}')).hexdigest()[:32]}.json"


def _read(record: Path) -> Agreed | None:
    """Read a consent from its file; None if the file is not one of ours."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        with os.fdopen(open_own(record, os.O_RDONLY), "rb") as file:
            said = Agreed(**json.loads(file.read()))
        if all(isinstance(part, str) for part in (said.path, said.mark, said.text)):
            return Agreed(TrustKind(said.kind), said.path, said.mark, said.text)
    return None


def _identity(store: Path) -> str:
    """Return the inode number of a store's file, which changes if it is replaced; empty without a file."""
    try:
        return str(store.stat().st_ino)
    except OSError:
        return ""
