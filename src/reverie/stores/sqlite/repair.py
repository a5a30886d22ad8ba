"""Rebuild a store's tables and indexes from its journal, in a file beside it, and put that file's content in its place.

The journal comes from the store and is never changed: the caller replays it into the draft. Vectors, which are not in
the journal, are taken over where the memory they belong to is unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, zip_longest
from pathlib import Path
from urllib.parse import quote

from reverie.errors import ReverieError, StoreCorrupt, StoreReadOnly
from reverie.stores.rechain import FORMER
from reverie.stores.sqlite import journal, maintenance, reads, schema, terms, writes
from reverie.stores.sqlite.cipher import attachment
from reverie.stores.sqlite.connection import PAGE_SIZE, Connection, Row, kept_out, locked
from reverie.stores.sqlite.journal_end import copy_of
from reverie.stores.vectors import unpack

BUSY_S = 30.0
"""Seconds to wait for other writers."""
_APART = 1 << 32
"""Added to every scope's stamp, so that no process takes the corpus it loaded before for the repaired one."""
_CUT = """
SELECT count(DISTINCT e.event) FROM episode e JOIN memory m ON m.event = e.event AND m.scope = e.scope
WHERE typeof(e.event) = 'integer' AND e.event > ?
"""
_SCOPES = "SELECT id, agent, user, project, top FROM scope WHERE id IN (SELECT scope FROM event NOT INDEXED)"
_LAST_KEY = "SELECT max(key) FROM memory WHERE key > ? AND key < ?"
_MODELS = f"""
SELECT id, key, name, revision, dims FROM model WHERE typeof(dims) = 'integer' AND dims > 0
  AND id BETWEEN 1 AND {reads.MODELS_MAX} AND key = name || '@' || revision || '/' || dims
"""
_MOVED = """
INSERT INTO temp.moved SELECT o.key, n.key, n.event = o.event AND n.text IS o.text FROM old.memory o
  CROSS JOIN main.memory n ON n.scope = o.scope AND n.id = o.id
"""
_SAME = "SELECT old, new FROM temp.moved WHERE same AND old IN (SELECT value FROM json_each(?))"
_LACKING = f"""
INSERT INTO main.lacking SELECT s.id, v.model, s.memories - v.found FROM main.scope s JOIN (
  SELECT (key & {reads.MEMORY_MASK}) >> 32 AS scope, key >> {reads.VECTOR_BITS} AS model, count(*) AS found
  FROM main.vector GROUP BY 1, 2) v ON v.scope = s.id
"""
_STAMP = "SELECT max(stamp) FROM old.scope WHERE typeof(stamp) = 'integer' AND stamp BETWEEN 0 AND 1 << 60"
_MEMORIES = """
SELECT key >> 32, event, id, kind, at, recorded_at, session, place, speaker, role, valid_until, length, words, lists,
  text, tokens FROM {}.memory ORDER BY key
"""
_COMPARED = {
    "episode": ("", "event, id, scope, session, place, speaker, role, text, at, message_id"),
    "scope": ("", "id, agent, user, project, version, memories, events"),
    "record": ("", "scope, sort, name, about, body, event"),
    "model": ("", "id, key, name, revision, dims"),
    "standing": ("memory", "state, data"),
    "access": ("memory", "count, last_at"),
    "source": ("memory", "scope, episode"),
    "touch": ("memory", "event"),
    "relation": ("source target", "kind, confidence, at"),
    "companion": ("first second", "count, since, last"),
}
"""Each table that is compared: its columns that hold keys of memories, which a rebuild changes, and the others."""
_COUNTED = {
    "lacking": """SELECT l.scope, l.model, s.memories - l.count FROM {0}.lacking l JOIN {0}.scope s ON s.id = l.scope
        WHERE s.memories <> l.count""",
    "analyzer": "SELECT value FROM {0}.meta WHERE name = 'analyzer'",
}
"""Other queries whose results are compared."""


def require_mendable(connection: Connection) -> None:
    """Check that a repair can bring back the whole store: its journal is unbroken and complete, and it can be written.

    Raises:
        StoreCorrupt: the journal is broken, or it ends before the events that the tables were made of.
        StoreReadOnly: the file or its folder cannot be written.
    """
    try:
        wrong = next(maintenance.broken_chain(connection), None)
        cut = _cut(connection) if wrong is None else ""
    except StoreCorrupt as error:
        wrong, cut = f"The journal cannot be read. {error.message}", ""
    if wrong is not None:
        raise StoreCorrupt(f"{wrong} A repair never mends a journal: nothing was changed.", maintenance.RESCUE)
    if cut:
        raise StoreCorrupt(
            f"{cut} A repair would lose them: nothing was changed.",
            "Restore the last backup. To go on without them, replay the journal into a new store (`reverie store"
            " replay`) and use that.",
        )
    if parts := locked(connection.path):
        raise StoreReadOnly(
            f"{kept_out(parts)[0]} Nothing was changed.", "Give this user the right to write the file and its folder."
        )


