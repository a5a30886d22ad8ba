"""Backups by date, of which the newest are kept, and restoring one.

In: an engine or a store's path. Out: files named after the store and the time (``reverie-20260302T093000Z.db``), each
examined before an older one is removed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.durable import is_there, state_folder, unwritable
from reverie.engine.logs import file_of, has_own_file, is_address, is_encrypted, is_list, plain_path
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.stores.sqlite.cipher import Key
    from reverie.stores.sqlite.restoring import Restored

FOLDER = "backups"
"""Name of the folder beside the store in which backups lie by default."""
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its file, and the backups that were removed because newer ones are kept."""

    file: Path
    digest: str
    scopes: int
    events: int
    removed: tuple[Path, ...] = ()


def folder_of(store: str) -> Path:
    """Return the folder of a store's backups. Raises InvalidInput for a store without a file of its own."""
    return _file(store).parent / FOLDER


def made(store: str, folder: Path) -> list[Path]:
    """Return the backups of a store in a folder, oldest first."""
    name = re.compile(rf"{re.escape(_file(store).stem)}-\d{{8}}T\d{{6}}Z(-\d+)?\.db")
    if not folder.is_dir():
        return []
    found = [one for one in folder.iterdir() if name.fullmatch(one.name) and one.is_file() and not one.is_symlink()]
    return sorted(found, key=_order)


def newest(store: str, folder: Path) -> Path:
    """Return the newest backup of a store in a folder. Raises InvalidInput if there is none."""
    found = made(store, folder)
    if not found:
        raise InvalidInput(f"There is no backup of this store in {folder}.", "Name a backup, or another folder.")
    return found[-1]


def back_up(engine: Reverie, store: str, folder: Path, now: datetime, *, keep: int = 0, key_file: str = "") -> Backup:
    """Write a new backup into a folder, examine it, and then remove all but the newest ``keep`` (0: none).

    Raises:
        InvalidInput: ``keep`` is negative, or the store has no file of its own.
        StoreError: the backup cannot be written, or is damaged; then nothing is removed.
    """
    from reverie.stores.sqlite.restoring import examine

    if keep < 0:
        raise InvalidInput(f"{keep} backups cannot be kept.", "Give 1 or more, or 0 for all.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(error, folder) from None
    stem, number = f"{_file(store).stem}-{now:{_STAMP}}", 1
    file = folder / f"{stem}.db"
    while is_there(file):
        number += 1
        file = folder / f"{stem}-{number}.db"
    engine.admin.backup(file)
    found = examine(file, _key(store, key_file))
    older = [one for one in made(store, folder) if one != file]
    surplus = older[: max(0, len(older) + 1 - keep)] if keep else []
    for one in surplus:
        try:
            for side in ("-wal", "-shm"):
                one.with_name(one.name + side).unlink(missing_ok=True)
            one.unlink()
        except OSError as error:
            raise unwritable(error, one) from None
    return Backup(file, found.digest, found.scopes, found.events, tuple(surplus))


def restore(store: str, backup: Path, now: datetime, *, key_file: str = "") -> Restored:
    """Put a backup in the store's place, and prove by its digest that it is the backup.

    The store that was there lies beside it afterwards, named after the time. Nobody else may have the store open.

    Raises:
        InvalidInput: the store has no file of its own.
        StoreError, Conflict: as ``reverie.stores.sqlite.restoring.restore``; the store stays as it was.
    """
    from reverie.stores.sqlite.restoring import restore as put

    file = _file(store)
    aside = file.with_name(f"{file.stem}-before-{now:{_STAMP}}.db")
    return put(file, backup, aside, _key(store, key_file), state_folder(os.environ))


def _file(store: str) -> Path:
    name = plain_path(store)
    if is_address(store):
        raise InvalidInput("A database is backed up by its own tools.", "Use pg_dump, or `reverie export --lossless`.")
    if is_list(name):
        raise InvalidInput(f"{name} lists several databases.", "Use `reverie store backup FOLDER`, which copies each.")
    if not has_own_file(name):
        raise InvalidInput(f"{name} has no file of Reverie's own.", "Use `reverie export --lossless`.")
    return file_of(name)


def _key(store: str, key_file: str) -> Key | None:
    from reverie.engine.encryption import key_for

    return key_for(key_file, make=False) if is_encrypted(store) else None


def _order(path: Path) -> tuple[str, int]:
    stem, _, number = path.stem.partition("Z")
    return stem, int(number.removeprefix("-") or 1)
