"""Keep the inverted index of the SQLite file: which memories of a scope contain a term, and how often.

The index is derived from the tokens in the memories' own rows. Memories lie in blocks of ``BLOCK`` keys. A block whose
last key was taken is indexed as a whole; the newest one, and any that changed since, is searched as one text. So a new
message writes nothing to the index, and erasing one rewrites no more than its block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from zlib import crc32

import numpy as np

from reverie.errors import StoreCorrupt
from reverie.stores.postings import tokens_line
from reverie.stores.sqlite import columns, reads
from reverie.stores.sqlite.connection import Connection
from reverie.types import FloatArray, IntArray

BLOCK = 4_096
"""Keys of a block; part of the file's format. Larger ones are quicker to search, smaller ones quicker to make anew."""
PARTS = 64
"""Parts of a block's terms; a term's part is all that is read to find it."""
_UNINDEXED_MAX = 4
"""Most full blocks of a scope that are left without an index after a change."""
_POSTINGS = "SELECT block, data FROM posting WHERE scope = ? AND part = ?"
_COLUMNS = "SELECT columns FROM block WHERE scope = ? AND block = ?"
_HEAD = 8
_NUMBER = np.dtype("<u4")
_PLACE = np.dtype("<u2")


def line(scope: int, terms: Sequence[str]) -> str:
    """Encode the terms of one memory as the line of tokens that is indexed."""
    return tokens_line(f"{scope}¦", terms)


def split(tokens: str, scope: int) -> list[str]:
    """Return the tokens of a line, without the scope's number."""
    prefix = len(f"{scope}¦")
    return [name[prefix:] for name in tokens.split(" ")] if tokens else []


def block_of(key: int) -> int:
    """Return the number of the block that a memory lies in, within its scope."""
    return (key - reads.base(reads.scope_of(key))) // BLOCK


def added(connection: Connection, key: int) -> None:
    """Index a block when the memory with its last key was written; to be called for each new memory."""
    if (key + 1) % BLOCK == 0:
        settle(connection, reads.scope_of(key), 0)


def drop(connection: Connection, memory_keys: Iterable[int]) -> None:
    """Delete the index of the blocks that these memories lie in, with all terms."""
    blocks = sorted({(reads.scope_of(key), block_of(key)) for key in memory_keys})
    if not blocks:
        return
    connection.run_many("DELETE FROM block WHERE scope = ? AND block = ?", blocks)
    rows = [(scope, part, block) for scope, block in blocks for part in range(PARTS)]
    connection.run_many("DELETE FROM posting WHERE scope = ? AND part = ? AND block = ?", rows)


