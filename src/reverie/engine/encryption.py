"""Encrypted stores: their key, from the system's keyring or from a file, and moving a store to encrypted and back.

The key is 32 random bytes that Reverie makes once. It never comes from the command line or from an environment
variable: other processes can read the first, and child processes inherit the second.
"""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.durable import create, is_there, open_handed_over, open_own, state_folder, unwritable
from reverie.engine.logs import CIPHER, copies_of, file_of, halves_of, has_own_file, is_address, logs_of
from reverie.errors import InvalidInput, ReverieError, StoreError, StoreMissing
from reverie.stores.sqlite.cipher import Key, driver, is_plain, require_encrypted

SERVICE, ENTRY = "reverie", "store"
"""Under which names the key lies in the keyring: one key for all encrypted stores of a user that name no file."""
SYNCED = "reverie-sync"
"""The folder of `reverie sync`, which is encrypted with a key of its own."""
_RAW = re.compile("[0-9a-f]{64}")
_KEY_MAX = 4096
"""Most bytes that are read of a key's file."""


@dataclass(frozen=True, slots=True)
class Converted:
    """What moving a store to encrypted, or back, did.

    Attributes:
        store: path of the store's file.
        digest: its digest, equal before and after.
        plain: files made of the store earlier that still hold its texts unencrypted: backups, exports, logs.
        removed: those of them that were overwritten and deleted.
    """

    store: str
    digest: str
    plain: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def encrypt(path: str | Path, key_file: str = "", *, erase_copies: bool = False) -> Converted:
    """Encrypt the store at a path in place, with the key from ``key_file`` or the keyring, made if there is none.

    ``erase_copies``: overwrite and delete the unencrypted backups and logs of operations of this store, too.

    Raises:
        StoreBusy: another process has the store open.
        StoreError: there is no store, it is encrypted already, or the key cannot be had; nothing was changed.
    """
    file = _file(path)
    if not is_plain(file):
        raise StoreError(
            f"{file} is no plain SQLite file: it is encrypted already, or damaged. Nothing was changed.",
            "Name an encrypted store as sqlcipher:PATH.",
        )
    from reverie.stores.sqlite.conversion import convert, convert_small

    key = key_for(key_file, make=True)
    for half in halves_of(file):  # left by a killed process; one of them may be plain
        half.unlink(missing_ok=True)
    digest = convert(file, None, key, state_folder(os.environ))
    convert_small(_jobs(file), None, key)  # a process killed before this: whoever opens the jobs does it
    plain, removed = _plain_copies(file, key), list[Path]()
    if erase_copies:
        logs = logs_of(file)
        removed = [one for one in plain if one in logs or is_plain(one)]
    for one in removed:
        _wipe(one)
    left = tuple(str(one) for one in plain if one not in removed)
    return Converted(str(file), digest, left, tuple(map(str, removed)))


def decrypt(path: str | Path, key_file: str = "") -> Converted:
    """Write the encrypted store at a path unencrypted, in place.

    Raises:
        StoreBusy: another process has the store open.
        StoreError: there is no store, it is not encrypted, or the key does not open it; nothing was changed.
    """
    file = _file(path)
    require_encrypted(file)
    key = key_for(key_file, make=False)
    from reverie.stores.sqlite.conversion import convert, convert_small

    convert_small(_jobs(file), key, None)
    digest = convert(file, key, None, state_folder(os.environ))
    return Converted(str(file), digest)


def _jobs(file: Path) -> Path:
    from reverie.stores.jobs import FILE, folder_of

    return folder_of(file) / FILE


def _file(path: str | Path) -> Path:
    """Return the real path of a store's file. Raises StoreMissing, InvalidInput."""
    name = str(path).removeprefix(CIPHER)
    if is_address(name):
        raise InvalidInput(
            "A tenant of a database is encrypted from its first memory on, or not at all.",
            "Export its memories, and import them into a new tenant with encrypted = true.",
        )
    if not has_own_file(name):
        raise InvalidInput(f"{name} has no file of Reverie's own to encrypt.", "Name a store's file.")
    file = file_of(name)
    if not file.is_file() or not file.stat().st_size:
        raise StoreMissing(f"There is no store at {file}.", "Check the path.")
    return file


def _plain_copies(file: Path, key: Key) -> list[Path]:
    """List the backups, exports and logs of a store that this key does not hide."""
    made = [one for one in copies_of(file) if one.name != SYNCED]
    return [one for one in (*made, *logs_of(file)) if one.exists() and not _is_encrypted(one, key)]


