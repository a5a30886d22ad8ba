"""Read and write OpenClaw's table through LanceDB; LanceDB's errors become Reverie's here and nowhere else.

The table's version is read from the names of its files, so that LanceDB is not loaded to see that nothing changed.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from reverie.errors import InvalidExport, StoreBusy, StoreError, StoreFull, StoreReadOnly
from reverie.extras import require
from reverie.types import EPOCH, FloatArray, Kind, Memory, Scope, State

TABLE = "memories"
"""The name of OpenClaw's only table."""
_VERSIONS = "_versions"
_SUFFIX = ".manifest"
_TURNED = 1 << 63
_LARGEST = (1 << 64) - 1


def table_folder(folder: Path) -> Path:
    """Return the table's folder in a database folder."""
    return folder / f"{TABLE}.lance"


def is_database(folder: Path) -> bool:
    """Whether a folder contains the table."""
    return table_folder(folder).is_dir()


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the table: its number, and a stamp that tells it from another table's version of that number.

    ``stamp`` "": only the number is known.
    """

    number: int
    stamp: str


def latest(folder: Path) -> Version | None:
    """Return the table's last version; None if there is no table, or its files have no known names.

    LanceDB names a version's file by its number, or (newer) by the largest possible number less its number, so that the
    last one is listed first.
    """
    try:
        names = [path.name for path in (table_folder(folder) / _VERSIONS).iterdir()]
    except OSError:
        return None
    stems = (name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
    found = [(_number(stem), stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if not found:
        return None
    number, stem = max(found)
    return Version(number, _stamp(folder, stem))


def is_followed(folder: Path, before: Version) -> bool:
    """Whether the table there now may continue that version; unknown, and so true, if old versions were deleted."""
    stamps = [_stamp(folder, stem) for stem in (str(before.number), f"{_LARGEST - before.number:020}")]
    now = latest(folder)
    return now is not None and now.number >= before.number and _agree(stamps, before.stamp)


def _agree(stamps: list[str], before: str) -> bool:
    return not before or all(stamp in ("", before) for stamp in stamps)


def _number(stem: str) -> int:
    number = int(stem)
    return _LARGEST - number if number >= _TURNED else number


def _stamp(folder: Path, stem: str) -> str:
    try:
        stat = (table_folder(folder) / _VERSIONS / f"{stem}{_SUFFIX}").stat()
    except OSError:
        return ""
    return f"{stat.st_dev}:{stat.st_ino}:{stat.st_mtime_ns}:{stat.st_size}"


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LATEST_MS = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) / timedelta(milliseconds=1)

OTHER = "other"
_KINDS = {
    "preference": Kind.PREFERENCE,
    "fact": Kind.FACT,
    "decision": Kind.DECISION,
    "entity": Kind.ENTITY,
}
_CATEGORIES = {kind: name for name, kind in _KINDS.items()} | {
    Kind.INSTRUCTION: "preference",
    Kind.CORRECTION: "fact",
}
_SHOWN = frozenset({State.ACTIVE, State.FADING, State.DORMANT})
"""States of memories in the table: a dormant one is left out of recall, never deleted."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table. ``created_ms`` counts from the epoch; ``agent`` "": the table does not name the agent.

    The last four are columns that Reverie adds, None if empty or absent.
    """

    id: str
    text: str
    importance: float
    category: str
    created_ms: float
    agent: str = ""
    accesses: float | None = None
    last_ms: float | None = None
    stability: float | None = None
    state: str | None = None

    @property
    def mark(self) -> str:
        """A digest that changes with the row's text, importance or category."""
        told = f"{len(self.text)}:{self.text}\0{self.importance!r}\0{self.category}"
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_row_id(name: str) -> bool:
    """Whether an id may be used in a predicate: only UUIDs may."""
    return _UUID.fullmatch(name) is not None


def row_id(memory: Memory) -> str:
    """Return the row id of a memory that Reverie writes, always the same."""
    scope = memory.scope
    told = "\0".join((scope.agent, scope.user, scope.project, memory.id))
    made = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{made[:8]}-{made[8:12]}-8{made[13:16]}-a{made[17:20]}-{made[20:32]}"  # version 8: custom


def kind_of(category: str) -> Kind:
    """Return the kind of memory for a category of the table; a fact for an unknown one."""
    return _KINDS.get(category, Kind.FACT)


def category_of(kind: Kind, before: str = "") -> str:
    """Return the table's category for a kind; ``before``, the row's category now, is kept if it means the same."""
    return before if before and kind_of(before) is kind else _CATEGORIES.get(kind, OTHER)