def settle(connection: Connection, scope: int, most: int = _UNINDEXED_MAX) -> None:
    """Index the full blocks of a scope that have no index, if they are more than ``most``."""
    row = connection.row("SELECT top FROM scope WHERE id = ?", (scope,))
    newest = max(_newest(connection, scope), 0 if row is None else row[0])
    if newest - reads.base(scope) < BLOCK - 1:
        return
    full = range((newest + 1 - reads.base(scope)) // BLOCK)
    known = {block for (block,) in connection.rows("SELECT block FROM block WHERE scope = ?", (scope,))}
    missing = [block for block in full if block not in known]
    if len(missing) > most:
        for block in missing:
            _index(connection, scope, block)


def rebuild(connection: Connection, scope: int) -> None:
    """Replace a scope's index by one of the tokens that its memories' rows hold now."""
    connection.run("DELETE FROM posting WHERE scope = ?", (scope,))
    connection.run("DELETE FROM block WHERE scope = ?", (scope,))
    settle(connection, scope, 0)


def settle_all(connection: Connection) -> None:
    """Index every full block of every scope that has no index."""
    for (scope,) in connection.rows("SELECT id FROM scope WHERE top - (id << 32) >= ?", (BLOCK - 1,)):
        settle(connection, scope, 0)


class Lookup:
    """Finds the memories of one scope that contain a term; keeps the text of the blocks that have no index.

    To be made anew when a memory's tokens changed or a memory went.
    """

    __slots__ = ("_blocks", "_connection", "_keys", "_last", "_scope", "_seen", "_starts", "_text", "_unindexed")

    _seen: tuple[int, object] | None

    def __init__(self, connection: Connection, scope: int) -> None:
        self._connection = connection
        self._scope = scope
        self._forget()

    def __call__(self, name: str) -> tuple[IntArray, FloatArray]:
        """Return the keys (ascending) of the memories that contain a token, and how often each does."""
        connection, base = self._connection, reads.base(self._scope)
        state = connection.state
        if state != self._seen:
            with connection.reading():
                self._refresh()
            self._seen = state
        found = [self._scanned(name)]
        if self._blocks:
            wanted = name.encode()
            for block, data in connection.rows(_POSTINGS, (self._scope, part_of(name))):
                if block in self._blocks:  # not one that another process has just indexed
                    places, counts = _in(data, wanted)
                    found.append((places + (base + block * BLOCK), counts))
        if connection.writing:
            self._forget()  # the transaction may be rolled back
        keys, numbers = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        order = np.argsort(keys, kind="stable")
        return keys[order], numbers[order]

    def _forget(self) -> None:
        self._text, self._last = "\n", -1
        self._starts: list[int] = []
        self._keys: list[int] = []
        self._unindexed: list[int] = []
        self._blocks: frozenset[int] = frozenset()
        self._seen = None

    def _refresh(self) -> None:
        """Bring the text of the blocks without index up to date with the file."""
        base, newest = reads.base(self._scope), _newest(self._connection, self._scope)
        rows = self._connection.rows("SELECT block FROM block WHERE scope = ?", (self._scope,))
        self._blocks = blocks = frozenset(block for (block,) in rows)
        unindexed = sorted({*range((newest - base) // BLOCK + 1)} - blocks) if newest > base else []
        if unindexed[: len(self._unindexed)] != self._unindexed:
            self._forget()
            self._blocks = blocks
        for first, last in _runs(unindexed):
            self._read(max(base + first * BLOCK, self._last + 1), base + (last + 1) * BLOCK)
        self._last = max(self._last, newest)
        self._unindexed = unindexed

    def _read(self, first: int, end: int) -> None:
        query = "SELECT key, tokens FROM memory WHERE key >= ? AND key < ? AND tokens <> '' ORDER BY key"
        lines, at = [self._text], len(self._text)
        for block in self._connection.blocks(query, (first, end)):
            for key, held in block:
                tokens = str(held)
                self._starts.append(at)
                self._keys.append(key)
                lines.append(f" {tokens} \n")
                at += len(tokens) + 3
        self._text = "".join(lines)

    def _scanned(self, name: str) -> tuple[IntArray, FloatArray]:
        needle = f" {self._scope}¦{name} "
        text, step = self._text, len(needle) - 1
        places: list[int] = []
        at = text.find(needle)
        while at >= 0:
            places.append(at)
            at = text.find(needle, at + step)
        if not places:
            return _NONE
        counts = Counter(bisect_right(self._starts, place) - 1 for place in places)
        rows = sorted(counts)
        keys = np.array([self._keys[row] for row in rows], np.int64)
        return keys, np.array([counts[row] for row in rows], np.float32)


def _runs(blocks: list[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of consecutive numbers."""
    for _, group in groupby(enumerate(blocks), lambda pair: pair[1] - pair[0]):
        run = [block for _, block in group]
        yield run[0], run[-1]


def part_of(name: str) -> int:
    """Return the part of the index that a token lies in."""
    return crc32(name.encode()) % PARTS


def _newest(connection: Connection, scope: int) -> int:
    row = connection.row(
        "SELECT max(key) FROM memory WHERE key >= ? AND key < ?", (reads.base(scope), reads.base(scope + 1))
    )
    return reads.base(scope) if row is None or row[0] is None else int(row[0])


def _made(connection: Connection, scope: int, block: int) -> dict[int, bytes]:
    """Return the index of a block's tokens by part."""
    first = reads.base(scope) + block * BLOCK
    held: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for rows in connection.blocks("SELECT key, tokens FROM memory WHERE key >= ? AND key < ?", (first, first + BLOCK)):
        for key, tokens in rows:
            for name, count in Counter(split(tokens, scope)).items():
                held[name].append((key - first, count))
    parts: defaultdict[int, list[str]] = defaultdict(list)
    for name in sorted(held):
        parts[part_of(name)].append(name)
    return {part: _packed(names, [held[name] for name in names]) for part, names in parts.items()}


def _packed(names: list[str], held: list[list[tuple[int, int]]]) -> bytes:
    """Encode terms: their number, the length of their names, names, where each one's entries end, places, counts."""
    words = "".join(f"\n{name}" for name in names).encode() + b"\n"
    words += bytes(-len(words) % 4)
    ends = np.cumsum([len(one) for one in held], dtype=_NUMBER)
    places, counts = np.array([entry for one in held for entry in one], np.int64).T
    head = np.array([len(names), len(words)], _NUMBER)
    return b"".join(
        (head.tobytes(), words, ends.tobytes(), counts.astype(_NUMBER).tobytes(), places.astype(_PLACE).tobytes())
    )


_NONE = (np.empty(0, np.int64), np.empty(0, np.float32))


def _in(data: bytes, name: bytes) -> tuple[IntArray, FloatArray]:
    """Return a term's places in the block and its counts. Raises StoreCorrupt for damaged data."""
    try:
        return _unpacked(data, name)
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise StoreCorrupt(f"The text index is damaged ({error}).", "Run `reverie doctor`.") from error


def _unpacked(data: bytes, name: bytes) -> tuple[IntArray, FloatArray]:
    size, length = np.frombuffer(data, _NUMBER, 2).tolist()
    at = data.find(b"\n%s\n" % name, _HEAD, _HEAD + length)
    if at < 0:
        return _NONE
    which = data.count(b"\n", _HEAD, at)
    start = _HEAD + length
    ends = np.frombuffer(data, _NUMBER, size, start)
    first, last, total = int(ends[which - 1]) if which else 0, int(ends[which]), int(ends[-1])
    counts = np.frombuffer(data, _NUMBER, last - first, start + 4 * (size + first))
    places = np.frombuffer(data, _PLACE, last - first, start + 4 * (size + total) + 2 * first)
    return places.astype(np.int64), counts.astype(np.float32)


def _index(connection: Connection, scope: int, block: int) -> None:
    made = _made(connection, scope, block)
    rows = [(scope, part, block, data) for part, data in sorted(made.items())]
    connection.run_many("INSERT OR REPLACE INTO posting VALUES (?, ?, ?, ?)", rows)
    first = reads.base(scope) + block * BLOCK
    held = columns.packed(connection, first, first + BLOCK)
    connection.run("INSERT OR REPLACE INTO block VALUES (?, ?, ?)", (scope, block, held))


def require_sound(connection: Connection) -> None:
    """Raise StoreCorrupt if the index does not match the memories' tokens, or these not their own length."""
    for rows in connection.blocks("SELECT key, scope, length, tokens FROM memory"):
        for key, scope, length, tokens in rows:
            names = tokens.split(" ") if tokens else []
            if len(names) != length or not all(name.startswith(f"{scope}¦") for name in names):
                raise StoreCorrupt(f"The indexed terms of memory {key} are not its own.", "Run `reverie doctor`.")
    for scope, block in connection.rows("SELECT scope, block FROM block"):
        first = reads.base(scope) + block * BLOCK
        if connection.row(_COLUMNS, (scope, block)) != (columns.packed(connection, first, first + BLOCK),):
            raise StoreCorrupt(f"The columns of block {block} are not its memories'.", "Run `reverie doctor`.")
        query = "SELECT part, data FROM posting WHERE scope = ? AND part BETWEEN 0 AND ? AND block = ?"
        if dict(connection.rows(query, (scope, PARTS, block))) != _made(connection, scope, block):
            raise StoreCorrupt(f"The index does not hold all terms of block {block}.", "Run `reverie doctor`.")
    strays = (
        "SELECT 1 FROM posting p WHERE NOT EXISTS (SELECT 1 FROM block b WHERE b.scope = p.scope AND b.block = p.block)"
    )
    if connection.row(f"{strays} LIMIT 1") is not None:
        raise StoreCorrupt("The index holds terms of memories that are not there.", "Run `reverie doctor`.")
