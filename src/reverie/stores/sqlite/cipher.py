"""The SQL module that opens a store: Python's own, or SQLCipher's for an encrypted one, and what differs with a key.

An encrypted store is one SQLite file of which each page is encrypted and authenticated, the log's pages too. The key is
32 random bytes; no password is stretched at each opening.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.errors import StoreError

_PLAIN = b"SQLite format 3\0"
_LOG_HEAD, _FRAME_HEAD, _PAGE_MAX = 32, 24, 1 << 16
"""Bytes of the header of SQLite's log, of a page's header in it, and of the largest page."""


@dataclass(frozen=True, slots=True)
class Key:
    """A store's key: 64 hexadecimal digits, and where it came from, for messages."""

    digits: str = field(repr=False)
    origin: str


UNENCRYPTED = Key("", "")
"""Has SQLCipher's module open a plain file."""


def driver(key: Key | None) -> Any:
    """Return the SQL module for a store with this key: SQLCipher's, or, without a key, Python's own.

    Raises StoreError if SQLCipher is not installed.
    """
    if key is None:
        return sqlite3
    try:
        from sqlcipher3 import dbapi2
    except ImportError:
        from reverie.extras import lacking  # every store loads this module, and few lack it

        raise lacking("sqlcipher", "An encrypted store", StoreError) from None
    return dbapi2


def unlock(raw: Any, key: Key | None) -> None:
    """Give a new connection its key; reads nothing yet. Intermediate results stay in memory, never in a file."""
    if key is not None:
        raw.execute("PRAGMA cipher_log_level = NONE")  # its errors are raised, and need not stand in the terminal too
        if key.digits:
            raw.execute(f"PRAGMA key = \"x'{key.digits}'\"")  # only hexadecimal digits, see ``engine.encryption``
        raw.execute("PRAGMA temp_store = MEMORY")


def attachment(path: str, name: str, key: Key | None) -> tuple[str, tuple[str, ...]]:
    """Return the SQL and values that attach another file; ``UNENCRYPTED``: a plain one to SQLCipher's module.

    Without a KEY, SQLCipher would take the main file's key and salt; each file has a salt of its own.
    """
    if key is None:
        return f"ATTACH ? AS {name}", (path,)
    return f"ATTACH ? AS {name} KEY ?", (path, f"x'{key.digits}'" if key.digits else "")


def refused(key: Key | None) -> tuple[type[Exception], ...]:
    """Return the base class of the errors of the module for this key."""
    return () if key is None else (driver(key).Error,)


def wrong_key(path: Path, key: Key) -> StoreError:
    """Make the error for a file that a key does not open."""
    return StoreError(
        f"{path} does not open with the key from {key.origin}: it was encrypted with another one, or its first page is"
        " damaged. Nothing was changed.",
        "Name the right key (setting key_file, or your keyring's entry reverie/store). If the key is right, restore"
        " the last backup.",
    )


def require_encrypted(path: Path) -> None:
    """Raise StoreError if there is a plain store at a path."""
    if is_plain(path):
        raise StoreError(
            f"{path} is not encrypted. Nothing was changed.",
            "Open it by its path alone, without `sqlcipher:`, or encrypt it: `reverie store encrypt`.",
        )


def is_plain(path: Path) -> bool:
    """Whether a file begins as every SQLite file does that is not encrypted."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_PLAIN)) == _PLAIN
    return False


def is_hidden(path: Path, log: Path) -> bool:
    """Whether neither a file nor its log has a first page that Python's own module can read.

    To know this before it opens them matters where there is a log, which it would merge when it closes the file.
    """
    with suppress(OSError):
        if path.stat().st_size and log.stat().st_size and not is_plain(path):
            with log.open("rb") as file:
                size = int.from_bytes(file.read(_LOG_HEAD)[8:12])
                while 0 < size <= _PAGE_MAX and len(frame := file.read(_FRAME_HEAD)) == _FRAME_HEAD:
                    if int.from_bytes(frame[:4]) == 1 and file.peek(len(_PLAIN)).startswith(_PLAIN):
                        return False
                    file.seek(size, 1)
            return True
    return False