def clean(text: str) -> str:
    """Return the text as valid UTF-8; lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _is_odd(text) else text


def _is_odd(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def words_mark(text: str) -> str:
    """Return a digest of a memory's text."""
    return _digest(text)


def own_mark(memory: Memory) -> str:
    """Return a digest that changes with anything that the table shows of a memory."""
    standing = memory.standing
    return _digest(
        memory.text,
        memory.kind.value,
        repr(standing.importance),
        standing.state.value,
        repr(standing.stability_days),
        repr(memory.accesses),
        repr(memory.last_access),
    )


def is_shown(memory: Memory, now: datetime) -> bool:
    """Whether a memory belongs in the table: formed, valid now, and neither superseded nor in quarantine."""
    return memory.kind is not Kind.EPISODE and memory.holds_at(now) and memory.standing.state in _SHOWN


def row_of(memory: Memory, name: str, before: TableRow | None) -> TableRow:
    """Make the row of a memory; ``before`` is the row as it is now."""
    standing = memory.standing
    return TableRow(
        id=name,
        text=clean(memory.text),
        importance=standing.importance,
        category=category_of(memory.kind, before.category if before else ""),
        created_ms=before.created_ms if before else to_ms(memory.at),
        agent=memory.scope.agent,
        accesses=float(memory.accesses),
        last_ms=None if memory.last_access is None else to_ms(memory.last_access),
        stability=standing.stability_days,
        state=standing.state.value,
    )


def scope_of(row: TableRow, home: Scope) -> Scope | None:
    """Return the scope of a row; None if its agent's name is not usable."""
    if not row.agent:
        return home
    usable = row.agent.strip() and len(row.agent) <= 200 and "\0" not in row.agent
    return Scope(row.agent, home.user, home.project) if usable else None


def to_ms(at: datetime) -> float:
    """Convert a datetime to milliseconds since the epoch."""
    return (at - EPOCH) / timedelta(milliseconds=1)


def from_ms(ms: float | None) -> datetime | None:
    """Convert milliseconds since the epoch to a datetime; None if out of range."""
    if ms is None or not 0 <= ms <= _LATEST_MS:  # also refuses NaN
        return None
    return EPOCH + timedelta(milliseconds=ms)


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


_OWN = {"accessCount": "float64", "lastAccessed": "float64", "stability": "float64", "state": "string"}
"""The columns that Reverie adds."""
_FIRST = {
    "id": "string",
    "text": "string",
    "vector": "",
    "importance": "float64",
    "category": "string",
    "createdAt": "float64",
    "agentId": "string",
}
_NEEDED = ("id", "text", "vector")
_SOME = 512
_ATTEMPTS = 5
_MEND = "Close what else writes it, then open the store again; `reverie doctor` says what waits."


@dataclass(frozen=True, slots=True)
class TableWrite:
    """A row to write, and its vector; None: the vector in the table is kept."""

    row: TableRow
    vector: FloatArray | None = None


def require_package() -> None:
    """Raise StoreError if LanceDB is not installed; it is not imported."""
    require("lance", "OpenClaw's table as a store", StoreError)