def _is_encrypted(path: Path, key: Key) -> bool:
    """Whether a file is a store that this key opens."""
    from reverie.stores.sqlite.file import read_only

    if is_plain(path):
        return False
    try:
        read_only(path, 1.0, key=key).close()
    except ReverieError:
        return False
    return True


def _wipe(path: Path) -> None:
    """Overwrite a file and delete it."""
    try:
        with path.open("r+b") as file:
            file.write(b"\xff" * path.stat().st_size)
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    except OSError as error:
        raise unwritable(error, path) from None


def key_for(file: str, *, make: bool) -> Key:
    """Return the key of an encrypted file from a file, or from the system's keyring if ``file`` is empty.

    ``make``: make a missing one.

    Raises:
        StoreError: there is no key, no keyring, SQLCipher is not installed, or the file is not this user's alone.
    """
    driver(Key("", ""))  # first, so that no key is made where none can be used
    return held_key(file, make=make)


def held_key(file: str, *, make: bool) -> Key:
    """Return the key from a file, or from the system's keyring if ``file`` is empty; ``make`` a missing one.

    Raises:
        StoreError: there is no key, no keyring, or the file is not this user's alone.
    """
    if file:
        return _from_file(Path(file).expanduser(), make=make)
    return _from_keyring(make=make)


def _from_file(path: Path, *, make: bool) -> Key:
    if not is_there(path):
        if not make:
            raise StoreError(f"There is no key at {path}.", "Bring the file back: without it the store stays closed.")
        return _write(path)
    try:
        with os.fdopen(_opened(path), "rb") as held:
            said = held.read(_KEY_MAX)
    except OSError as error:
        raise StoreError(
            f"The key at {path} cannot be read: {error.strerror or error}.",
            "It has to be an ordinary file of this user, not a link, or a readable secret of a container.",
        ) from None
    return _checked(said.decode("ascii", "replace"), str(path))


def _opened(path: Path) -> int:
    """Open the file of a key: a secret handed to this service, or a file of this user that nobody else may read."""
    handed_over = open_handed_over(path)
    if handed_over is not None:
        return handed_over
    handle = open_own(path, os.O_RDONLY)
    if os.name == "posix" and os.fstat(handle).st_mode & 0o077:
        os.close(handle)
        raise StoreError(f"Others may read or change the key at {path}.", f"Take that right away: chmod 600 {path}")
    return handle


def _write(path: Path) -> Key:
    key = _new(str(path))
    try:
        with create(path) as file:
            file.write(f"{key.digits}\n".encode())
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:  # another process was first
        return _from_file(path, make=False)
    except OSError as error:
        raise unwritable(error, path) from None
    return key


def _from_keyring(*, make: bool) -> Key:
    keyring = _keyring()
    try:
        said = keyring.get_password(SERVICE, ENTRY)
        if said is not None:
            return _checked(said, "your keyring")
        if not make:
            raise StoreError(
                "Your keyring has no key for Reverie's stores (entry reverie/store).",
                "If the key lies in a file, name it: setting key_file. Otherwise bring the entry back: without it the"
                " store stays closed.",
            )
        key = _new("your keyring")
        keyring.set_password(SERVICE, ENTRY, key.digits)
        return _checked(keyring.get_password(SERVICE, ENTRY) or "", key.origin)  # what was really kept
    except ReverieError:
        raise
    except Exception as error:  # a keyring raises whatever its system does: no session, locked, refused
        raise _no_keyring(str(error)) from error


def _keyring() -> Any:
    try:
        import keyring
    except ImportError:
        from reverie.extras import lacking  # every store loads this module, and few lack it

        raise lacking("sqlcipher", "The key in the system's keyring", StoreError) from None
    if getattr(keyring.get_keyring(), "priority", 1) <= 0:
        raise _no_keyring("none is set up")
    return keyring


def _no_keyring(why: str) -> StoreError:
    return StoreError(
        f"The system's keyring cannot be used ({why}).",
        "Unlock it, or keep the key in a file of your own: setting key_file, for example ~/.config/reverie/store.key.",
    )


def _new(origin: str) -> Key:
    return Key(secrets.token_hex(32), origin)


def _checked(said: str, origin: str) -> Key:
    digits = said.strip().lower()
    if not _RAW.fullmatch(digits):
        raise StoreError(
            f"What {origin} holds is no key: a key is 64 hexadecimal digits.",
            "Bring the right key back. Reverie makes one only for a new store.",
        )
    return Key(digits, origin)
