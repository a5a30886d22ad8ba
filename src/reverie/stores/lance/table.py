"""The table itself, through LanceDB: rows in, rows out; what LanceDB raises becomes one of our errors here alone.

No text of anybody's ever stands in a predicate: rows are named by their UUIDs. Only columns that may be empty are
added, so that OpenClaw's own writer, which does not know them, goes on writing.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from reverie.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from reverie.stores.lance.rows import Row, is_row_id
from reverie.stores.lance.versions import TABLE, is_database
from reverie.types import FloatArray

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
class Written:
    """A row to write, and its vector; None: the one that stands there stays."""

    row: Row
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

    def scan(self) -> list[Row]:
        """Every row that has a UUID, each once, in the order they lie."""
        rows = (_row(values) for values in self.read(self._known()))
        return list({row.id: row for row in rows if is_row_id(row.id)}.values())

    def rows(self, names: Sequence[str]) -> list[Row]:
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

    def add(self, written: Sequence[Written]) -> int:
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

    def update(self, written: Sequence[Written]) -> int:
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


def _row(values: Mapping[str, Any]) -> Row:
    importance = values.get("importance")
    return Row(
        id=str(values["id"]),
        text=str(values["text"] or ""),
        importance=importance if isinstance(importance, float) else _number(importance) or 0.0,
        category=str(values.get("category") or ""),
        created_ms=_number(values.get("createdAt")) or 0.0,
        agent=str(values.get("agentId") or ""),
        accesses=_number(values.get("accessCount")),
        last_ms=_number(values.get("lastAccessed")),
        stability=_number(values.get("stability")),
        state=None if values.get("state") is None else str(values["state"]),
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _values(one: Written, held: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
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
