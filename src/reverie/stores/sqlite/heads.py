"""What is noted of a journal's end, and whether a journal that is met later is still that one.

In: a connection, and a note that an earlier process made. Out: the journal is whole, has lost its end, or is another's.
A note lies beside the store (``tail``), and in the user's own state folder where the store needed consent (``known``).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from reverie.stores.chain import NO_HASH
from reverie.stores.sqlite.connection import Connection

Point: TypeAlias = tuple[int, str]
"""An event's number and hash."""
Form: TypeAlias = tuple[int, int, int]
"""Which file it is, its size and its age in ns."""

NOWHERE = (0, NO_HASH)
NO_FORM = (0, 0, 0)
SIZE = 640
"""Bytes of a note."""
_FORM = b"reverie-head-2"
_WORDS = 14
_COPY = re.compile("[0-9a-f]{32}")
_ENDS = """
SELECT seq, lower(hex(hash)), (SELECT lower(hex(hash)) FROM event WHERE seq = 1),
  (SELECT value FROM meta WHERE name = 'copy') FROM event ORDER BY seq DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Note:
    """What was known of a store at one moment.

    Attributes:
        head: the last event that is on the disk.
        merged: the last one of which it is known that it is in the store's own file, not only in its log.
        first: hash of the first event.
        copy: which of its backups the store was restored from; empty where from none.
        file: the store's own file when all was merged into it; all 0 while somebody writes.
        kept, lost: what was found lost: after the one, up to the other.
    """

    head: Point
    merged: Point = NOWHERE
    first: str = NO_HASH
    copy: str = ""
    file: Form = NO_FORM
    kept: Point = NOWHERE
    lost: Point = NOWHERE


class Verdict(Enum):
    """What a journal is to a note: it goes on from there, it has lost its end, or it is another, or an older copy."""

    WHOLE = "whole"
    CUT = "cut"
    OTHER = "other"


def around(note: Note) -> tuple[bytes, bytes]:
    """What stands before and behind the head in a note, which changes with each message while this does not."""
    points = " ".join(f"{seq} {own}" for seq, own in (note.merged, note.kept, note.lost))
    file = " ".join(map(str, note.file))
    return _FORM + b" ", f" {points} {note.first} {note.copy or '-'} {file}".encode("ascii")


def line(head: Point, before: bytes, behind: bytes) -> bytes:
    """A note as it is written, as long as any other."""
    body = b"%s%d %s%s" % (before, head[0], head[1].encode(), behind)
    return (b"%s %d" % (body, crc32(body))).ljust(SIZE)


def parsed(written: bytes) -> Note | None:
    """What a line says; None for one that was not written to its end, or is none of ours."""
    body, _, check = written[:SIZE].rstrip().rpartition(b" ")
    words = body.split(b" ")
    if len(words) != _WORDS or words[0] != _FORM or check != b"%d" % crc32(body):
        return None
    try:
        seqs = [int(word) for word in words[1:9:2]]
        hashes = [word.decode("ascii") for word in words[2:9:2]]
        first, copy = words[9].decode("ascii"), words[10].decode("ascii")
        inode, size, age = map(int, words[11:14])
    except ValueError:
        return None
    head, merged, kept, lost = zip(seqs, hashes, strict=True)
    return Note(head, merged, first, "" if copy == "-" else copy, (inode, size, age), kept, lost)


def met(connection: Connection) -> Note:
    """The journal as it is now; ``merged`` is nowhere unless all of it is in the store's own file."""
    row = connection.row(_ENDS)
    if row is None:
        return Note(NOWHERE, copy=copy_of(connection))
    seq, own, first, copy = row
    head = (int(seq), str(own))
    return Note(head, merged(connection, head), str(first or NO_HASH), _copy(copy))


def merged(connection: Connection, head: Point) -> Point:
    """The journal's last event as it was just read, if no part of it lies in the log alone; else nowhere.

    The log is looked at after the journal was read: where there is none by now, what was read is in the file.
    """
    return NOWHERE if log_size(connection.real) else head


def copy_of(connection: Connection) -> str:
    """Which backup a store was restored from; empty where from none."""
    row = connection.row("SELECT value FROM meta WHERE name = 'copy'")
    return "" if row is None else _copy(row[0])


def mark_copy(draft: Path, target: Path) -> None:
    """Give a copy of a store a mark of its own, by which it is told from a store that lost its log."""
    connection = Connection(draft, mode="mode=rw", busy_timeout_s=0)
    try:
        row = connection.row(_ENDS) or NOWHERE
        told = f"{row[0]} {row[1]} {copy_of(connection)} {os.path.abspath(target)}"  # noqa: PTH100 - text, not a path
        mark = sha256(os.fsencode(told)).hexdigest()[:32]
        connection.run("INSERT OR REPLACE INTO meta VALUES ('copy', ?)", (mark,))
    finally:
        connection.close()


def _copy(said: object) -> str:
    return said if isinstance(said, str) and _COPY.fullmatch(said) else ""


def log_size(store: str) -> int:
    """Bytes in a store's log; 0 where there is none."""
    try:
        return os.stat(store + "-wal").st_size  # noqa: PTH116 - at each opening
    except OSError:
        return 0


def form(store: str) -> Form:
    """Which file lies at a path. By its path: to open and close it would drop SQLite's locks. Raises OSError."""
    held = os.stat(store)  # noqa: PTH116 - at each opening
    return held.st_ino, held.st_size, held.st_mtime_ns


def holds(connection: Connection, point: Point) -> bool:
    """Whether an event is in the journal."""
    seq, own = point
    return seq == 0 or connection.row("SELECT lower(hex(hash)) FROM event WHERE seq = ?", (seq,)) == (own,)


def judged(connection: Connection, head: Point, note: Note) -> Verdict:
    """What the journal that now ends at ``head`` is to an earlier note.

    A journal only grows: what was in the store's own file stays in it, and what was in its log alone may be lost. A
    store restored from another backup than the one before is another.
    """
    if head == note.head or holds(connection, note.head):
        return Verdict.WHOLE
    now = met(connection)
    is_ours = now.head[0] < note.head[0] and now.copy == note.copy and holds(connection, note.merged)
    is_begun = now.head[0] == 0 or note.first in (NO_HASH, now.first)
    return Verdict.CUT if is_ours and is_begun else Verdict.OTHER