def _cut(connection: Connection) -> str:
    """Return how the tables show that the journal's end is missing; "" if they do not."""
    last, _ = journal.last(connection)
    with suppress(StoreCorrupt):  # a damaged table is no evidence
        row = connection.row(_CUT, (last,))
        if row is not None and row[0]:
            return f"The journal ends at event {last} of the file, and the tables hold messages of {row[0]} later ones."
    return ""


@contextmanager
def rebuilding(connection: Connection, draft: Path) -> Iterator[Rebuild]:
    """Lay out an empty store in the file ``draft``, to replay the journal into, and yield its ``Rebuild``.

    Raises StoreCorrupt or StoreReadOnly, as ``require_mendable``.
    """
    require_mendable(connection)
    made = Connection(draft, mode="mode=rw", busy_timeout_s=BUSY_S, key=connection.key)
    try:
        _lay_out(connection, made)
        made.run(*attachment(f"file:{quote(str(connection.path.absolute()))}?mode=ro", "old", connection.key))
        yield Rebuild(connection, made)
    finally:
        made.close()


def _lay_out(source: Connection, made: Connection) -> None:
    """Make the tables, and the rows that number scopes and models as in the source.

    Keys of memories begin after the last one used, so that another process never finds another memory under a key that
    it read before.
    """
    size = source.row("PRAGMA page_size")
    made.run(f"PRAGMA page_size = {int(size[0]) if size else PAGE_SIZE}")
    made.run("PRAGMA journal_mode = WAL")
    schema.migrate(made, schema.VERSION)
    made.begin(durable=False)
    try:
        for number, agent, user, project, top in source.rows(_SCOPES):
            values = (number, agent, user, project, _last_key(source, number, top))
            made.run("INSERT INTO scope (id, agent, user, project, top) VALUES (?, ?, ?, ?, ?)", values)
        with suppress(StoreCorrupt):  # without the rows of the models, their vectors are made again
            made.run_many("INSERT INTO model VALUES (?, ?, ?, ?, ?)", source.rows(_MODELS))
        made.commit()
    finally:
        made.rollback()


def _last_key(source: Connection, scope: int, top: object) -> int:
    """Return the last key that a scope has used, as far as it can be known; at least its lower bound."""
    first, end = reads.base(scope), reads.base(scope + 1)
    used = [first]
    with suppress(StoreCorrupt):
        row = source.row(_LAST_KEY, (first, end))
        used += [row[0]] if row is not None and row[0] is not None else []
    if isinstance(top, int) and first <= top < end:
        used.append(top)
    last = max(used)
    return last if last - first < (end - first) // 2 else first  # room is left for as many again


