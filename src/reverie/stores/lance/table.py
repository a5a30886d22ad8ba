"""OpenClaw's table through LanceDB: rows in, rows out; what LanceDB raises becomes one of our errors here alone.

How far a table has come is told by the names of its files, so that LanceDB need not be loaded to see that it rests.
"""

from __future__ import annotations

import importlib.util
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
from reverie.types import EPOCH, FloatArray, Kind, Memory, Scope, State

# How far a table has come, told by the names of its files: LanceDB need not be loaded to see that it rests.


TABLE = "memories"
"""The one table that OpenClaw keeps."""
_VERSIONS = "_versions"
_SUFFIX = ".manifest"
_TURNED = 1 << 63
_LARGEST = (1 << 64) - 1


def table_folder(folder: Path) -> Path:
    """Where the table lies in its database."""
    return folder / f"{TABLE}.lance"


def is_database(folder: Path) -> bool:
    """Whether a folder holds the table."""
    return table_folder(folder).is_dir()


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the table: its number, and a stamp that another table's version of that number does not have.

    ``stamp`` "": the number alone is known.
    """

    number: int
    stamp: str


def latest(folder: Path) -> Version | None:
    """The table's last version; None where there is no table, or none whose files are named as known.

    LanceDB names a version's file by its number, or (newer) by the largest number there is less its number, so that the
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
    """Whether the table that is there now is the one of that version, or may be: it was cleared of old ones."""
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


# A row of OpenClaw's table and a memory of ours, each as the other. Pure: values in, values out.


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
"""What stands in the table: who sleeps is left out of recall, never deleted (C5)."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row. ``created_ms`` counts from the epoch; ``agent`` "": the table does not say whose it is.

    The last four are the columns we add, None where they are empty or absent.
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
        """Changes when the row says something else."""
        told = f"{len(self.text)}:{self.text}\0{self.importance!r}\0{self.category}"
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_row_id(name: str) -> bool:
    """Whether an id may stand in a predicate: nothing but UUIDs does."""
    return _UUID.fullmatch(name) is not None


def row_id(memory: Memory) -> str:
    """The row id of a memory that came from us, always the same."""
    scope = memory.scope
    told = "\0".join((scope.agent, scope.user, scope.project, memory.id))
    made = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{made[:8]}-{made[8:12]}-8{made[13:16]}-a{made[17:20]}-{made[20:32]}"  # version 8: of our own making


def kind_of(category: str) -> Kind:
    """What we call a category."""
    return _KINDS.get(category, Kind.FACT)


def category_of(kind: Kind, before: str = "") -> str:
    """What the table calls a kind; the word that stands there already where it means the same."""
    return before if before and kind_of(before) is kind else _CATEGORIES.get(kind, OTHER)


def clean(text: str) -> str:
    """The text as a column of UTF-8 holds it: what no UTF-8 carries (a lone surrogate) is marked as lost."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _is_odd(text) else text