class Table:
    """OpenClaw's table in a folder, opened. Raises StoreError if the table is not OpenClaw's."""

    def __init__(self, folder: Path, held: Any) -> None:
        self._folder = folder
        self._held = held
        with _told(folder):
            self._fields = {field.name: field for field in held.schema}
        if missing := [name for name in _NEEDED if name not in self._fields]:
            raise StoreError(
                f"The table {TABLE} in {folder} has no column {missing[0]}.", "It is not a table of OpenClaw's memory."
            )

    @classmethod
    def open(cls, folder: Path) -> Table | None:
        """Open the table; None if there is none."""
        require_package()
        if not is_database(folder):
            return None
        with _told(folder):
            return cls(folder, _connected(folder).open_table(TABLE))

    @classmethod
    def create(cls, folder: Path, dims: int) -> Table:
        """Create a table with OpenClaw's columns and Reverie's."""
        import pyarrow

        require_package()
        types = {name: getattr(pyarrow, kind)() for name, kind in {**_FIRST, **_OWN}.items() if kind != ""}
        types["vector"] = pyarrow.list_(pyarrow.float32(), dims)
        fields = [pyarrow.field(name, types[name]) for name in (*_FIRST, *_OWN)]
        with _told(folder):
            return cls(folder, _connected(folder).create_table(TABLE, schema=pyarrow.schema(fields)))

    @property
    def dims(self) -> int:
        """Dimensions of the table's vectors; 0 if their length is not fixed, so that none can be written."""
        kind = self._fields["vector"].type
        size = getattr(kind, "list_size", 0)
        return int(size) if size > 0 and str(kind.value_type) == "float" else 0

    @property
    def names_agents(self) -> bool:
        """Whether rows name their agent; OpenClaw's older tables do not."""
        return "agentId" in self._fields

    def latest(self) -> int:
        """Move on to the table's last version, and return its number."""
        with _told(self._folder):
            self._held.checkout_latest()
            return int(self._held.version)

    @property
    def columns(self) -> frozenset[str]:
        """The names of the table's columns."""
        return frozenset(self._fields)

    def read(self, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Return these columns of every row, whatever its id."""
        with _told(self._folder):
            found: list[dict[str, Any]] = self._held.search().select(list(columns)).limit(None).to_arrow().to_pylist()
            return found

    def scan(self) -> list[TableRow]:
        """Return every row whose id is a UUID, each id once, in the table's order."""
        rows = (_row(values) for values in self.read(self._known()))
        return list({row.id: row for row in rows if is_row_id(row.id)}.values())

    def rows(self, names: Sequence[str]) -> list[TableRow]:
        """Return the rows with these ids that exist."""
        return [_row(values) for found in self._whole(names, self._known()) for values in found.to_pylist()]

    def _known(self) -> list[str]:
        return [name for name in (*_FIRST, *_OWN) if name in self._fields and name != "vector"]

    def strangers(self) -> int:
        """Count the rows whose id is no UUID, which Reverie leaves alone."""
        names = (values["id"] for values in self.read(["id"]))
        return sum(not is_row_id(str(name)) for name in names if name != "__schema__")

    def vectors(self, names: Sequence[str]) -> dict[str, FloatArray]:
        """Return the vectors of these rows as stored; rows without one, or with zeros only, are left out."""
        found: dict[str, FloatArray] = {}
        for rows in self._whole(names, ["id", "vector"]):
            for values in rows.to_pylist():
                if values["vector"] is not None and any(values["vector"]):
                    found[values["id"]] = np.asarray(values["vector"], np.float32)
        return found

    def add(self, written: Sequence[TableWrite]) -> int:
        """Append rows; return how many versions that made. Raises StoreError if a foreign column is not nullable."""
        import pyarrow

        if not written:
            return 0
        filled = {*_FIRST, *_OWN}
        if locked := [name for name, field in self._fields.items() if name not in filled and not field.nullable]:
            raise StoreError(
                f"The table {TABLE} has a column {locked[0]} that must not be empty, and that we do not know.",
                "Nothing was written; report it with the version of the plugin that made the table.",
            )
        with _told(self._folder):
            schema = self._held.schema
            values = [_values(one, {}, schema.names) for one in written]
            self._persist(lambda: self._held.add(pyarrow.Table.from_pylist(values, schema=schema)))
        return 1

    def update(self, written: Sequence[TableWrite]) -> int:
        """Update rows; return how many versions that made. Rows deleted meanwhile are skipped, unknown columns kept."""
        import pyarrow

        count = 0
        new = {one.row.id: one for one in written}
        for rows in self._whole(list(new)):
            values = [_values(new[held["id"]], held, rows.schema.names) for held in rows.to_pylist()]
            if values:
                with _told(self._folder):
                    data = pyarrow.Table.from_pylist(values, schema=rows.schema)
                    self._persist(lambda data=data: self._merge(data))
                count += 1
        return count

    def delete(self, names: Sequence[str]) -> int:
        """Delete rows; return how many versions that made."""
        with _told(self._folder):
            for start in range(0, len(names), _SOME):
                predicate = _among(names[start : start + _SOME])
                self._persist(lambda predicate=predicate: self._held.delete(predicate))
        return -(-len(names) // _SOME)

    def widen(self) -> int:
        """Add Reverie's columns that are missing, all nullable; return how many versions that made."""
        import pyarrow

        missing = [pyarrow.field(name, getattr(pyarrow, _OWN[name])()) for name in _OWN if name not in self._fields]
        if missing:
            with _told(self._folder):
                self._held.add_columns(pyarrow.schema(missing))
                self._fields = {field.name: field for field in self._held.schema}
        return 1 if missing else 0

    def purge(self) -> None:
        """Rewrite the table without deleted rows, and delete every older version, so that their bytes leave the disk.

        LanceDB's compaction does not rewrite a fragment while less than a tenth of its rows are deleted, so every row
        is written again first.
        """
        with _told(self._folder):
            self._persist(lambda: self._held.update(values_sql={"id": "id"}))
        self._optimize(timedelta(0), delete_unverified=True)

    def compact(self) -> None:
        """Merge small fragments, and delete versions older than a week."""
        self._optimize(timedelta(days=7), delete_unverified=False)

    def _optimize(self, older: timedelta, *, delete_unverified: bool) -> None:
        with _told(self._folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # it warns that readers of older versions fail, as intended
            self._held.optimize(cleanup_older_than=older, delete_unverified=delete_unverified)

    def _merge(self, data: Any) -> None:
        self._held.merge_insert("id").when_matched_update_all().execute(data)

    def _persist(self, write: Any) -> None:
        """Write, and retry after a conflict on top of what another program wrote."""
        for attempt in range(_ATTEMPTS):
            try:
                write()
            except (RuntimeError, OSError, ValueError) as error:
                if "conflict" not in str(error).lower() or attempt == _ATTEMPTS - 1:
                    raise
                self._held.checkout_latest()
            else:
                return

    def _whole(self, names: Sequence[str], columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Yield the rows with these ids as stored, some hundred at a time."""
        for start in range(0, len(names), _SOME):
            with _told(self._folder):
                asked = self._held.search().where(_among(names[start : start + _SOME])).limit(None)
                yield (asked.select(list(columns)) if columns else asked).to_arrow()


def _among(names: Sequence[str]) -> str:
    if not all(is_row_id(name) for name in names):
        raise ValueError("only UUIDs may stand in a predicate")
    return "id IN (" + ", ".join(f"'{name}'" for name in names) + ")"


def _row(values: Mapping[str, Any]) -> TableRow:
    importance = values.get("importance")
    return TableRow(
        id=str(values["id"]),
        text=str(values["text"] or ""),
        importance=importance if isinstance(importance, float) else _as_number(importance) or 0.0,
        category=str(values.get("category") or ""),
        created_ms=_as_number(values.get("createdAt")) or 0.0,
        agent=str(values.get("agentId") or ""),
        accesses=_as_number(values.get("accessCount")),
        last_ms=_as_number(values.get("lastAccessed")),
        stability=_as_number(values.get("stability")),
        state=None if values.get("state") is None else str(values["state"]),
    )


def _as_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _values(one: TableWrite, held: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Return the row's new values for the columns that the table has."""
    row = one.row
    ours: dict[str, Any] = {
        "id": row.id,
        "text": row.text,
        "importance": row.importance,
        "category": row.category,
        "createdAt": row.created_ms,
        "agentId": held.get("agentId", row.agent),  # never changed
        "accessCount": row.accesses,
        "lastAccessed": row.last_ms,
        "stability": row.stability,
        "state": row.state,
    }
    vector = held.get("vector") if one.vector is None else one.vector.tolist()
    return {name: {**held, **ours, "vector": vector}.get(name) for name in columns}


def _connected(folder: Path) -> Any:
    import lancedb

    return lancedb.connect(str(folder))


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Turn LanceDB's errors into Reverie's; it has no error types of its own, so their words decide."""
    try:
        yield
    except (RuntimeError, OSError, ValueError, TypeError) as error:  # the last for a column of another kind
        what = str(error).splitlines()[0][:300] if str(error) else type(error).__name__
        words = what.lower()
        if "no space" in words or "quota" in words:
            raise StoreFull(f"The disk of {folder} is full.", "Make room; nothing written before is lost.") from error
        if "permission denied" in words or "read-only file system" in words:
            raise StoreReadOnly(
                f"The table in {folder} cannot be written.", "Check the rights on its folder."
            ) from error
        if "conflict" in words:
            raise StoreBusy(f"Somebody else keeps writing the table in {folder}.", "Try again.") from error
        raise StoreError(f"The table in {folder} cannot be used: {what}", _MEND) from error


class LanceTables:
    """OpenClaw's table, opened for reading by an import (``exchange.foreign.tables.Tables``)."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Map the table to its columns."""
        return {TABLE: self._table.columns}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """Yield the rows of the table. A column it lacks is None."""
        assert table == TABLE
        for held in self._table.read([name for name in columns if name in self._table.columns]):
            yield {name: held.get(name) for name in columns}


@contextmanager
def open_table(folder: Path) -> Iterator[LanceTables]:
    """Open a folder's table to be read; raises InvalidExport if it is not OpenClaw's, StoreError without LanceDB."""
    try:
        table = Table.open(folder)
    except StoreError as error:
        if "not installed" in error.message:
            raise
        raise InvalidExport(error.message, error.mend) from error
    if table is None:
        raise InvalidExport(f"There is no table {TABLE} in {folder}.", "Give the folder that holds memories.lance.")
    yield LanceTables(table)