class Rebuild:
    """One rebuild: what the damaged store ``old`` still has is compared, taken over, and finally replaced."""

    def __init__(self, source: Connection, draft: Connection) -> None:
        self._source = source
        self._draft = draft

    def keep_vectors(self) -> int:
        """Take over the vectors of unchanged memories into the replayed draft; return how many.

        Also sets what the journal does not determine: stamps, the mark of a restored backup, and that bytes of erased
        memories may still lie in the file.
        """
        draft = self._draft
        draft.run("CREATE TEMP TABLE IF NOT EXISTS moved (old INTEGER PRIMARY KEY, new INTEGER, same INTEGER)")
        draft.run("DELETE FROM temp.moved")
        with suppress(StoreCorrupt):  # a damaged table: its vectors are made again
            draft.run(_MOVED)
        draft.begin(durable=False)
        try:
            draft.run("DELETE FROM main.vector")
            draft.run("DELETE FROM main.lacking")
            dims: dict[int, int] = dict(draft.rows("SELECT id, dims FROM main.model"))
            with suppress(StoreCorrupt):
                for block in self._source.blocks("SELECT key, data FROM vector"):
                    draft.run_many("INSERT OR IGNORE INTO main.vector VALUES (?, ?)", self._kept(block, dims))
            draft.run(_LACKING)
            self._keep_marks()
            draft.commit()
        finally:
            draft.rollback()
        row = draft.row("SELECT count(*) FROM main.vector")
        return row[0] if row else 0

    def _kept(self, block: list[Row], dims: dict[int, int]) -> list[Row]:
        """Return the sound vectors of unchanged memories, under the keys that these have in the draft."""
        keys = str([key & reads.MEMORY_MASK for key, _ in block])
        moved: dict[int, int] = dict(self._draft.rows(_SAME, (keys,)))
        found = ((key >> reads.VECTOR_BITS, moved.get(key & reads.MEMORY_MASK), data) for key, data in block)
        return [
            (reads.vector_base(model) + key, data)
            for model, key, data in found
            if key is not None and _is_vector(data, dims.get(model, 0))
        ]

    def _keep_marks(self) -> None:
        draft = self._draft
        stamp = None
        with suppress(StoreCorrupt):
            stamp = draft.row(_STAMP)
        draft.run("UPDATE main.scope SET stamp = ?", ((stamp[0] if stamp and stamp[0] else 0) + _APART,))
        with suppress(StoreCorrupt):
            if mark := copy_of(self._source):
                draft.run("INSERT OR REPLACE INTO main.meta VALUES ('copy', ?)", (mark,))
            kept = "SELECT name, value FROM meta WHERE name = ? OR (name > 'seal:' AND name < 'seal;')"
            draft.run_many("INSERT OR REPLACE INTO main.meta VALUES (?, ?)", self._source.rows(kept, (FORMER,)))
        if draft.row("SELECT 1 FROM main.event WHERE payload IS NULL") is not None:
            draft.run(f"INSERT OR REPLACE INTO main.meta VALUES ('{writes.UNSCRUBBED}', '')")

    def differences(self) -> list[str]:
        """Name what the damaged store holds differently from the draft: tables, vectors, parts of the schema.

        To be called after ``keep_vectors``.
        """
        tables = [(name, *_queries(name, *columns)) for name, columns in _COMPARED.items()]
        tables += [(name, query.format("old"), query.format("main")) for name, query in _COUNTED.items()]
        found = ["schema"] if schema.missing(self._source) else []
        found += ["memory"] if self._is_other_memory() else []
        found += [name for name, old, new in tables if self._is_other(old, new)]
        found += ["search index"] if self._finds_otherwise() else []
        return found + (["vector"] if self._lacks_vectors() else [])

    def _is_other_memory(self) -> bool:
        """Whether the memories differ, or their order does."""
        old, new = (chain.from_iterable(self._draft.blocks(_MEMORIES.format(side))) for side in ("old", "main"))
        try:
            return any(one != other for one, other in zip_longest(old, new))
        except StoreCorrupt:
            return True

    def _finds_otherwise(self) -> bool:
        """Whether the text index of the damaged store is not that of its own memories."""
        try:
            terms.require_sound(self._source)
        except (StoreCorrupt, ValueError, TypeError, AttributeError):
            return True
        return False

    def _is_other(self, old: str, new: str) -> bool:
        """Whether two queries have different rows, in any order."""
        try:
            return any(self._draft.row(f"{one} EXCEPT {other} LIMIT 1") for one, other in ((old, new), (new, old)))
        except StoreCorrupt:
            return True

    def _lacks_vectors(self) -> bool:
        try:
            old, new = (self._draft.row(f"SELECT count(*) FROM {side}.vector") for side in ("old", "main"))
        except StoreCorrupt:
            return True
        return old != new

    def put(self) -> bool:
        """Replace the store's content by the draft's, in one transaction; False if the journal has grown meanwhile.

        Whoever reads the store goes on with the old content until its query ends, and then finds the new.

        Raises:
            StoreFull, StoreBusy, StoreReadOnly: it cannot be written now; nothing was changed.
        """
        last = journal.last(self._draft)
        target = Connection(self._source.path, mode="mode=rw", busy_timeout_s=BUSY_S, key=self._source.key)
        try:
            target.run("PRAGMA journal_mode = WAL")  # the draft's, too
            done = self._draft.copy_over(target, lambda: journal.last(self._source) == last)
            with suppress(ReverieError):  # as a rule nobody reads the log now; otherwise it is emptied later
                target.run("PRAGMA wal_checkpoint (TRUNCATE)")
        finally:
            target.close()
        return done


def _queries(table: str, keys: str, rest: str) -> tuple[str, str]:
    """Return the queries for a table's rows in the damaged store, with its keys replaced by the draft's, and here."""
    moved = "".join(f"(SELECT new FROM temp.moved WHERE old = t.{key}), " for key in keys.split())
    here = "".join(f"{key}, " for key in keys.split())
    return f"SELECT {moved}{rest} FROM old.{table} t", f"SELECT {here}{rest} FROM main.{table}"


def _is_vector(data: object, dims: int) -> bool:
    try:
        return isinstance(data, bytes) and dims > 0 and len(unpack(data, dims)) == 1
    except ValueError:
        return False