def _is_odd(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def words_mark(text: str) -> str:
    """Changes when our words do."""
    return _digest(text)


def own_mark(memory: Memory) -> str:
    """Changes when anything changes that the table tells of a memory."""
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
    """Whether a memory stands in the table: it holds, and was neither superseded nor held back."""
    return memory.kind is not Kind.EPISODE and memory.holds_at(now) and memory.standing.state in _SHOWN


def row_of(memory: Memory, name: str, before: TableRow | None) -> TableRow:
    """The row of a memory; ``before`` is what stands there now."""
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
    """Whose row it is; None where the name cannot be an agent's."""
    if not row.agent:
        return home
    usable = row.agent.strip() and len(row.agent) <= 200 and "\0" not in row.agent
    return Scope(row.agent, home.user, home.project) if usable else None


def to_ms(at: datetime) -> float:
    """Milliseconds since the epoch."""
    return (at - EPOCH) / timedelta(milliseconds=1)


def from_ms(ms: float | None) -> datetime | None:
    """The moment; None for what is no moment of our calendar."""
    if ms is None or not 0 <= ms <= _LATEST_MS:  # false for what is no number, too
        return None
    return EPOCH + timedelta(milliseconds=ms)


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


# The table itself, through LanceDB: rows in, rows out; what LanceDB raises becomes one of our errors here alone.


_OWN = {"accessCount": "float64", "lastAccessed": "float64", "stability": "float64", "state": "string"}
"""The columns we add, named as the document names them (C2, C5)."""
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
_MEND = "Close what else writes it, then open the store again; `reverie doctor` tells what waits."


@dataclass(frozen=True, slots=True)
class TableWrite:
    """A row to write, and its vector; None: the one that stands there stays."""

    row: TableRow
    vector: FloatArray | None = None


def require_package() -> None:
    """Raise StoreError where LanceDB is not installed; it is not loaded for that."""
    if importlib.util.find_spec("lancedb") is None:
        raise StoreError("The package lancedb is not installed.", "Install it: pip install 'reverie[lance]'.")


class Table:
    """The open table of a folder. Raises StoreError where it is none of OpenClaw's."""

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
        """The table, None where there is none."""
        require_package()
        if not is_database(folder):
            return None
        with _told(folder):
            return cls(folder, _connected(folder).open_table(TABLE))

    @classmethod
    def create(cls, folder: Path, dims: int) -> Table:
        """A new table with OpenClaw's columns and ours."""
        import pyarrow

        require_package()
        types = {name: getattr(pyarrow, kind)() for name, kind in {**_FIRST, **_OWN}.items() if kind != ""}
        types["vector"] = pyarrow.list_(pyarrow.float32(), dims)
        fields = [pyarrow.field(name, types[name]) for name in (*_FIRST, *_OWN)]
        with _told(folder):
            return cls(folder, _connected(folder).create_table(TABLE, schema=pyarrow.schema(fields)))

    @property
    def dims(self) -> int:
        """Dimensions of its vectors; 0 where they have no one length, so that none of ours fits."""
        kind = self._fields["vector"].type
        size = getattr(kind, "list_size", 0)
        return int(size) if size > 0 and str(kind.value_type) == "float" else 0

    @property
    def names_agents(self) -> bool:
        """Whether a row says whose it is; the older form does not."""
        return "agentId" in self._fields

    def latest(self) -> int:
        """Look at the last version from now on; its number."""
        with _told(self._folder):
            self._held.checkout_latest()
            return int(self._held.version)

    @property
    def columns(self) -> frozenset[str]:
        """The names of its columns."""
        return frozenset(self._fields)

    def read(self, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Every row, these columns of it, whatever its id."""
        with _told(self._folder):
            found: list[dict[str, Any]] = self._held.search().select(list(columns)).limit(None).to_arrow().to_pylist()
            return found

    def scan(self) -> list[TableRow]:
        """Every row that has a UUID, each once, in the order they lie."""
        rows = (_row(values) for values in self.read(self._known()))
        return list({row.id: row for row in rows if is_row_id(row.id)}.values())

    def rows(self, names: Sequence[str]) -> list[TableRow]:
        """The rows of these ids that are there."""
        return [_row(values) for found in self._whole(names, self._known()) for values in found.to_pylist()]

    def _known(self) -> list[str]:
        return [name for name in (*_FIRST, *_OWN) if name in self._fields and name != "vector"]

    def strangers(self) -> int:
        """How many rows have no UUID, and are left alone."""
        names = (values["id"] for values in self.read(["id"]))
        return sum(not is_row_id(str(name)) for name in names if name != "__schema__")

    def vectors(self, names: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors of these rows, those that have one and say something by it, as they lie there."""
        found: dict[str, FloatArray] = {}
        for rows in self._whole(names, ["id", "vector"]):
            for values in rows.to_pylist():
                if values["vector"] is not None and any(values["vector"]):
                    found[values["id"]] = np.asarray(values["vector"], np.float32)
        return found

    def add(self, written: Sequence[TableWrite]) -> int:
        """Append rows; how many versions that took. Raises StoreError where a column is in the way."""
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
        """Change rows that are there; one that is gone meanwhile is passed over, what we do not know of one stays."""
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
        """Take rows away."""
        with _told(self._folder):
            for start in range(0, len(names), _SOME):
                predicate = _among(names[start : start + _SOME])
                self._persist(lambda predicate=predicate: self._held.delete(predicate))
        return -(-len(names) // _SOME)

    def widen(self) -> int:
        """Add our columns where they are missing, each of them one that may be empty."""
        import pyarrow

        missing = [pyarrow.field(name, getattr(pyarrow, _OWN[name])()) for name in _OWN if name not in self._fields]
        if missing:
            with _told(self._folder):
                self._held.add_columns(pyarrow.schema(missing))
                self._fields = {field.name: field for field in self._held.schema}
        return 1 if missing else 0

    def purge(self) -> None:
        """Write the table anew without what was deleted, and let every older version go: its bytes leave the disk.

        LanceDB's compaction leaves a piece as it is while less than a tenth of its rows are deleted, so every row is
        written again first.
        """
        with _told(self._folder):
            self._persist(lambda: self._held.update(values_sql={"id": "id"}))
        self._optimize(timedelta(0), delete_unverified=True)

    def compact(self) -> None:
        """Put small pieces together, and let versions older than a week go."""
        self._optimize(timedelta(days=7), delete_unverified=False)

    def _optimize(self, older: timedelta, *, delete_unverified: bool) -> None:
        with _told(self._folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that readers of older versions fail: meant, and documented
            self._held.optimize(cleanup_older_than=older, delete_unverified=delete_unverified)

    def _merge(self, data: Any) -> None:
        self._held.merge_insert("id").when_matched_update_all().execute(data)

    def _persist(self, write: Any) -> None:
        """Write, and again on top of what somebody else wrote meanwhile."""
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
        """The rows of these ids as they lie, some hundred at a time."""
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
    """What stands in the row afterwards, of the columns the table has."""
    row = one.row
    ours: dict[str, Any] = {
        "id": row.id,
        "text": row.text,
        "importance": row.importance,
        "category": row.category,
        "createdAt": row.created_ms,
        "agentId": held.get("agentId", row.agent),  # whose it is, we never change
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
    """LanceDB's errors as ours: it has none of its own, so they are told apart by their words."""
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


# The table opened to be read alone, as the import sees any database: columns and rows by name.


class LanceTables:
    """The open table (``exchange.foreign.tables.Tables``)."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Table → its columns."""
        return {TABLE: self._table.columns}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """The rows of the table. A column it lacks is null."""
        assert table == TABLE
        for held in self._table.read([name for name in columns if name in self._table.columns]):
            yield {name: held.get(name) for name in columns}


@contextmanager
def open_table(folder: Path) -> Iterator[LanceTables]:
    """Open the table in a folder. Raises InvalidExport for what is none of OpenClaw's, StoreError without LanceDB."""
    try:
        table = Table.open(folder)
    except StoreError as error:
        if "not installed" in error.message:
            raise
        raise InvalidExport(error.message, error.mend) from error
    if table is None:
        raise InvalidExport(f"There is no table {TABLE} in {folder}.", "Give the folder that holds memories.lance.")
    yield LanceTables(table)
